package daemon

import (
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"dormouse/service/api"
	"dormouse/service/pager"
	"dormouse/service/pager/replay"
)

// throughProxy sends a request as an agent does.
func throughProxy(t *testing.T, s *service, body string) {
	t.Helper()
	x, err := s.Proxy(t.Context(), "codex")
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, baseOf(x, "anthropic")+"/v1/messages", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
}

// refusedFor says whether an error is of the person's making, and names what is to be done.
func refusedFor(t *testing.T, err error, want string) {
	t.Helper()
	var e *api.Error
	if !errors.As(err, &e) || e.Code != api.CodeBadRequest || !strings.Contains(e.Message, want) {
		t.Errorf("%v, want %q", err, want)
	}
}

func TestWhatPassesIsRecordedWithoutSecrets(t *testing.T) {
	for _, paged := range []bool{false, true} {
		p, _ := proxyBed(t)
		p.Config.Proxy.Page = paged
		s := start(t, p)
		file := filepath.Join(t.TempDir(), "rec.jsonl")
		_, err := s.RecordProxy(t.Context(), file, 1<<20)
		refusedFor(t, err, "dormouse proxy on")
		if _, err := s.SwitchProxy(t.Context(), api.ProxyOn); err != nil {
			t.Fatal(err)
		}
		_, err = s.RecordProxy(t.Context(), "", 0)
		refusedFor(t, err, "nothing is being recorded")
		throughProxy(t, s, turns(1)) // before it begins
		if x, err := s.RecordProxy(t.Context(), file, 1<<20); err != nil || x.Recording == nil || !x.Recording.On {
			t.Fatalf("%+v %v", x.Recording, err)
		}
		_, err = s.RecordProxy(t.Context(), file+"2", 1<<20)
		refusedFor(t, err, "proxy record off")
		with := strings.Replace(turns(3), `"pattern":"n0"`, `"pattern":"`+planted+`"`, 1)
		for _, body := range []string{with, strings.Replace(turns(4), `"pattern":"n0"`, `"pattern":"`+planted+`"`, 1), `{"model":"claude-x-1","messages":[{"role":"user","content":"the token is ` + planted + `, keep it"}]}`,
			`{"model":"claude-x-1","messages":[{"role":"user","content":[{"type":"of another time"}]}]}`} {
			throughProxy(t, s, body)
		}
		x, err := s.RecordProxy(t.Context(), "", 0)
		if err != nil {
			t.Fatal(err)
		}
		r := x.Recording
		if r.On || r.Ended != "you ended it" || r.Requests != 3 || r.Messages != 10 || r.Redacted != 2 || r.Unread != 1 || r.Missed != 0 {
			t.Errorf("%+v", r)
		}
		raw, err := os.ReadFile(file)
		info, serr := os.Stat(file)
		if err != nil || serr != nil || strings.Contains(string(raw), planted[4:]) || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 || r.Bytes != int64(len(raw)) {
			t.Errorf("%v %v %v\n%s", err, serr, info.Mode(), raw)
		}
		tr, err := replay.Open(file)
		if err != nil || len(tr.Windows) != 2 || len(tr.Windows[0]) != 9 || len(tr.Windows[1]) != 1 {
			t.Fatalf("%+v %v", tr, err)
		}
		if b := tr.Windows[0][8].Blocks[0]; b.Kind != pager.Result || !strings.HasPrefix(b.Text, "found a word of the prompt in 3\n") {
			t.Errorf("the recording has what went out, not what came: %+v", b)
		}
		if res := replay.New(tr).None(); res.Requests != 4 {
			t.Errorf("%d requests are replayed", res.Requests)
		}
		_, err = s.RecordProxy(t.Context(), file, 1<<20)
		refusedFor(t, err, "left as it is")
		_, err = s.RecordProxy(t.Context(), filepath.Join(file, "x"), 1<<20)
		refusedFor(t, err, "a folder that is there")
	}
}

func TestARecordingEndsAtItsLimitAndWithTheService(t *testing.T) {
	p, _ := proxyBed(t)
	s := start(t, p)
	if _, err := s.SwitchProxy(t.Context(), api.ProxyOn); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "a")
	if _, err := s.RecordProxy(t.Context(), file, 1<<20); err != nil {
		t.Fatal(err)
	}
	throughProxy(t, s, turns(5))
	throughProxy(t, s, strings.Replace(turns(1), `"go"`, `"`+strings.Repeat("long ", 1<<18)+`"`, 1))
	until(t, s, "the limit", func(st api.Status) bool { return st.Proxy.Recording != nil && !st.Proxy.Recording.On })
	throughProxy(t, s, turns(6))
	x, err := s.Proxy(t.Context(), "")
	tr, terr := replay.Open(file)
	if err != nil || terr != nil || !strings.Contains(x.Recording.Ended, "limit") || x.Recording.Requests != 1 || len(tr.Windows[0]) != 11 {
		t.Errorf("%+v %v %v", x.Recording, err, terr)
	}
	file = filepath.Join(dir, "b")
	if _, err := s.RecordProxy(t.Context(), file, 1<<20); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Pause(t.Context(), api.Indefinitely); err != nil { // nothing is kept of what is said meanwhile
		t.Fatal(err)
	}
	throughProxy(t, s, turns(1))
	if _, err := s.RecordProxy(t.Context(), "", 0); err != nil {
		t.Fatal(err)
	}
	if tr, err := replay.Open(file); err != nil || len(tr.Windows[0]) != 0 {
		t.Errorf("recorded while capture is paused: %+v %v", tr, err)
	}
	if _, err := s.Pause(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(dir, "c")
	if _, err := s.RecordProxy(t.Context(), file, 1<<20); err != nil {
		t.Fatal(err)
	}
	throughProxy(t, s, turns(2))
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	if r := s.daemon.record.report(); r.On || r.Ended != "the service ended" {
		t.Errorf("%+v", r)
	}
	if tr, err := replay.Open(file); err != nil || len(tr.Windows[0]) != 5 {
		t.Errorf("%+v %v", tr, err)
	}
	again := start(t, p)
	if x, err := again.Proxy(t.Context(), ""); err != nil || x.Recording != nil {
		t.Errorf("%+v %v", x.Recording, err)
	}
}
