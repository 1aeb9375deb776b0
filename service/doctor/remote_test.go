package doctor

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/store/home"
)

func TestARemoteOfTheNetworkIsAskedAndMayHang(t *testing.T) {
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	silent, err := net.Listen("tcp", "127.0.0.1:0") // connections are taken, and nobody answers
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close() //nolint:errcheck // test
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := gone.Addr().String()
	_ = gone.Close()
	locked := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", "Basic realm=x")
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer locked.Close()
	empty := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
		_, _ = w.Write([]byte("001e# service=git-upload-pack\n000000000000"))
	}))
	defer empty.Close()
	h := home.At(t.TempDir())
	if err := h.Create(); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("git", "init", "-q", h.Memory()).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	login := filepath.Join(h.Memory(), ".git", loginFile)
	for _, c := range []struct {
		url   string
		login bool
		want  State
		says  string
	}{
		{"", false, OK, "none is set"},
		{empty.URL + "/m.git", false, OK, "answers"},
		{"http://" + nobody + "/m.git", false, Warn, "offline"},
		{locked.URL + "/m.git", false, Warn, "token"},
		{locked.URL + "/m.git", true, OK, "your keyring"},
		{"http://" + silent.Addr().String() + "/m.git", false, Warn, "does not answer within"},
	} {
		config := "[core]\n\trepositoryformatversion = 0\n"
		if c.url != "" {
			config += "[remote \"origin\"]\n\turl = " + c.url + "\n"
		}
		if err := os.WriteFile(filepath.Join(h.Memory(), ".git", "config"), []byte(config), 0o600); err != nil {
			t.Fatal(err)
		}
		if c.login {
			if err := os.WriteFile(login, []byte("{}"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		limit := time.Minute
		if strings.Contains(c.says, "within") {
			limit = 300 * time.Millisecond
		}
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		found := Remote(h).Look(ctx)
		cancel()
		if len(found) != 1 || found[0].State != c.want || !strings.Contains(found[0].Text, c.says) || (found[0].Remedy == "") != (c.want == OK) {
			t.Errorf("%s: %+v", c.url, found)
		}
		_ = os.Remove(login)
	}
}
