package gitsync

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestAddressesAreJudgedBeforeAnythingIsDone(t *testing.T) {
	t.Parallel()
	own := t.TempDir()
	for raw, want := range map[string]string{
		"git@host.example:me/memory.git": "", "host:memory": "", "ssh://git@host:22/me/m.git": "", "https://host/m.git": "",
		"https://me@host/m.git": "", "http://127.0.0.1:8080/m.git": "", "file:///srv/m.git": "", "/srv/m.git": "", " /srv//m.git ": "", "[::1]:m.git": "",
		"": "missing", "-oProxyCommand=x": "not the address", "--upload-pack=x": "not the address", "ext::sh -c x": "would run a program",
		"https://me:hunter2@host/m.git": "password or token", "https://ghp_0123456789@host/m.git": "password or token",
		"ssh://me:hunter2@host/m.git": "password or token", "git://host/m.git": "not known", "ftp://host/m.git": "not known", "https:///m.git": "names no host",
		"ssh://-oProxyCommand=x/m": "names no host", "memory.git": "whole path", "./m": "whole path", "a\nb:c": "not the address", own: "the memory itself",
		filepath.Join(own, "x"): "the memory itself", "file://" + filepath.ToSlash(own): "the memory itself", "https://host/%zz": "cannot be read",
	} {
		got, err := CheckURL(raw, own)
		if want == "" {
			if clean := strings.TrimSpace(raw); err != nil || got != clean && got != filepath.Clean(clean) {
				t.Errorf("%q: %q %v", raw, got, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "ghp_") {
			t.Errorf("%q: %v, want %q", raw, err, want)
		}
	}
}

func FuzzCheckURL(f *testing.F) {
	for _, s := range []string{"git@h:m", "https://a:b@h/m", "ext::x", "/srv/m", "C:\\m", "\x00", "https://u@h/%zz"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		got, err := CheckURL(raw, "/nowhere")
		if err == nil && (got == "" || got[0] == '-' || strings.ContainsAny(got, "\n\x00")) {
			t.Errorf("%q gives %q", raw, got)
		}
	})
}

func FuzzJudge(f *testing.F) {
	f.Add([]byte("a\nb\n"), []byte("a\n"))
	f.Add([]byte(""), []byte("a\n"))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		ab, ba := judge(a, b), judge(b, a)
		if (ab == strange) != (ba == strange) {
			t.Errorf("%q %q: %v %v", a, b, ab, ba)
		}
		if ab == keep && len(a) < len(b) || ab == take && len(a) >= len(b) {
			t.Errorf("%q %q: %v", a, b, ab)
		}
	})
}
