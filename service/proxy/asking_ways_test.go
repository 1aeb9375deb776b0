package proxy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/tidwall/gjson"
)

// keeper keeps what a proxy has kept, as JSON.
type keeper struct {
	mu   sync.Mutex
	kept map[string]string
}

func (k *keeper) into(o *Options) {
	o.Keep = func(name string, t *KeptTalk) {
		k.mu.Lock()
		defer k.mu.Unlock()
		if k.kept == nil {
			k.kept = map[string]string{}
		}
		if t == nil {
			delete(k.kept, name)
			return
		}
		k.kept[name] = string(encoded(t))
	}
}

func (k *keeper) from(t *testing.T) func(*Options) {
	k.mu.Lock()
	defer k.mu.Unlock()
	var list []KeptTalk
	for _, s := range k.kept {
		var x KeptTalk
		if err := json.Unmarshal([]byte(s), &x); err != nil {
			t.Fatal(err)
		}
		list = append(list, x)
	}
	return func(o *Options) { o.Kept = list }
}

// A service that is started anew between any two requests goes on as if it had not been.
func TestARestartBetweenAnyTwoRequestsIsNotSeen(t *testing.T) {
	for _, f := range fourForms {
		for at := 1; at < len(steps); at++ {
			k := &keeper{}
			b, s, _ := askingBed(t, f.form, k.into)
			l := newLibrary(b, f.form, true)
			l.user("go")
			for i, st := range steps {
				if i == at {
					b.metered(s.n)
					again, s2, _ := askingBed(t, f.form, k.into, k.from(t))
					s2.flat, s2.tools, s2.n = s.flat, s.tools, s.n
					s, b = s2, again
					l = moved(l, again)
				}
				s.will(st.rounds...)
				g, err := l.ask(t.Context())
				if err != nil {
					t.Fatalf("%s: restarted before %d, at %s: %v", f.name, at, st.name, err)
				}
				if len(g.calls) > 0 {
					l.results(g.calls, "r")
				} else {
					l.user("on")
				}
			}
		}
	}
}

// moved is a client that asks another proxy from now on.
func moved(l library, b *bed) library {
	switch l := l.(type) {
	case *messagesLibrary:
		l.c = anthropicClient(b)
	case *chatLibrary:
		l.c = openaiClient(b)
	case *responsesLibrary:
		l.c = openaiClient(b)
	case *geminiLibrary:
		l.url = b.url
	}
	return l
}

// A client that asks the same again gets an answer, and its conversation goes on from the one that it took.
func TestARetryAndTwoClientsAreTwoAnswers(t *testing.T) {
	for _, f := range fourForms {
		b, s, _ := askingBed(t, f.form)
		one, two := newLibrary(b, f.form, true), newLibrary(b, f.form, true)
		one.user("go")
		two.user("go")
		var flats [2][]string
		for i, l := range []library{one, two} {
			s.free = true
			s.will([]says{says1(fmt.Sprint("Answer ", i)), asks(fmt.Sprint("port ", i))}, []says{says1("!")})
			if _, err := l.ask(t.Context()); err != nil {
				t.Fatal(f.name, err)
			}
			flats[i] = s.flat
		}
		for i, l := range []library{two, one} {
			s.flat, s.free = flats[1-i], false
			l.user("and now?")
			s.will([]says{asks("port again")}, []says{says1("so")})
			if _, err := l.ask(t.Context()); err != nil {
				t.Fatal(f.name, err)
			}
		}
		if st := b.proxy.Stats(); st.Tools.Queries != 4 || st.Tools.Rounds != 4 {
			t.Errorf("%+v", st.Tools)
		}
	}
}

func TestAModelThatAsksAgainAndAgainIsEnded(t *testing.T) {
	eachWay(t, func(t *testing.T, f form, stream bool, piece int) {
		b, s, _ := askingBed(t, f)
		s.piece = piece
		l := newLibrary(b, f, stream)
		l.user("go")
		for i := range maxRounds + 1 {
			s.will([]says{asks(fmt.Sprint("port ", i))})
		}
		g, err := l.ask(t.Context())
		if err != nil || !reflect.DeepEqual(g.parts, []string{"text " + enough}) || g.stop == "tool_use" || g.stop == "tool_calls" || g.out != 7*(maxRounds+1) {
			t.Fatalf("%+v %v", g, err)
		}
		l.user("go on")
		s.flat = s.flat[:len(s.flat)-1] // the last question was not answered, and is not put back
		s.flat = append(s.flat, "assistant says "+enough)
		s.will([]says{says1("fine")})
		if g, err = l.ask(t.Context()); err != nil || !slices.Equal(g.parts, []string{"text fine"}) {
			t.Fatalf("%+v %v", g, err)
		}
		if st := b.proxy.Stats(); st.Tools.Rounds != maxRounds || st.Tools.Queries != maxRounds {
			t.Errorf("%+v", st.Tools)
		}
	})
}

// What goes wrong after the model asked is told as the provider told it, and asking anew works.
func TestWhatGoesWrongAfterAQuestionIsTold(t *testing.T) {
	tell := func(status int, kind, message string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(status)
			_, _ = fmt.Fprintf(w, `{"type":"error","error":{"type":%q,"message":%q}}`, kind, message)
		}
	}
	broken := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: {\"ty")
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	for _, c := range []struct {
		name   string
		answer http.HandlerFunc
		want   string // of a stream
		status int    // of a document; 0 where it is not tried
	}{
		{"too many", tell(429, "rate_limit_error", "slow down"), "slow down", 429},
		{"overloaded", tell(529, "overloaded_error", "too busy"), "too busy", 529},
		{"refused", tell(400, "invalid_request_error", "not like that"), "not like that", 400},
		{"no JSON", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) }, "answered 503", 503},
		{"broken", broken, "broke in the middle", 0},
		{"cut off", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "broke in the middle", 502},
	} {
		eachWay(t, func(t *testing.T, f form, stream bool, _ int) {
			if !stream && c.status == 0 {
				return
			}
			b, s, _ := askingBed(t, f)
			s.trouble = []http.HandlerFunc{nil, c.answer}
			l := newLibrary(b, f, stream)
			l.user("go")
			s.will([]says{says1("Wait. "), asks("which port?")})
			_, err := l.ask(t.Context())
			if err == nil || stream && !strings.Contains(err.Error(), c.want) || !stream && !strings.Contains(err.Error(), fmt.Sprint(c.status)) {
				t.Fatalf("%s: %v", c.name, err)
			}
			s.mu.Lock()
			s.free = true // the first round was lost with all that followed
			s.mu.Unlock()
			s.will([]says{asks("which port?")}, []says{says1("8443")})
			if g, err := l.ask(t.Context()); err != nil || !slices.Equal(g.parts, []string{"text 8443"}) {
				t.Fatalf("%s: asked anew: %+v %v", c.name, g, err)
			}
			l.user("well")
			s.will([]says{says1("so")})
			if _, err := l.ask(t.Context()); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
		})
	}
}

// A client that leaves while the memory is asked, or after it, has the provider left.
func TestAClientThatLeavesLeavesTheQuestion(t *testing.T) {
	left := make(chan struct{})
	begun := make(chan struct{})
	b, s, _ := askingBed(t, messages)
	s.trouble = []http.HandlerFunc{nil, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.(http.Flusher).Flush()
		close(begun)
		<-left
	}}
	s.will([]says{says1("x"), asks("port")})
	resp := b.ask("POST", "anthropic/v1/messages", string(newToolAgent("go").request()), nil)
	<-begun
	_ = resp.Body.Close()
	for range 1000 { // the proxy ends the request at the provider, whose handler is told when it writes
		if b.proxy.Stats().Tools.Rounds == 1 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	close(left)
	if st := b.proxy.Stats(); st.Tools.Rounds != 1 || st.Broken != 0 {
		t.Errorf("%+v", st)
	}
}

// newToolAgent is an agent that offers a tool, and asks for streams.
func newToolAgent(prompt string) *toolAgent { return &toolAgent{agent: *newAgent(prompt)} }

type toolAgent struct{ agent }

func (a *toolAgent) request() []byte {
	body := bytes.Replace(a.agent.request(), []byte(`"stream":false`), []byte(`"stream":true`), 1)
	return append(bytes.TrimSuffix(body, []byte("}")), []byte(`,"tools":[{"name":"Read","input_schema":{"type":"object"},"cache_control":{"type":"ephemeral"}}]}`)...)
}

func TestWhereToolsAreNotOffered(t *testing.T) {
	const read = `{"name":"Read","input_schema":{"type":"object"}}`
	request := func(more string, said string) string {
		return `{"model":"claude-x-1","max_tokens":10,"messages":[{"role":"user","content":"go"}` + said + `]` + more + `}`
	}
	const chatRead = `{"type":"function","function":{"name":"read"}}`
	for _, c := range []struct {
		name, path, body string
		want             unfit // "" where they are offered
	}{
		{"plain", "anthropic/v1/messages", request(`,"tools":[`+read+`]`, ""), ""},
		{"auto", "anthropic/v1/messages", request(`,"tools":[`+read+`],"tool_choice":{"type":"auto","disable_parallel_tool_use":true}`, ""), ""},
		{"a tool of Anthropic's that the client runs", "anthropic/v1/messages", request(`,"tools":[{"type":"bash_20250124","name":"bash"}]`, ""), ""},
		{"no tools", "anthropic/v1/messages", request(``, ""), unfitNone},
		{"an empty list", "anthropic/v1/messages", request(`,"tools":[]`, ""), unfitNone},
		{"a name that is taken", "anthropic/v1/messages", request(`,"tools":[`+read+`,{"name":"memory_restore","input_schema":{"type":"object"}}]`, ""), unfitName},
		{"a search of the provider's", "anthropic/v1/messages", request(`,"tools":[`+read+`,{"type":"web_search_20250305","name":"web_search"}]`, ""), unfitServer},
		{"servers of tools", "anthropic/v1/messages", request(`,"tools":[`+read+`],"mcp_servers":[]`, ""), unfitServer},
		{"any", "anthropic/v1/messages", request(`,"tools":[`+read+`],"tool_choice":{"type":"any"}`, ""), unfitChoice},
		{"one", "anthropic/v1/messages", request(`,"tools":[`+read+`],"tool_choice":{"type":"tool","name":"Read"}`, ""), unfitChoice},
		{"none", "anthropic/v1/messages", request(`,"tools":[`+read+`],"tool_choice":{"type":"none"}`, ""), unfitChoice},
		{"under way", "anthropic/v1/messages", request(`,"tools":[`+read+`]`, `,{"role":"assistant","content":"a"},{"role":"user","content":"b"}`), unfitJoined},
		{"chat", "openai/v1/chat/completions", request(`,"tools":[`+chatRead+`],"tool_choice":"auto"`, ""), ""},
		{"chat, required", "openai/v1/chat/completions", request(`,"tools":[`+chatRead+`],"tool_choice":"required"`, ""), unfitChoice},
		{"chat, one", "openai/v1/chat/completions", request(`,"tools":[`+chatRead+`],"tool_choice":{"type":"function","function":{"name":"read"}}`, ""), unfitChoice},
		{"chat, two answers", "openai/v1/chat/completions", request(`,"tools":[`+chatRead+`],"n":2`, ""), unfitMany},
		{"chat, a name that is taken", "openai/v1/chat/completions", request(`,"tools":[{"type":"function","function":{"name":"memory_query"}}]`, ""), unfitName},
		{"chat, a custom tool", "openai/v1/chat/completions", request(`,"tools":[{"type":"custom","custom":{"name":"x"}}]`, ""), unfitServer},
		{"responses", "openai/v1/responses", `{"model":"m","input":"go","tools":[{"type":"function","name":"read"},{"type":"custom","name":"apply_patch"},{"type":"web_search"}]}`, ""},
		{"responses, files of the provider's", "openai/v1/responses", `{"model":"m","input":"go","tools":[{"type":"file_search"}]}`, unfitServer},
		{"responses, in the background", "openai/v1/responses", `{"model":"m","input":"go","background":true,"tools":[{"type":"function","name":"read"}]}`, unfitMany},
	} {
		b := newBed(t, answer("{}"), func(o *Options) { o.Tools = func() bool { return true } })
		b.post(c.path, c.body)
		got := string(b.last().body)
		st := b.proxy.Stats()
		if c.want != "" {
			if got != c.body || st.Offered != 0 || st.Unoffered[string(c.want)] != 1 {
				t.Errorf("%s: %s %+v", c.name, got, st)
			}
			continue
		}
		names := gjson.Get(got, "tools.#").Int()
		if names != gjson.Get(c.body, "tools.#").Int()+3 || st.Offered != 1 || len(st.Unoffered) != 0 {
			t.Errorf("%s: %d tools, %+v", c.name, names, st)
		}
		f := formOf("POST", "/"+c.path)
		if rest := strings.Replace(got, ","+string(toolBytes[f]), "", 1); rest != c.body {
			t.Errorf("%s: more changed than the tools: %s", c.name, got)
		}
	}
}

// A conversation keeps its tools whatever is chosen later, and passes untouched where its list of tools is gone.
func TestAConversationKeepsItsTools(t *testing.T) {
	b, s, _ := askingBed(t, messages)
	l := newLibrary(b, messages, true).(*messagesLibrary)
	l.user("go")
	s.will([]says{asks("port")}, []says{says1("so")})
	if _, err := l.ask(t.Context()); err != nil {
		t.Fatal(err)
	}
	l.user("and?")
	tools := l.p.Tools
	l.p.Tools = nil
	s.free, s.tools = true, ""
	s.will([]says{says1("without tools")})
	if _, err := l.ask(t.Context()); err != nil || bytes.Contains(b.last().body, []byte("memory_query")) {
		t.Fatalf("%v %s", err, b.last().body)
	}
	if st := b.proxy.Stats(); st.Untouched[string(doubtTools)] != 1 {
		t.Errorf("%+v", st)
	}
	l.p.Tools, s.tools, s.free = tools, "", true
	l.user("again")
	s.will([]says{says1("with tools")})
	if _, err := l.ask(t.Context()); err != nil || !bytes.Contains(b.last().body, []byte("Memory Query Result")) {
		t.Fatalf("%v %s", err, b.last().body)
	}
}

// A provider that does not take the tools, or answers in a way that cannot be read, gets the request as it came.
func TestAProviderThatDoesNotTakeTheToolsGetsTheRequestAsItCame(t *testing.T) {
	for name, odd := range map[string]http.HandlerFunc{
		"refused": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnprocessableEntity) },
		"compressed": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Encoding", "br")
			_, _ = io.WriteString(w, "\x01\x02")
		},
		"another type": func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "application/x-frames") },
	} {
		var b *bed
		b = newBed(t, func(w http.ResponseWriter, r *http.Request) {
			if bytes.Contains(b.last().body, []byte("memory_query")) {
				odd(w, r)
				return
			}
			answer(`{"id":"msg_1","content":[],"usage":{"input_tokens":1,"output_tokens":1}}`)(w, r)
		}, func(o *Options) { o.Tools = func() bool { return true } })
		a := newToolAgent("go")
		for i := range 3 {
			req := a.request()
			if status, got := b.post("anthropic/v1/messages", string(req)); status != 200 || !strings.Contains(got, "msg_1") || !bytes.Equal(b.last().body, req) {
				t.Errorf("%s: %d %s", name, status, got)
			}
			a.work(i)
		}
		if st := b.proxy.Stats(); st.SentAnew != 1 || len(b.asked) != 4 {
			t.Errorf("%s: %+v, asked %d times", name, st, len(b.asked))
		}
	}
}

// Wherever the bytes of a stream are parted, the client sees the same.
func TestStreamsMayBePartedAnywhere(t *testing.T) {
	for _, f := range fourForms {
		s := &script{form: f.form, piece: 3, n: 1}
		text := s.stream([]says{thinks("hm"), says1("Wait. "), {kind: "call", id: "c1", name: "Read", args: `{"a":"ü"}`}, {kind: "call", id: "c2", name: toolQuery, args: `{"question":"port"}`}, says1("So.")})
		var first string
		for at := 0; at <= len(text); at++ {
			got := interceptedStream(t, f.form, io.MultiReader(strings.NewReader(text[:at]), strings.NewReader(text[at:])))
			if first == "" {
				first = got
			}
			if got != first || strings.Contains(got, "memory_") || strings.Contains(got, "c2") {
				t.Fatalf("%s, parted at %d: %s", f.name, at, got)
			}
		}
		if got := interceptedStream(t, f.form, iotest.OneByteReader(strings.NewReader(text))); got != first {
			t.Fatalf("%s, byte by byte: %s", f.name, got)
		}
	}
}

// interceptedStream is what a client is shown of a provider's stream.
func interceptedStream(t testing.TB, f form, src io.Reader) string {
	p, err := New(Options{Upstreams: map[string]string{"x": "http://127.0.0.1:1"}, Tools: func() bool { return true }})
	if err != nil {
		t.Fatal(err)
	}
	doc := []byte(`{"model":"m","messages":[{"role":"user","content":"go"}],"input":"go","tools":[{"type":"function","name":"Read","function":{"name":"Read"}}]}`)
	switch f {
	case messages:
		doc = []byte(`{"model":"m","messages":[{"role":"user","content":"go"}],"tools":[{"name":"Read"}]}`)
	case generate:
		doc = []byte(`{"contents":[{"role":"user","parts":[{"text":"go"}]}],"tools":[{"functionDeclarations":[{"name":"Read"}]}]}`)
	}
	out := p.paging.page(f, "x", doc)
	if !out.tools {
		t.Fatal("the tools are not offered")
	}
	at := &route{form: f, to: p.upstreams["x"], call: &call{form: f}, talk: out.talk, asks: &asking{sent: out.body, own: out.own, said: 1}}
	r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1:1", nil)
	resp := &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(src), Request: r, ContentLength: -1}
	if err := p.hear(resp, at); err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(got)
}

// Whatever a provider sends, nothing makes the proxy fail, and no call of the memory's tools is seen where the events are the provider's.
func FuzzAsking(f *testing.F) {
	for i, x := range fourForms {
		s := &script{form: x.form, piece: 4, n: 1}
		f.Add(uint8(i), s.stream([]says{says1("a"), {kind: "call", id: "c1", name: "Read", args: "{}"}, {kind: "call", id: "c2", name: toolQuery, args: `{"question":"port"}`}}), uint16(90))
		f.Add(uint8(i), s.stream([]says{{kind: "call", id: "c2", name: toolRestore, args: `{"handle":"x"}`}}), uint16(9))
	}
	f.Fuzz(func(t *testing.T, i uint8, text string, at uint16) {
		n := min(int(at), len(text))
		form := fourForms[int(i)%4].form
		got := interceptedStream(t, form, io.MultiReader(strings.NewReader(text[:n]), strings.NewReader(text[n:])))
		if got != interceptedStream(t, form, strings.NewReader(text)) {
			t.Error("it depends on where the stream is parted")
		}
	})
}
