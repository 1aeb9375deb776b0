package embed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// script is an endpoint that answers as it is told, and keeps what it was asked.
type script struct {
	*httptest.Server
	mu      sync.Mutex
	answers []answer // the last one goes on
	texts   []string
	heads   []http.Header
	paths   []string
	now     time.Time
	pauses  []time.Duration
}

type answer struct {
	status int
	body   string // {} stands for the vector
	hang   bool
}

func vectors(body string) answer { return answer{200, body, false} }

const (
	asOpenAI = `{"data":[{"embedding":[3,0,4]}]}`
	asOllama = `{"embedding":[3,0,4]}`
)

func newScript(t *testing.T, answers ...answer) *script {
	s := &script{answers: answers, now: time.Unix(1e9, 0)}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s
}

func (s *script) serve(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Input, Prompt string
		Texts         []string
		Instances     []struct{ Content string }
	}
	err := json.NewDecoder(r.Body).Decode(&body)
	text := body.Input + body.Prompt + strings.Join(body.Texts, "")
	for _, i := range body.Instances {
		text += i.Content
	}
	s.mu.Lock()
	s.texts, s.heads, s.paths = append(s.texts, text), append(s.heads, r.Header), append(s.paths, r.URL.String())
	a := s.answers[0]
	if len(s.answers) > 1 {
		s.answers = s.answers[1:]
	}
	s.mu.Unlock()
	if err != nil {
		a = answer{status: 418}
	}
	if a.hang {
		<-r.Context().Done()
		return
	}
	w.WriteHeader(a.status)
	fmt.Fprint(w, a.body) //nolint:errcheck // the test sees what is missing
}

func (s *script) asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.texts)
}

// settings ask the script as an endpoint that speaks as OpenAI's, of which the vectors have 3 numbers.
func (s *script) settings() Settings {
	return Settings{Provider: Compatible, Model: "m", BaseURL: s.URL + "/v1", Dims: 3, Parallel: 1,
		Now: func() time.Time { return s.now },
		Wait: func(_ context.Context, d time.Duration) error {
			s.pauses = append(s.pauses, d)
			return nil
		}}
}

func open(t *testing.T, s Settings) Model {
	t.Helper()
	m, err := Remote(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestAnEndpointIsAskedForEachTextOnce(t *testing.T) {
	s := newScript(t, vectors(asOpenAI))
	set := s.settings()
	set.Dims, set.Parallel = 0, 4
	set.Key = func() (string, error) { return "secret-key", nil }
	m := open(t, set)
	if m.Dims != 3 || m.Name != "openai-compatible/m" || !m.Remote || len(s.asked()) != 1 {
		t.Fatalf("%+v after %d calls", m, len(s.asked()))
	}
	got, err := m.Embed(context.Background(), []string{"one", "two", " one\n", "", "  "})
	if err != nil || len(got) != 5 {
		t.Fatalf("%v, %v", got, err)
	}
	for i, v := range got {
		want := []float32{.6, 0, .8}
		if i > 2 {
			want = []float32{0, 0, 0}
		}
		if !slices.Equal(v, want) {
			t.Errorf("text %d: %v", i, v)
		}
	}
	sent := s.asked()[1:]
	slices.Sort(sent)
	if !slices.Equal(sent, []string{"one", "two"}) {
		t.Errorf("sent %q", sent)
	}
	for i, h := range s.heads {
		if h.Get("Authorization") != "Bearer secret-key" || s.paths[i] != "/v1/embeddings" {
			t.Errorf("%s with %v", s.paths[i], h)
		}
	}
}

func TestEachProviderIsAskedInItsOwnWay(t *testing.T) {
	for provider, c := range map[string]struct{ body, path, text string }{
		Ollama: {asOllama, "/api/embeddings", "x"}, OpenAI: {asOpenAI, "/embeddings", "x"}, Compatible: {asOpenAI, "/embeddings", "x"},
		Azure: {asOpenAI, "/embeddings?api-version=2024-02-01", "x"}, Jina: {asOpenAI, "/embeddings", "x"}, LocalAI: {asOpenAI, "/embeddings", "x"},
		Mistral: {asOpenAI, "/embeddings", "x"}, Mixedbread: {asOpenAI, "/embeddings", "x"},
		Vertex: {`{"predictions":[{"embeddings":{"values":[3,0,4]}}]}`, "/projects/p/locations/us-central1/publishers/google/models/m:predict", "x"},
	} {
		s := newScript(t, vectors(c.body))
		set := s.settings()
		set.Provider, set.BaseURL, set.Project = provider, s.URL+"/", "p"
		got, err := open(t, set).Query(context.Background(), []string{"x"})
		if err != nil || !slices.Equal(got[0], []float32{.6, 0, .8}) || s.paths[0] != c.path || s.asked()[0] != c.text {
			t.Errorf("%s: %v, %v, %q at %q", provider, got, err, s.asked(), s.paths)
		}
	}
}

// elsewhere sends what is meant for any host to one.
type elsewhere struct{ url *url.URL }

func (e elsewhere) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host = e.url.Scheme, e.url.Host
	return (&http.Transport{DisableKeepAlives: true}).RoundTrip(r)
}

// TestProvidersAtAFixedAddress asks them at a server of the test: chromem-go has no setting for where they are.
func TestProvidersAtAFixedAddress(t *testing.T) {
	before := http.DefaultTransport
	t.Cleanup(func() { http.DefaultTransport = before })
	s := newScript(t, vectors(`{"embeddings":[[3,0,4]]}`))
	to, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	http.DefaultTransport = elsewhere{to}
	set := s.settings()
	set.Provider, set.BaseURL = Cohere, ""
	m := open(t, set)
	for _, ask := range []Embedder{m.Embed, m.Query} {
		if got, err := ask(context.Background(), []string{"x"}); err != nil || !slices.Equal(got[0], []float32{.6, 0, .8}) {
			t.Errorf("%v, %v", got, err)
		}
	}
	if !slices.Equal(s.asked(), []string{"x", "x"}) || s.paths[0] != "/v1/embed" {
		t.Errorf("%q at %q", s.asked(), s.paths)
	}
}

func TestPrefixesTellQuestionsFromWhatIsSearched(t *testing.T) {
	s := newScript(t, vectors(asOpenAI))
	set := s.settings()
	set.DocumentPrefix, set.QueryPrefix = "search_document: ", "search_query: "
	m := open(t, set)
	for _, ask := range []Embedder{m.Embed, m.Query} {
		if _, err := ask(context.Background(), []string{"x"}); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"search_document: x", "search_query: x"}; !slices.Equal(s.asked(), want) {
		t.Errorf("%q", s.asked())
	}
	if plain := s.settings(); m.Name == plain.Name() {
		t.Error("other prefixes give other vectors, and the name is the same")
	}
}

func TestFailuresAreToldApart(t *testing.T) {
	for name, c := range map[string]struct {
		answer answer
		reason Reason
		calls  int
	}{
		"busy":         {answer{status: 429}, Busy, tries},
		"down":         {answer{status: 503}, Down, tries},
		"key":          {answer{status: 401}, Key, 1},
		"no model":     {answer{status: 404}, Missing, 1},
		"refused":      {answer{status: 400}, Refused, 1},
		"garbage":      {answer{status: 200, body: "<html>"}, Broken, 1},
		"cut":          {answer{status: 200, body: `{"data":[{"embedding":[1,`}, Broken, 1},
		"no vector":    {answer{status: 200, body: `{"data":[]}`}, Broken, 1},
		"other dims":   {vectors(`{"data":[{"embedding":[1,2]}]}`), Broken, 1},
		"no direction": {vectors(`{"data":[{"embedding":[0,0,0]}]}`), Broken, 1},
	} {
		s := newScript(t, c.answer)
		set := s.settings()
		set.Key = func() (string, error) { return "secret-key", nil }
		_, err := open(t, set).Embed(context.Background(), []string{"a text"})
		f := (*Failure)(nil)
		if !errors.As(err, &f) || f.Reason != c.reason || len(s.asked()) != c.calls {
			t.Errorf("%s: %v after %d calls", name, err, len(s.asked()))
			continue
		}
		if text := err.Error(); !strings.Contains(text, "openai-compatible/m") || strings.Contains(text, "secret-key") || strings.Contains(text, "a text") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

func TestAFailureInPassingIsTriedAgainAfterLongerAndLongerPauses(t *testing.T) {
	s := newScript(t, answer{status: 429}, answer{status: 500}, answer{status: 429}, vectors(asOpenAI))
	if _, err := open(t, s.settings()).Embed(context.Background(), []string{"x"}); err != nil {
		t.Fatal(err)
	}
	if want := []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}; !slices.Equal(s.pauses, want) {
		t.Errorf("paused %v", s.pauses)
	}
}

func TestAnEndpointThatFailedIsLeftAloneForAWhile(t *testing.T) {
	s := newScript(t, answer{status: 503})
	m := open(t, s.settings())
	ask := func() error {
		_, err := m.Query(context.Background(), []string{"x"})
		return err
	}
	for range 2 {
		if ask() == nil || len(s.asked()) != 1 {
			t.Errorf("asked %d times", len(s.asked()))
		}
	}
	s.now = s.now.Add(rest)
	s.answers = []answer{vectors(asOpenAI)}
	if err := ask(); err != nil || len(s.asked()) != 2 {
		t.Errorf("after the rest: %v, asked %d times", err, len(s.asked()))
	}
}

func TestAnEndpointThatHangs(t *testing.T) {
	s := newScript(t, answer{hang: true})
	set := s.settings()
	set.Timeout = 20 * time.Millisecond
	m := open(t, set)
	for name, ask := range map[string]Embedder{"text": m.Embed, "question": m.Query} {
		_, err := ask(context.Background(), []string{"x"})
		f := (*Failure)(nil)
		if !errors.As(err, &f) || f.Reason != Slow {
			t.Errorf("%s: %v", name, err)
		}
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := m.Embed(ended, []string{"x"}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

// TestAHangingQuestionLeavesTextsAlone: a model that is being loaded answers no question in time, and still gets its texts.
func TestAHangingQuestionLeavesTextsAlone(t *testing.T) {
	s := newScript(t, answer{hang: true}, vectors(asOpenAI))
	e, err := newEndpoint(s.settings())
	if err != nil {
		t.Fatal(err)
	}
	e.s.Timeout = 20 * time.Millisecond
	if _, err := e.queries(context.Background(), []string{"x"}); err == nil {
		t.Fatal("answered")
	}
	e.s.Timeout = time.Minute
	if _, err := e.documents(context.Background(), []string{"x"}); err != nil {
		t.Errorf("a text: %v", err)
	}
	if _, err := e.queries(context.Background(), []string{"x"}); err == nil {
		t.Error("the next question was asked at once")
	}
}

func TestATextThatIsTooLongIsCut(t *testing.T) {
	s := newScript(t, answer{status: 400}, answer{status: 413}, vectors(asOpenAI))
	set := s.settings()
	set.MaxText = 4001
	if _, err := open(t, set).Embed(context.Background(), []string{strings.Repeat("é", 9000)}); err != nil {
		t.Fatal(err)
	}
	var sizes []int
	for _, text := range s.asked() {
		sizes = append(sizes, len(text))
	}
	if !slices.Equal(sizes, []int{4000, 2000, 1000}) {
		t.Errorf("sent %v bytes", sizes)
	}
}

func TestSettingsThatCannotWorkAreRefused(t *testing.T) {
	good := Settings{Provider: OpenAI, Model: "m", Dims: 3}
	for name, spoil := range map[string]func(*Settings){
		"there is no embedding provider": func(s *Settings) { s.Provider = "oracle" },
		"needs the name of a model":      func(s *Settings) { s.Model = "" },
		"needs the address":              func(s *Settings) { s.Provider = Azure },
		"needs the name of a project":    func(s *Settings) { s.Provider = Vertex },
		"not possible":                   func(s *Settings) { s.Dims = 5000 },
	} {
		s := good
		spoil(&s)
		if _, err := Remote(context.Background(), s); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if KeyEnv(OpenAI) == "" || KeyEnv(Compatible) != "" {
		t.Error("OpenAI's key goes to other endpoints")
	}
	s := good
	s.Provider, s.Model = Mistral, ""
	if m := open(t, s); m.Name != "mistral/mistral-embed" {
		t.Errorf("%q", m.Name)
	}
}

func TestAKeyIsAskedForEachCall(t *testing.T) {
	s := newScript(t, vectors(asOpenAI))
	set := s.settings()
	keys := []string{"first-key", "second-key"}
	set.Key = func() (string, error) {
		if len(keys) == 0 {
			return "", errors.New("no key")
		}
		k := keys[0]
		keys = keys[1:]
		return k, nil
	}
	m := open(t, set)
	for range 2 {
		if _, err := m.Embed(context.Background(), []string{"x"}); err != nil {
			t.Fatal(err)
		}
	}
	if a, b := s.heads[0].Get("Authorization"), s.heads[1].Get("Authorization"); a != "Bearer first-key" || b != "Bearer second-key" {
		t.Errorf("%q, %q", a, b)
	}
	if _, err := m.Embed(context.Background(), []string{"x"}); err == nil || err.Error() != "no key" {
		t.Errorf("without a key: %v", err)
	}
}

func TestAnEndpointThatIsNotThere(t *testing.T) {
	s := newScript(t, vectors(asOpenAI))
	set := s.settings()
	set.Dims = 0
	s.Close()
	_, err := Remote(context.Background(), set)
	f := (*Failure)(nil)
	if !errors.As(err, &f) || f.Reason != Unreachable || !strings.Contains(err.Error(), "embed.base_url") {
		t.Errorf("%v", err)
	}
}
