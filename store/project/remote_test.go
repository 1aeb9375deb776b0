package project

import (
	"strings"
	"testing"
)

func TestAddressesOfOneRepositoryAreOne(t *testing.T) {
	for raw, want := range map[string]string{
		"https://github.com/owner/name":                "github.com/owner/name",
		"https://github.com/owner/name.git":            "github.com/owner/name",
		"https://user:token@GitHub.com/owner/name.git": "github.com/owner/name",
		"http://github.com:80/owner/name/":             "github.com/owner/name",
		"git@github.com:owner/name.git":                "github.com/owner/name",
		"github.com:owner/name":                        "github.com/owner/name",
		"git@github.com:/owner/name.git":               "github.com/owner/name",
		"ssh://git@github.com/owner/name.git":          "github.com/owner/name",
		"ssh://git@github.com:22/owner/name":           "github.com/owner/name",
		"ssh://git@ssh.github.com:443/owner/name.git":  "github.com/owner/name",
		"git://github.com/owner/name.git":              "github.com/owner/name",
		"git+ssh://git@github.com/owner/name.git":      "github.com/owner/name",
		"https://github.com/owner/name.git?x=1#frag":   "github.com/owner/name",
		" https://gitlab.com/a/b/c/name.git\n":         "gitlab.com/a/b/c/name",
		"https://example.org/a//b/../name":             "example.org/a/name",
		"https://example.org/Owner/Name":               "example.org/Owner/Name",
		"git@[2001:db8::1]:a/b.git":                    "2001:db8::1/a/b",
		"/srv/git/name.git":                            "",
		"../name":                                      "",
		"file:///srv/git/name.git":                     "",
		`C:\work\name`:                                 "",
		"C:/code/name":                                 "",
		"https://github.com":                           "",
		"https://github.com/":                          "",
		"":                                             "",
		"name":                                         "",
		"://x":                                         "",
		"https://%zz/a":                                "",
	} {
		if got := NormalizeURL(raw); got != want {
			t.Errorf("NormalizeURL(%q) = %q, want %q", raw, got, want)
		}
	}
}

func TestCaseIsTakenOutWhereTheServiceDoes(t *testing.T) {
	if remoteKey("github.com/A/B") != remoteKey("github.com/a/b") || remoteKey("example.org/A/B") == remoteKey("example.org/a/b") {
		t.Error("wrong")
	}
}

func FuzzNormalizeURL(f *testing.F) {
	for _, s := range []string{"git@github.com:owner/name.git", "https://u:p@h/a/b.git", "ssh://h:1/x", `C:\x`, "a:b", "[::1]:x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		got := NormalizeURL(raw)
		if got == "" {
			return
		}
		host, path, ok := strings.Cut(got, "/")
		if !ok || host == "" || path == "" || strings.HasPrefix(path, "/") || strings.HasSuffix(path, "/") || strings.Contains(host, "@") {
			t.Errorf("%q gives %q", raw, got)
		}
	})
}
