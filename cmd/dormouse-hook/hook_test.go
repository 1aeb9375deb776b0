package main

import (
	"bytes"
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
	"dormouse/service/spool"
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

// call runs the command as an agent does.
func call(t *testing.T, home string, stdin io.Reader, args ...string) {
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
	call(t, t.TempDir(), strings.NewReader(`{"session_id":"1"}`), "SessionStart")
}

func TestCaseA2WithAHungServiceTheHookEndsAndIsSilent(t *testing.T) {
	home := t.TempDir()
	listen(t, home) // connections are taken by the system, and nobody ever answers
	call(t, home, strings.NewReader(`{"session_id":"1"}`), "SessionStart")
	big := `{"tool_response":"` + strings.Repeat("x", 2<<20) + `"}` // more than the system holds for a reader
	call(t, home, strings.NewReader(big), "PostToolUse")
}

func TestWhateverTheAgentSendsTheHookIsSilent(t *testing.T) {
	home := t.TempDir()
	listen(t, home)
	for name, in := range map[string]string{"nothing": "", "no JSON": "\x00{", "too long": strings.Repeat(" ", maxPayload+1)} {
		t.Run(name, func(t *testing.T) { call(t, home, strings.NewReader(in)) })
	}
}

func TestAnInputThatNeverEndsDoesNotHoldTheAgent(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close() //nolint:errcheck // test
	run(hook{stdin: r, dial: func(context.Context) (net.Conn, error) { return nil, errors.New("not reached") }})
}

func TestWhatCannotBeDeliveredIsSpooledWithoutWhatWasSaid(t *testing.T) {
	in := `{"session_id":"s1","transcript_path":"/t/s1.jsonl","prompt":"SAID","tool_input":{"command":"SAID"}}`
	for _, how := range []string{"down", "hung", "refusing"} {
		t.Run(how, func(t *testing.T) {
			home := t.TempDir()
			if err := os.Mkdir(filepath.Join(home, "run"), 0o700); err != nil {
				t.Fatal(err)
			}
			switch how {
			case "hung":
				listen(t, home)
			case "refusing":
				refusing(t, home)
			}
			h := hook{event: "Stop", agent: "claude-code", stdin: strings.NewReader(in), patience: patience, early: early, spool: filepath.Join(home, "run", "spool"),
				dial: func(ctx context.Context) (net.Conn, error) { return socket.Dial(ctx, home) }}
			h.handOn() // and not the program, which ends at the last moment whether it is done or not
			var got []spool.Report
			if _, err := spool.Take(h.spool, func(r spool.Report) error { got = append(got, r); return nil }); err != nil {
				t.Fatal(err)
			}
			if len(got) != 1 {
				t.Fatalf("spooled %+v", got)
			}
			got[0].At = 0
			if want := (spool.Report{Agent: "claude-code", Event: "Stop", Session: "s1", Transcript: "/t/s1.jsonl"}); got[0] != want {
				t.Errorf("spooled %+v, want %+v", got[0], want)
			}
		})
	}
}

// refusing is a service that is there and wants nothing.
func refusing(t *testing.T, home string) {
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }))
	_ = srv.Listener.Close()
	srv.Listener = listen(t, home)
	srv.Start()
	t.Cleanup(srv.Close)
}

func TestWithoutDormouseTheHookLeavesNothingBehind(t *testing.T) {
	home := filepath.Join(t.TempDir(), "gone")
	call(t, home, strings.NewReader(`{"session_id":"s1"}`), "Stop")
	if _, err := os.Stat(home); err == nil {
		t.Error("a state folder was made")
	}
}

func TestArgumentsAreReadInAnyOrderAndUnknownOnesPassedOver(t *testing.T) {
	for _, args := range [][]string{{"Stop", "--agent", "codex"}, {"--agent=codex", "--new", "Stop"}, {"Stop", "--agent=codex", "more"}} {
		if event, agent, inject := arguments(args); event != "Stop" || agent != "codex" || inject {
			t.Errorf("%q: event %q, agent %q, inject %v", args, event, agent, inject)
		}
	}
	if event, agent, inject := arguments([]string{"--inject", "--agent"}); event != "" || agent != "" || !inject {
		t.Errorf("event %q, agent %q, inject %v", event, agent, inject)
	}
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
	h := hook{event: "UserPromptSubmit", agent: "claude-code", stdin: strings.NewReader(in), patience: time.Minute, early: time.Minute,
		dial: func(ctx context.Context) (net.Conn, error) { return socket.Dial(ctx, home) }}
	h.handOn()
	var g got
	select {
	case g = <-seen:
	case <-ctx.Done():
		t.Fatal("the service got nothing")
	}
	if g.path != "POST /v1/hook" || g.host != "dormouse" {
		t.Errorf("request %s to host %s", g.path, g.host)
	}
	var body struct {
		Event   string
		Agent   string
		Payload map[string]string
	}
	if err := json.Unmarshal([]byte(g.body), &body); err != nil {
		t.Fatal(err)
	}
	if body.Event != "UserPromptSubmit" || body.Agent != "claude-code" || body.Payload["prompt"] != "a < b 你好" {
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
			h := hook{event: "Stop", stdin: strings.NewReader("{}"), dial: dial, patience: time.Minute, early: time.Minute}
			run(h)
			if name != "panics" {
				if _, err := h.forward(t.Context(), []byte("{}")); err == nil {
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
	for set, want := range map[string]string{moved: moved, "": filepath.Join(user, ".dormouse")} {
		t.Setenv("DORMOUSE_HOME", set)
		if got := stateFolder(); got != want {
			t.Errorf("DORMOUSE_HOME=%q: %s, want %s", set, got, want)
		}
	}
}

func TestWhatASlowServiceTakesAfterAllDoesNotStaySpooled(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, "run", "spool")
	if err := os.Mkdir(filepath.Dir(dir), 0o700); err != nil {
		t.Fatal(err)
	}
	waiting := func() int {
		entries, _ := os.ReadDir(dir) // none before the first report
		return len(entries)
	}
	saw := false
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for range 6000 {
			if saw = waiting() > 0; saw {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		w.WriteHeader(http.StatusOK)
	}))
	_ = srv.Listener.Close()
	srv.Listener = listen(t, home)
	srv.Start()
	defer srv.Close()
	h := hook{event: "Stop", agent: "codex", stdin: strings.NewReader(`{"session_id":"s1"}`), patience: 2 * time.Minute, early: time.Millisecond, spool: dir,
		dial: func(ctx context.Context) (net.Conn, error) { return socket.Dial(ctx, home) }}
	h.handOn()
	if !saw || waiting() != 0 {
		t.Errorf("it was spooled meanwhile: %v, and %d reports are left", saw, waiting())
	}
}

// serving is a service that answers every hook with a function.
func serving(t *testing.T, home string, answer http.HandlerFunc) {
	srv := httptest.NewUnstartedServer(answer)
	_ = srv.Listener.Close()
	srv.Listener = listen(t, home)
	srv.Start()
	t.Cleanup(srv.Close)
}

func TestWhatTheServiceTellsIsPrintedWholeOrNotAtAll(t *testing.T) {
	const told = `{"hookSpecificOutput":{"additionalContext":"冬眠 notes"}}` + "\n"
	for name, tt := range map[string]struct {
		inject bool
		answer http.HandlerFunc
		want   string
	}{
		"told":           {true, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, told) }, told},
		"not asked for":  {false, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, told) }, ""},
		"nothing":        {true, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }, ""},
		"refused":        {true, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, told, http.StatusServiceUnavailable) }, ""},
		"without length": {true, func(w http.ResponseWriter, _ *http.Request) { w.(http.Flusher).Flush(); _, _ = io.WriteString(w, told) }, ""},
		"too long":       {true, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, strings.Repeat("x", maxAnswer)) }, ""},
		"torn": {true, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, told)
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			serving(t, home, func(w http.ResponseWriter, r *http.Request) {
				b, _ := io.ReadAll(r.Body)
				if got := strings.Contains(string(b), `"inject":true`); got != tt.inject {
					t.Errorf("the service was asked: %v", got)
				}
				tt.answer(w, r)
			})
			var out bytes.Buffer
			h := hook{event: "SessionStart", agent: "codex", inject: tt.inject, stdin: strings.NewReader(`{"session_id":"1"}`), stdout: &out,
				patience: time.Minute, early: time.Minute, dial: func(ctx context.Context) (net.Conn, error) { return socket.Dial(ctx, home) }}
			h.handOn()
			if out.String() != tt.want {
				t.Errorf("printed %q, want %q", out.String(), tt.want)
			}
		})
	}
}

func TestAHookThatAsksIsSilentWithoutAServiceThatAnswers(t *testing.T) {
	home := t.TempDir()
	call(t, home, strings.NewReader(`{"session_id":"1"}`), "SessionStart", "--inject", "--agent", "codex")
	listen(t, home) // and never answers
	call(t, home, strings.NewReader(`{"session_id":"1"}`), "SessionStart", "--inject", "--agent", "codex")
}
