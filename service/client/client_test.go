package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"dormouse/service/api"
	"dormouse/service/socket"
	"dormouse/store/memory"
)

// service answers at a real socket with h and returns the state folder.
func service(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	home := t.TempDir()
	ln, err := socket.Listen(home)
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(api.HeaderVersion, fmt.Sprint(api.Version))
		h(w, r)
	}))
	_ = srv.Listener.Close()
	srv.Listener = ln
	srv.Start()
	t.Cleanup(srv.Close)
	return home
}

func connect(t *testing.T, o Options) *Client {
	t.Helper()
	c := New(o)
	t.Cleanup(c.Close)
	return c
}

func TestEveryCallAsksItsPathAndReadsItsAnswer(t *testing.T) {
	asked := ""
	var answer any
	home := service(t, func(w http.ResponseWriter, r *http.Request) {
		asked = r.Method + " " + r.Host + r.URL.RequestURI()
		_ = json.NewEncoder(w).Encode(answer)
	})
	c := connect(t, Options{Home: home})
	ctx, seven := t.Context(), 7
	session := api.Session{Session: memory.Session{ID: "cc_1"}, Turns: 3}
	tests := []struct {
		asks   string
		answer any
		call   func() (any, error)
	}{
		{"GET dormouse/v1/status", api.Status{PID: 4}, func() (any, error) { return c.Status(ctx) }},
		{"GET dormouse/v1/sessions?agent=codex&limit=2", []api.Session{session},
			func() (any, error) { return c.Sessions(ctx, api.SessionQuery{Agent: "codex", Limit: 2}) }},
		{"GET dormouse/v1/session?from=0&id=cc_1", api.Transcript{Session: session}, func() (any, error) { return c.Session(ctx, "cc_1", nil) }},
		{"GET dormouse/v1/session?id=cc_1&turn=7", api.Transcript{Turns: []api.Turn{{N: 7}}}, func() (any, error) { return c.Session(ctx, "cc_1", &seven) }},
		{"GET dormouse/v1/projects", []api.Project{{ID: "p"}}, func() (any, error) { return c.Projects(ctx) }},
		{"GET dormouse/v1/timeline?since=5", api.Timeline{Total: 9}, func() (any, error) { return c.Timeline(ctx, api.TimelineQuery{Since: 5}) }},
		{"GET dormouse/v1/graph?entity=a+b&hops=2", api.Graph{Truncated: true},
			func() (any, error) { return c.Graph(ctx, api.GraphQuery{Entity: "a b", Hops: 2}) }},
		{"GET dormouse/v1/search?q=x", api.Search{Indexing: true}, func() (any, error) { return c.Search(ctx, api.SearchQuery{Words: "x"}) }},
		{"GET dormouse/v1/timeline?kinds=work%2Cevent&superseded=true", api.Timeline{Total: 9}, func() (any, error) {
			return c.Timeline(ctx, api.TimelineQuery{Kinds: []memory.Kind{memory.KindWork, memory.KindEvent}, Superseded: true})
		}},
		{"GET dormouse/v1/days?since=5&until=9", []api.Day{{Day: "2026-05-04", Sessions: 2}}, func() (any, error) { return c.Days(ctx, 5, 9) }},
		{"GET dormouse/v1/core", api.Core{Text: "t"}, func() (any, error) { return c.Core(ctx, "") }},
		{"GET dormouse/v1/core?project=p", api.Core{Text: "t"}, func() (any, error) { return c.Core(ctx, "p") }},
		{"POST dormouse/v1/pause?until=-1", api.Status{PausedUntil: -1}, func() (any, error) { return c.Pause(ctx, api.Indefinitely) }},
		{"GET dormouse/v1/proxy", api.Proxy{State: "on"}, func() (any, error) { return c.Proxy(ctx, "") }},
		{"GET dormouse/v1/proxy?client=codex", api.Proxy{State: "on"}, func() (any, error) { return c.Proxy(ctx, "codex") }},
		{"POST dormouse/v1/proxy/switch?to=off", api.Proxy{State: "off"}, func() (any, error) { return c.SwitchProxy(ctx, api.ProxyOff) }},
		{"GET dormouse/v1/objects?draw=true&for=codex&object=ob_1&project=p&session=cc_1", api.Objects{Object: "ob_1"}, func() (any, error) {
			return c.Objects(ctx, api.ObjectQuery{Session: "cc_1", Project: "p", Object: "ob_1", Draw: true, For: "codex"})
		}},
		{"GET dormouse/v1/pager", api.Pager{Proxy: "on"}, func() (any, error) { return c.Pager(ctx) }},
		{"POST dormouse/v1/proxy/record?file=%2Fx.jsonl&limit=9", api.Proxy{State: "on"}, func() (any, error) { return c.RecordProxy(ctx, "/x.jsonl", 9) }},
		{"POST dormouse/v1/proxy/record", api.Proxy{State: "on"}, func() (any, error) { return c.RecordProxy(ctx, "", 9) }},
		{"POST dormouse/v1/sync", api.Synced{Received: 3}, func() (any, error) { return c.Sync(ctx) }},
		{"POST dormouse/v1/sync/setup?url=git%40h%3Am.git", api.Synced{Sent: true}, func() (any, error) { return c.SyncSetup(ctx, "git@h:m.git") }},
		{"POST dormouse/v1/sync/setup?restore=true&url=git%40h%3Am.git", api.Synced{Sent: true}, func() (any, error) { return c.SyncRestore(ctx, "git@h:m.git") }},
		{"POST dormouse/v1/devices/change?action=rename&device=laptop&name=desk", api.Device{ID: "aa"}, func() (any, error) {
			return c.ChangeDevice(ctx, api.DeviceChange{Device: "laptop", Action: api.DeviceRename, Name: "desk"})
		}},
		{"POST dormouse/v1/projects/bind?path=%2Fx", api.Project{ID: "p"}, func() (any, error) { return c.Bind(ctx, "/x") }},
		{"POST dormouse/v1/projects/rename?name=x&project=p", api.Project{ID: "p"}, func() (any, error) { return c.RenameProject(ctx, "p", "x") }},
		{"POST dormouse/v1/projects/unbind?project=p", api.Project{ID: "p"}, func() (any, error) { return c.Unbind(ctx, "p") }},
		{"GET dormouse/v1/locate?what=%2Fa%0Ab", api.Located{New: []string{"/a"}}, func() (any, error) { return c.Locate(ctx, []string{"/a", "b"}) }},
		{"POST dormouse/v1/sleep", api.Slept{Run: memory.Run{ID: "run_1"}}, func() (any, error) { return c.Sleep(ctx) }},
	}
	for _, tt := range tests {
		answer = tt.answer
		got, err := tt.call()
		if err != nil || asked != tt.asks || !reflect.DeepEqual(fmt.Sprint(got), fmt.Sprint(tt.answer)) {
			t.Errorf("asked %s, want %s; got %+v, %v", asked, tt.asks, got, err)
		}
	}
	if err := c.Stop(ctx); err != nil || asked != "POST dormouse/v1/stop" {
		t.Errorf("stop asked %s: %v", asked, err)
	}
}

func TestAServiceThatIsNotRunningIsSaidWithTheWayToStartIt(t *testing.T) {
	c := connect(t, Options{Home: t.TempDir()})
	_, err := c.Status(t.Context())
	if !errors.Is(err, ErrNotRunning) || !strings.Contains(err.Error(), "dormouse up") || !strings.Contains(err.Error(), c.Home()) {
		t.Errorf("%v", err)
	}
	if on, err := c.Running(t.Context()); on || err != nil {
		t.Errorf("running: %v, %v", on, err)
	}
	if _, err := c.Sleep(t.Context()); !errors.Is(err, ErrNotRunning) {
		t.Errorf("sleep: %v", err)
	}
}

func TestAServiceThatHangsIsToldFromOneThatIsGone(t *testing.T) {
	home := t.TempDir()
	ln, err := socket.Listen(home) // takes connections and never answers
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close() //nolint:errcheck // test
	c := connect(t, Options{Home: home, Timeout: time.Millisecond})
	if _, err := c.Status(t.Context()); !errors.Is(err, ErrHung) || errors.Is(err, ErrNotRunning) || !strings.Contains(err.Error(), home) {
		t.Errorf("status: %v", err)
	}
	if _, err := c.Sleep(t.Context()); !errors.Is(err, ErrHung) {
		t.Errorf("sleep: %v", err)
	}
	if err := c.Stop(t.Context()); !errors.Is(err, ErrHung) {
		t.Errorf("stop: %v", err)
	}
	ours, cancel := context.WithTimeout(t.Context(), 20*time.Second) // far more than the client's own limit, so that one without it is seen
	defer cancel()
	if _, err := c.Nights(ours, 1); !errors.Is(err, ErrHung) {
		t.Errorf("nights: %v", err)
	}
	if _, err := c.SleepPlan(ours); !errors.Is(err, ErrHung) {
		t.Errorf("plan of a sleep: %v", err)
	}
	if on, err := connect(t, Options{Home: home}).Running(t.Context()); !on || err != nil {
		t.Errorf("running: %v, %v", on, err)
	}
}

func TestARequestThatChangesSomethingSaysHowLongItsCallerWaits(t *testing.T) {
	until := ""
	home := service(t, func(w http.ResponseWriter, r *http.Request) {
		until = r.Header.Get(api.HeaderUntil)
		_, _ = w.Write([]byte("{}"))
	})
	c := connect(t, Options{Home: home, Timeout: time.Hour})
	before := time.Now().Add(time.Hour).UnixMilli()
	if _, err := c.Pause(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	after := time.Now().Add(time.Hour).UnixMilli()
	if at, err := strconv.ParseInt(until, 10, 64); err != nil || at < before || at > after {
		t.Errorf("until %q, want from %d to %d", until, before, after)
	}
	if _, err := c.Status(t.Context()); err != nil || until != "" {
		t.Errorf("a question says %q, %v", until, err)
	}
}

func TestAServiceThatIsStoppedWhileItIsAskedIsNotRunning(t *testing.T) {
	home := t.TempDir()
	ln, err := socket.Listen(home)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		conn, err := ln.Accept()
		_ = ln.Close()
		if err == nil {
			_, _ = conn.Read(make([]byte, 1))
			_ = conn.Close()
		}
	}()
	if _, err := connect(t, Options{Home: home}).Status(t.Context()); !errors.Is(err, ErrNotRunning) {
		t.Errorf("%v", err)
	}
}

func TestACallerThatLeavesIsNoFaultOfTheService(t *testing.T) {
	asked := make(chan bool)
	home := service(t, func(w http.ResponseWriter, r *http.Request) { close(asked); <-r.Context().Done() })
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-asked; cancel() }()
	if _, err := connect(t, Options{Home: home}).Status(ctx); !errors.Is(err, context.Canceled) || errors.Is(err, ErrHung) {
		t.Errorf("%v", err)
	}
}

func TestAnswersOfOtherReleasesAreNotGuessedAt(t *testing.T) {
	version := "2"
	home := service(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(api.HeaderVersion, version)
		_, _ = io.WriteString(w, "{}")
	})
	c := connect(t, Options{Home: home})
	for _, version = range []string{"2", ""} {
		if _, err := c.Status(t.Context()); !errors.Is(err, ErrVersion) || !strings.Contains(err.Error(), "dormouse stop") {
			t.Errorf("version %q: %v", version, err)
		}
		for _, err := range c.Events(t.Context()) {
			if !errors.Is(err, ErrVersion) {
				t.Errorf("events of version %q: %v", version, err)
			}
		}
		if err := c.Stop(t.Context()); err != nil {
			t.Errorf("a service of version %q cannot be stopped: %v", version, err)
		}
	}
}

func TestRefusalsKeepTheirCode(t *testing.T) {
	body, status := "", 0
	home := service(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status); _, _ = io.WriteString(w, body) })
	c := connect(t, Options{Home: home})
	for _, tt := range []struct {
		status        int
		body          string
		code, message string
	}{
		{404, `{"error":"no session x","code":"not_found"}`, api.CodeNotFound, "no session x"},
		{409, `{"error":"which?","code":"ambiguous","candidates":["a","b"]}`, api.CodeAmbiguous, "which?"},
		{502, "<html>", api.CodeInternal, "502 Bad Gateway"},
		{307, "", "", "EOF"}, // a redirect is not followed
	} {
		status, body = tt.status, tt.body
		_, err := c.Core(t.Context(), "p")
		var e *api.Error
		if err == nil || !strings.Contains(err.Error(), tt.message) || tt.code != "" && (!errors.As(err, &e) || e.Code != tt.code) {
			t.Errorf("%d %s: %v", tt.status, tt.body, err)
		}
		if tt.code == api.CodeAmbiguous && (e == nil || !reflect.DeepEqual(e.Candidates, []string{"a", "b"})) {
			t.Errorf("candidates are lost: %+v", e)
		}
	}
}

func TestAnAnswerThatIsNoJSONIsAnError(t *testing.T) {
	home := service(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "{") })
	if _, err := connect(t, Options{Home: home}).Status(t.Context()); err == nil || !strings.Contains(err.Error(), api.PathStatus) {
		t.Errorf("%v", err)
	}
}
