package localapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"dormouse/service/api"
	"dormouse/store/memory"
)

// ask sends one request as our clients do.
func ask(t *testing.T, b Backend, method, target string, body io.Reader) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(method, target, body)
	r.Host = api.Host
	w := httptest.NewRecorder()
	New(Options{Backend: b, Zone: time.FixedZone("east", 2*3600)}).Handler().ServeHTTP(w, r)
	if got := w.Header().Get(api.HeaderVersion); got != fmt.Sprint(api.Version) {
		t.Errorf("answer names version %q", got)
	}
	return w
}

func wantError(t *testing.T, w *httptest.ResponseRecorder, status int, code, text string) {
	t.Helper()
	var e api.Error
	if err := json.Unmarshal(w.Body.Bytes(), &e); err != nil {
		t.Fatalf("answer %q: %v", w.Body, err)
	}
	if w.Code != status || e.Code != code || !strings.Contains(e.Message, text) {
		t.Errorf("got %d %+v; want %d %s with %q", w.Code, e, status, code, text)
	}
}

func TestOnlyOurClientsAreAnswered(t *testing.T) {
	asked := false
	h := New(Options{Backend: Backend{
		Status: func(context.Context) (api.Status, error) { asked = true; return api.Status{}, nil },
		Stop:   func(context.Context) error { asked = true; return nil },
	}}).Handler()
	tests := map[string]func(*http.Request){
		"a page on a rebound host": func(r *http.Request) { r.Host = "evil.example" },
		"a page on this machine":   func(r *http.Request) { r.Host = "localhost:80" },
		"our host with a port":     func(r *http.Request) { r.Host = "dormouse:80" },
		"no host":                  func(r *http.Request) { r.Host = "" },
		"a page's fetch":           func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") },
		"a sandboxed page":         func(r *http.Request) { r.Header.Set("Origin", "null") },
		"an empty origin":          func(r *http.Request) { r.Header["Origin"] = []string{""} },
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			for method, path := range map[string]string{http.MethodGet: api.PathStatus, http.MethodPost: api.PathStop} {
				r := httptest.NewRequest(method, path, nil)
				r.Host = api.Host
				change(r)
				w := httptest.NewRecorder()
				h.ServeHTTP(w, r)
				wantError(t, w, http.StatusForbidden, api.CodeForbidden, "local API")
			}
		})
	}
	if asked {
		t.Error("a refused request reached the backend")
	}
}

// A service that hung is asked to pause, and its caller gives up: when it goes on, it must not pause after all.
func TestARequestThatWasGivenUpIsNotCarriedOut(t *testing.T) {
	now := time.Now()
	for _, tt := range []struct {
		until string
		code  string
	}{
		{"", ""},
		{strconv.FormatInt(now.Add(time.Hour).UnixMilli(), 10), ""},
		{strconv.FormatInt(now.Add(-time.Second).UnixMilli(), 10), api.CodeBusy},
		{"soon", api.CodeBadRequest},
	} {
		stopped := false
		h := New(Options{Backend: Backend{Stop: func(context.Context) error { stopped = true; return nil }}}).Handler()
		r := httptest.NewRequest(http.MethodPost, api.PathStop, nil)
		r.Host = api.Host
		if tt.until != "" {
			r.Header.Set(api.HeaderUntil, tt.until)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		var e api.Error
		_ = json.Unmarshal(w.Body.Bytes(), &e) // what is no error has no code
		if e.Code != tt.code || stopped != (tt.code == "") {
			t.Errorf("until %q: code %q, stopped %v", tt.until, e.Code, stopped)
		}
	}
}

func TestParametersReachTheBackendChecked(t *testing.T) {
	var got any
	b := Backend{
		Sessions: func(_ context.Context, q api.SessionQuery) ([]api.Session, error) { got = q; return nil, nil },
		Session: func(_ context.Context, q api.TranscriptQuery) (api.Transcript, error) {
			id, turn := q.ID, q.Turn
			got = fmt.Sprint(id, " all")
			if turn != nil {
				got = fmt.Sprint(id, " ", *turn)
			}
			return api.Transcript{}, nil
		},
		Timeline: func(_ context.Context, q api.TimelineQuery) (api.Timeline, error) {
			got = q
			return api.Timeline{}, nil
		},
		Graph:  func(_ context.Context, q api.GraphQuery) (api.Graph, error) { got = q; return api.Graph{}, nil },
		Search: func(_ context.Context, q api.SearchQuery) (api.Search, error) { got = q; return api.Search{}, nil },
		Core:   func(_ context.Context, p string) (api.Core, error) { got = p; return api.Core{}, nil },
		Days: func(_ context.Context, since, until int64) ([]api.Day, error) {
			got = []int64{since, until}
			return nil, nil
		},
		Locate: func(_ context.Context, what []string) (api.Located, error) { got = what; return api.Located{}, nil },
	}
	day := int64(1777586400) // 2026-05-01 00:00 in the zone of the test
	tests := map[string]any{
		"/v1/sessions": api.SessionQuery{},
		"/v1/sessions?project=p&agent=codex&limit=7":             api.SessionQuery{Project: "p", Agent: "codex", Limit: 7},
		"/v1/session?id=cc_1a":                                   "cc_1a all",
		"/v1/session?id=cc_1a&turn=0":                            "cc_1a 0",
		"/v1/session?id=cc_1a&turn=12":                           "cc_1a 12",
		"/v1/timeline":                                           api.TimelineQuery{Limit: defaultEvents},
		"/v1/timeline?kinds=work,decision&superseded=true":       api.TimelineQuery{Kinds: []memory.Kind{memory.KindWork, memory.KindDecision}, Superseded: true, Limit: defaultEvents},
		"/v1/days?since=2026-05-01&until=2026-05-02":             []int64{day, day + 2*86400},
		"/v1/timeline?since=2026-05-01&until=2026-05-01&limit=3": api.TimelineQuery{Since: day, Until: day + 86400, Limit: 3},
		"/v1/timeline?since=2026-05-01T00:00:00%2B02:00&entity=file.a/b.go&tag=x&project=p": api.TimelineQuery{Since: day, Entity: "file.a/b.go", Tag: "x", Project: "p", Limit: defaultEvents},
		fmt.Sprintf("/v1/timeline?until=%d", day):                                           api.TimelineQuery{Until: day, Limit: defaultEvents},
		"/v1/graph?entity=project.x":                                                        api.GraphQuery{Entity: "project.x", Hops: 1},
		"/v1/graph?entity=project.x&hops=5&project=p":                                       api.GraphQuery{Entity: "project.x", Hops: 5, Project: "p"},
		"/v1/search?q=" + url.QueryEscape(`"C++" 你好 foo.bar`) + "&kinds=turn,event&limit=9": api.SearchQuery{Words: `"C++" 你好 foo.bar`, Kinds: []string{"turn", "event"}, Limit: 9},
		"/v1/search?q=x&project=p&for=codex":                                                api.SearchQuery{Words: "x", Project: "p", For: "codex", Limit: defaultHits},
		"/v1/timeline?for=codex":                                                            api.TimelineQuery{For: "codex", Limit: defaultEvents},
		"/v1/graph?entity=x&for=codex":                                                      api.GraphQuery{Entity: "x", Hops: 1, For: "codex"},
		"/v1/locate?what=%2Fa%0A%20b%20%0A%0A":                                              []string{"/a", "b"},
		"/v1/core":                                                                          "",
		"/v1/core?project=p":                                                                "p",
	}
	for target, want := range tests {
		got = nil
		w := ask(t, b, http.MethodGet, target, nil)
		if w.Code != http.StatusOK || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %d, asked for %+v, want %+v (%s)", target, w.Code, got, want, w.Body)
		}
	}
}

func TestWhatAClientEncodesIsReadBack(t *testing.T) {
	var got []any
	b := Backend{
		Sessions: func(_ context.Context, q api.SessionQuery) ([]api.Session, error) {
			got = append(got, q)
			return nil, nil
		},
		Timeline: func(_ context.Context, q api.TimelineQuery) (api.Timeline, error) {
			got = append(got, q)
			return api.Timeline{}, nil
		},
		Graph: func(_ context.Context, q api.GraphQuery) (api.Graph, error) {
			got = append(got, q)
			return api.Graph{}, nil
		},
		Search: func(_ context.Context, q api.SearchQuery) (api.Search, error) {
			got = append(got, q)
			return api.Search{}, nil
		},
	}
	sq := api.SessionQuery{Project: "a & b", Agent: "codex", Limit: 3}
	tq := api.TimelineQuery{Since: 5, Until: 9, Entity: "file.a b/ü.go", Project: "p", Limit: 4}
	gq := api.GraphQuery{Entity: "file.a?b#c", Hops: 2, Project: "p"}
	wq := api.SearchQuery{Words: `100% "sure"?`, Project: "p", Kinds: []string{"event"}, Limit: 6}
	for path, v := range map[string]url.Values{api.PathSessions: sq.Values(), api.PathTimeline: tq.Values(), api.PathGraph: gq.Values(), api.PathSearch: wq.Values()} {
		got = nil
		w := ask(t, b, http.MethodGet, path+"?"+v.Encode(), nil)
		want := map[string]any{api.PathSessions: sq, api.PathTimeline: tq, api.PathGraph: gq, api.PathSearch: wq}[path]
		if len(got) != 1 || !reflect.DeepEqual(got[0], want) {
			t.Errorf("%s: %d, %+v, want %+v", path, w.Code, got, want)
		}
	}
}

func TestBadParametersAreRefusedWithTheReason(t *testing.T) {
	b := Backend{
		Sessions: func(context.Context, api.SessionQuery) ([]api.Session, error) { t.Error("asked"); return nil, nil },
		Session: func(context.Context, api.TranscriptQuery) (api.Transcript, error) {
			t.Error("asked")
			return api.Transcript{}, nil
		},
		Timeline: func(context.Context, api.TimelineQuery) (api.Timeline, error) {
			t.Error("asked")
			return api.Timeline{}, nil
		},
		Graph:  func(context.Context, api.GraphQuery) (api.Graph, error) { t.Error("asked"); return api.Graph{}, nil },
		Search: func(context.Context, api.SearchQuery) (api.Search, error) { t.Error("asked"); return api.Search{}, nil },
	}
	for target, reason := range map[string]string{
		"/v1/sessions?limit=-1":                                  "limit has to be",
		"/v1/sessions?limit=many":                                "limit has to be",
		"/v1/sessions?limit=99999999999999999999":                "limit has to be",
		"/v1/sessions?projct=x":                                  `"projct" is not known here (known: project, agent, limit, deleted)`,
		"/v1/sessions?agent=a&agent=b":                           "agent is given 2 times",
		"/v1/sessions?project=%ff":                               "not valid UTF-8",
		"/v1/sessions?project=a%00b":                             "not valid UTF-8",
		"/v1/sessions?project=%zz":                               "cannot be read",
		"/v1/sessions?project=" + strings.Repeat("x", maxText+1): "longer than",
		"/v1/session":                                            "id is needed",
		"/v1/session?id=x&turn=-1":                               "turn has to be",
		"/v1/timeline?limit=0":                                   "limit has to be",
		"/v1/timeline?since=yesterday":                           "since has to be",
		"/v1/timeline?since=-5":                                  "since has to be",
		"/v1/timeline?until=2026-13-01":                          "until has to be",
		"/v1/timeline?since=2026-05-02&until=2026-05-01":         "since has to be before until",
		"/v1/graph":                       "entity is needed",
		"/v1/graph?entity=x&hops=6":       "hops has to be",
		"/v1/search?q=%20":                "q is needed",
		"/v1/search?q=x&kinds=event,page": "kinds has to be",
		"/v1/status?verbose=1":            "not known here",
	} {
		wantError(t, ask(t, b, http.MethodGet, target, nil), http.StatusBadRequest, api.CodeBadRequest, reason)
	}
}

func TestWrongPathsAndMethodsAreRefused(t *testing.T) {
	wantError(t, ask(t, Backend{}, http.MethodGet, "/v2/status", nil), http.StatusNotFound, api.CodeNotFound, "/v2/status")
	wantError(t, ask(t, Backend{}, http.MethodGet, "/"+strings.Repeat("x", 300), nil), http.StatusNotFound, api.CodeNotFound, "…")
	w := ask(t, Backend{}, http.MethodPost, api.PathStatus, nil)
	wantError(t, w, http.StatusMethodNotAllowed, api.CodeBadRequest, "takes GET")
	if w.Header().Get("Allow") != http.MethodGet {
		t.Error("no Allow header")
	}
	for _, p := range []string{api.PathSleep, api.PathStop, api.PathHook} {
		wantError(t, ask(t, Backend{}, http.MethodGet, p, nil), http.StatusMethodNotAllowed, api.CodeBadRequest, "takes POST")
	}
}

func TestAPartThatIsNotOfferedIsNotFound(t *testing.T) {
	for _, target := range []string{api.PathStatus, api.PathSessions, api.PathSession + "?id=x", api.PathProjects, api.PathTimeline,
		api.PathGraph + "?entity=x", api.PathSearch + "?q=x", api.PathCore, api.PathEvents} {
		wantError(t, ask(t, Backend{}, http.MethodGet, target, nil), http.StatusNotFound, api.CodeNotFound, "does not offer")
	}
	for _, p := range []string{api.PathSleep, api.PathStop, api.PathHook} {
		wantError(t, ask(t, Backend{}, http.MethodPost, p, strings.NewReader("{}")), http.StatusNotFound, api.CodeNotFound, "does not offer")
	}
}

func TestErrorsKeepTheirCodeAndWords(t *testing.T) {
	tests := []struct {
		err    error
		status int
		code   string
		text   string
	}{
		{fmt.Errorf("open: %w", &api.Error{Code: api.CodeNotFound, Message: "no session x"}), 404, api.CodeNotFound, "open: no session x"},
		{&api.Error{Code: api.CodeAmbiguous, Message: "which?", Candidates: []string{"a", "b"}}, 409, api.CodeAmbiguous, "which?"},
		{&api.Error{Code: api.CodeBusy, Message: "asleep"}, 503, api.CodeBusy, "asleep"},
		{&api.Error{Code: "newer", Message: "m"}, 500, "newer", "m"},
		{fmt.Errorf("read: %w", context.DeadlineExceeded), 503, api.CodeBusy, "too busy"},
		{errors.New("disk <full>"), 500, api.CodeInternal, "disk <full>"},
	}
	for _, tt := range tests {
		b := Backend{Projects: func(context.Context) ([]api.Project, error) { return nil, tt.err }}
		w := ask(t, b, http.MethodGet, api.PathProjects, nil)
		wantError(t, w, tt.status, tt.code, tt.text)
		if tt.code == api.CodeAmbiguous && !strings.Contains(w.Body.String(), `"candidates":["a","b"]`) {
			t.Errorf("candidates are lost: %s", w.Body)
		}
	}
}

func TestAPanicEndsOneRequestOnly(t *testing.T) {
	var log bytes.Buffer
	s := New(Options{Log: slog.New(slog.NewTextHandler(&log, nil)), Backend: Backend{
		Projects: func(context.Context) ([]api.Project, error) { panic("bug") }}})
	r := httptest.NewRequest(http.MethodGet, api.PathProjects, nil)
	r.Host = api.Host
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	wantError(t, w, 500, api.CodeInternal, "its log says where")
	if !strings.Contains(log.String(), "panic=bug") || !strings.Contains(log.String(), "handler_test.go") {
		t.Errorf("log: %s", log.String())
	}
}

func TestAnswersAreJSONWithoutHTMLEscapesAndWithoutNulls(t *testing.T) {
	b := Backend{
		Sessions: func(context.Context, api.SessionQuery) ([]api.Session, error) {
			return []api.Session{{Session: memory.Session{Title: "a < b && c"}}}, nil
		},
		Projects: func(context.Context) ([]api.Project, error) { return nil, nil },
		Timeline: func(context.Context, api.TimelineQuery) (api.Timeline, error) { return api.Timeline{}, nil },
	}
	w := ask(t, b, http.MethodGet, api.PathSessions, nil)
	if !strings.Contains(w.Body.String(), `"title":"a < b && c"`) || w.Header().Get("Content-Type") != "application/json" {
		t.Errorf("%v %s", w.Header(), w.Body)
	}
	if got := ask(t, b, http.MethodGet, api.PathProjects, nil).Body.String(); got != "[]\n" {
		t.Errorf("no projects: %q", got)
	}
	if got := ask(t, b, http.MethodGet, api.PathTimeline, nil).Body.String(); got != `{"events":[],"total":0}`+"\n" {
		t.Errorf("no events: %q", got)
	}
}

func TestHookReportsArriveWholeOrNotAtAll(t *testing.T) {
	var got []api.Hook
	b := Backend{Hook: func(_ context.Context, h api.Hook) ([]byte, error) { got = append(got, h); return []byte(h.Agent), nil }}
	w := ask(t, b, http.MethodPost, api.PathHook, strings.NewReader(`{"event":"Stop","payload":{"a":1}}`))
	if w.Code != http.StatusNoContent || len(got) != 1 || got[0].Event != "Stop" || string(got[0].Payload) != `{"a":1}` {
		t.Errorf("%d %s %+v", w.Code, w.Body, got)
	}
	b.Hook = func(context.Context, api.Hook) ([]byte, error) { return []byte(`{"text":"a < b ═"}`), nil }
	if w := ask(t, b, http.MethodPost, api.PathHook, strings.NewReader(`{"inject":true}`)); w.Code != http.StatusOK || w.Body.String() != "{\"text\":\"a < b ═\"}\n" ||
		w.Header().Get("Content-Length") != strconv.Itoa(w.Body.Len()) {
		t.Errorf("what is told is answered as %d %q %v", w.Code, w.Body, w.Header())
	}
	b.Hook = func(_ context.Context, h api.Hook) ([]byte, error) { got = append(got, h); return nil, nil }
	wantError(t, ask(t, b, http.MethodPost, api.PathHook, strings.NewReader("{")), 400, api.CodeBadRequest, "not JSON")
	long := `{"event":"` + strings.Repeat("x", maxHookBytes) + `"}`
	wantError(t, ask(t, b, http.MethodPost, api.PathHook, strings.NewReader(long)), 400, api.CodeBadRequest, "at most")
	if len(got) != 1 {
		t.Errorf("the backend got %d reports", len(got))
	}
}
