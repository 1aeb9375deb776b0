package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/service/socket"
)

const asHook = "DORMOUSE_TEST_AS_HOOK"

// TestMain lets the test binary stand in for the command, so that its exit code and output can be seen.
func TestMain(m *testing.M) {
	if os.Getenv(asHook) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// hook runs the command as an agent does.
func hook(t *testing.T, home string, stdin io.Reader, args ...string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), asHook+"=1", "DORMOUSE_HOME="+home)
	var out bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, &out, &out
	if err := cmd.Run(); err != nil {
		t.Errorf("the hook failed: %v", err)
	}
	if out.Len() > 0 {
		t.Errorf("the hook printed %q", out.String())
	}
}

func listen(t *testing.T, home string) net.Listener {
	t.Helper()
	ln, err := socket.Listen(home)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ln.Close() })
	return ln
}

func TestWithoutAServiceTheHookIsSilent(t *testing.T) {
	hook(t, t.TempDir(), strings.NewReader(`{"session_id":"1"}`), "SessionStart")
}

func TestWithAHungServiceTheHookEndsAndIsSilent(t *testing.T) {
	home := t.TempDir()
	listen(t, home) // connections are taken by the system, and nobody ever answers
	hook(t, home, strings.NewReader(`{"session_id":"1"}`), "SessionStart")
	big := `{"tool_response":"` + strings.Repeat("x", 2<<20) + `"}` // more than the system holds for a reader
	hook(t, home, strings.NewReader(big), "PostToolUse")
}

func TestWhateverTheAgentSendsTheHookIsSilent(t *testing.T) {
	home := t.TempDir()
	listen(t, home)
	for name, in := range map[string]string{"nothing": "", "no JSON": "\x00{", "too long": strings.Repeat(" ", maxPayload+1)} {
		t.Run(name, func(t *testing.T) { hook(t, home, strings.NewReader(in)) })
	}
}

func TestAnInputThatNeverEndsDoesNotHoldTheAgent(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close() //nolint:errcheck // test
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	run(ctx, "Stop", r, func(context.Context) (net.Conn, error) { return nil, errors.New("not reached") })
}

func TestTheServiceGetsEventAndPayload(t *testing.T) {
	home := t.TempDir()
	type got struct {
		path, host, body string
	}
	seen := make(chan got, 1)
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		seen <- got{r.Method + " " + r.URL.Path, r.Host, string(b)}
		_, _ = io.WriteString(w, `{"context":"ignored"}`)
	}))
	_ = srv.Listener.Close()
	srv.Listener = listen(t, home)
	srv.Start()
	defer srv.Close()

	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	in := `{"session_id":"1", "prompt":"a < b 你好"}`
	run(ctx, "UserPromptSubmit", strings.NewReader(in), func(ctx context.Context) (net.Conn, error) { return socket.Dial(ctx, home) })
	g := <-seen
	if g.path != "POST /v1/hook" || g.host != "dormouse" {
		t.Errorf("request %s to host %s", g.path, g.host)
	}
	var body struct {
		Event   string
		Payload map[string]string
	}
	if err := json.Unmarshal([]byte(g.body), &body); err != nil {
		t.Fatal(err)
	}
	if body.Event != "UserPromptSubmit" || body.Payload["prompt"] != "a < b 你好" {
		t.Errorf("body %s", g.body)
	}
}

func TestFailuresAreGivenUp(t *testing.T) {
	gone := func(context.Context) (net.Conn, error) { return nil, socket.ErrNoService }
	broken := func(context.Context) (net.Conn, error) {
		a, b := net.Pipe()
		_ = b.Close()
		return a, nil
	}
	for name, dial := range map[string]func(context.Context) (net.Conn, error){
		"gone": gone, "broken": broken, "panics": func(context.Context) (net.Conn, error) { panic("bug") },
	} {
		t.Run(name, func(t *testing.T) {
			run(t.Context(), "Stop", strings.NewReader("{}"), dial)
			if name != "panics" {
				if err := forward(t.Context(), "Stop", strings.NewReader("{}"), dial); err == nil {
					t.Error("a failure was taken for success")
				}
			}
		})
	}
}

func TestTheStateFolderIsTheOneOfTheEnvironmentElseOfTheUser(t *testing.T) {
	user, moved := t.TempDir(), t.TempDir()
	t.Setenv("HOME", user)
	t.Setenv("USERPROFILE", user)
	for _, home := range []string{moved, ""} {
		t.Setenv("DORMOUSE_HOME", home)
		if conn, err := dial(t.Context()); err == nil {
			_ = conn.Close()
			t.Errorf("DORMOUSE_HOME=%q: connected to nobody", home)
		}
		listen(t, cmp.Or(home, filepath.Join(user, ".dormouse")))
		conn, err := dial(t.Context())
		if err != nil {
			t.Fatalf("DORMOUSE_HOME=%q: %v", home, err)
		}
		_ = conn.Close()
	}
}
