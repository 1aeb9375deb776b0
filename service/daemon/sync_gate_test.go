package daemon

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	store "github.com/zalando/go-keyring"

	"dormouse/assets"
	"dormouse/service/api"
)

func TestCaseX3APublicRemoteAndOneThatHoldsCodeAreRefusedUnlessInsistedOn(t *testing.T) {
	t.Setenv("GIT_SSH_COMMAND", "false") // nothing is reached
	code := t.TempDir()
	git(t, code, "init", "-q", "-b", "main")
	git(t, code, "remote", "add", "origin", "https://github.com/robin/Shop.git")
	p := learnedFrom(t, assets.SampleCodex)
	asked := ""
	p.Anyone = func(_ context.Context, url string) (bool, error) {
		asked = url
		return strings.HasSuffix(url, "open.git"), nil
	}
	s := start(t, p)
	if _, err := s.Bind(t.Context(), code); err != nil {
		t.Fatal(err)
	}
	for url, want := range map[string]string{
		"git@github.com:robin/shop.git":        "the code of",
		"ssh://git@github.com/robin/Shop":      "the code of",
		"git@github.com:robin/open.git":        "is public",
		"git@ssh.github.com:robin/nothere.git": "",
	} {
		var e *api.Error
		_, err := s.SyncSetup(t.Context(), url)
		if errors.As(err, &e); want != "" && (e == nil || e.Code != api.CodeForbidden || !strings.Contains(e.Message, want) || !strings.Contains(e.Message, "--i-know")) {
			t.Errorf("%s: %v", url, err)
		}
		if err == nil || want == "" && e != nil && e.Code == api.CodeForbidden {
			t.Errorf("%s: %v", url, err)
		}
		_, err = s.SyncChoose(t.Context(), api.SyncChoice{URL: url, Know: true})
		if e = nil; err == nil || errors.As(err, &e) && e.Code == api.CodeForbidden {
			t.Errorf("%s, insisted on: %v", url, err)
		}
	}
	if !strings.HasPrefix(asked, "https://github.com/robin/") {
		t.Errorf("asked %s", asked)
	}
	if st, err := s.Status(t.Context()); err != nil || st.Sync.Remote != "" || st.Sync.State != api.SyncOff {
		t.Errorf("%+v %v", st.Sync, err)
	}
}

func TestUnpluggedStickIsOfflineAndNoTroubleAndComesBack(t *testing.T) {
	bare := remote(t)
	s := start(t, learnedFrom(t, assets.SampleCodex))
	res, err := s.SyncSetup(t.Context(), bare)
	if err != nil || res.Found != api.FoundNothing || res.Sync.State != api.SyncInStep || res.Sync.Readers == "" || res.Sync.ToSend != 0 {
		t.Fatalf("%+v %v", res, err)
	}
	if err := os.Rename(bare, bare+".away"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Sync(t.Context()); err == nil || !strings.Contains(err.Error(), "plug in") {
		t.Errorf("%v", err)
	}
	st, err := s.Status(t.Context())
	if p := partNamed(st, "sync"); err != nil || st.Sync.State != api.SyncOffline || st.Sync.OfflineSince == 0 || st.Sync.Failed != 0 || p.Failed != 0 || p.State != "ok" {
		t.Errorf("%+v %+v %v", st.Sync, p, err)
	}
	if err := os.Rename(bare+".away", bare); err != nil {
		t.Fatal(err)
	}
	if res, err = s.Sync(t.Context()); err != nil || res.Sync.State != api.SyncInStep || res.Sync.OfflineSince != 0 {
		t.Errorf("%+v %v", res, err)
	}
}

func TestTokenGoesToTheKeyringAndIntoNoFile(t *testing.T) {
	store.MockInit()
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	p := learnedFrom(t, assets.SampleCodex)
	dir, s := p.Home.Dir(), start(t, p)
	if err := s.SyncLogin(t.Context(), "https://host.example/me/m.git", "me", "very-secret-token"); err != nil {
		t.Fatal(err)
	}
	if got, err := store.Get("Dormouse", "me@host.example"); err != nil || got != "very-secret-token" {
		t.Errorf("%q %v", got, err)
	}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		raw, err := os.ReadFile(path)
		if strings.Contains(string(raw), "very-secret") {
			t.Errorf("%s holds the token", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for url, token := range map[string]string{"git@host:m.git": "x", "https://host/m.git": " "} {
		var e *api.Error
		if err := s.SyncLogin(t.Context(), url, "", token); !errors.As(err, &e) || e.Code != api.CodeBadRequest {
			t.Errorf("%s %q: %v", url, token, err)
		}
	}
	// A helper of the person's own is what keeps it then.
	kept := filepath.Join(t.TempDir(), "kept")
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(t.TempDir(), "config"))
	if err := os.WriteFile(os.Getenv("GIT_CONFIG_GLOBAL"), []byte("[credential]\n\thelper = store --file="+kept+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.SyncLogin(t.Context(), "https://other.example/m.git", "me", "second-token"); err != nil {
		t.Fatal(err)
	}
	if raw, err := os.ReadFile(kept); err != nil || !strings.Contains(string(raw), "me:second-token@other.example") {
		t.Errorf("%s %v", raw, err)
	}
	if _, err := store.Get("Dormouse", "me@other.example"); err == nil {
		t.Error("it is in the keyring too")
	}
}
