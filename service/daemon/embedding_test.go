package daemon

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"dormouse/assets"
	"dormouse/service/config"
	"dormouse/service/embed"
	"dormouse/store/home"
)

// embedder is a service that has not begun, with an embedding model of its settings.
func embedder(t *testing.T, dir string, change func(*Params)) *Daemon {
	t.Helper()
	p := Params{Home: home.At(dir), Config: config.Default(), Embedding: assets.Embedding()}
	change(&p)
	return New(p)
}

func TestTheTableOfTheProgramIsTheDefault(t *testing.T) {
	ctx := context.Background()
	m, err := embedder(t, t.TempDir(), func(*Params) {}).embedding(ctx)
	if err != nil || m.Remote || !strings.HasPrefix(m.Name, "dormouse-static-") || m.Dims < 1 {
		t.Errorf("%+v, %v", m, err)
	}
	if m, err := embedder(t, t.TempDir(), func(p *Params) { p.Config.Embed.Provider = config.NoVectors }).embedding(ctx); err != nil || m.Name != "" {
		t.Errorf("none: %+v, %v", m, err)
	}
	if _, err := embedder(t, t.TempDir(), func(p *Params) { p.Embedding = p.Embedding[:1000] }).embedding(ctx); err == nil {
		t.Error("a table that is cut off was taken")
	}
	m, err = embedder(t, t.TempDir(), func(p *Params) { p.Demo, p.Config.Embed.Provider = true, embed.Ollama }).embedding(ctx)
	if err != nil || m.Remote || m.Name == "" {
		t.Errorf("the demo: %+v, %v", m, err)
	}
}

func TestAnEndpointsVectorsHaveAKnownSizeAlsoWhileItIsAway(t *testing.T) {
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.Header.Get("Authorization") != "Bearer the-key" {
			w.WriteHeader(http.StatusUnauthorized)
		}
		fmt.Fprint(w, `{"data":[{"embedding":[3,0,4]}]}`) //nolint:errcheck // the test sees what is missing
	}))
	defer server.Close()
	dir := t.TempDir()
	set := func(p *Params) {
		p.Config.Embed.Provider, p.Config.Embed.Model, p.Config.Embed.BaseURL = embed.OpenAI, "m", server.URL
		p.Env = func(name string) string { return map[string]string{"OPENAI_API_KEY": "the-key"}[name] }
	}
	ctx := context.Background()
	if m, err := embedder(t, dir, set).embedding(ctx); err != nil || m.Dims != 3 || !m.Remote {
		t.Fatalf("%+v, %v", m, err)
	}
	server.Close()
	if m, err := embedder(t, dir, set).embedding(ctx); err != nil || m.Dims != 3 || m.Name != "openai/m" {
		t.Errorf("while it is away: %+v, %v", m, err)
	}
	if _, err := embedder(t, t.TempDir(), set).embedding(ctx); err == nil {
		t.Error("the size of a model that never answered is known")
	}
	_, err := embedder(t, t.TempDir(), func(p *Params) { set(p); p.Env = func(string) string { return "" } }).embedding(ctx)
	if err == nil || !strings.Contains(err.Error(), "embed.key_file") || asked.Load() != 1 {
		t.Errorf("without a key: %v, asked %d times", err, asked.Load())
	}
}

func TestSettingsKnowEveryProviderOfEmbeddings(t *testing.T) {
	for _, p := range embed.Providers() {
		c := config.Default()
		c.Embed.Provider, c.Embed.Model, c.Embed.Project = p, "m", "p"
		if p != embed.Cohere {
			c.Embed.BaseURL = "http://127.0.0.1:1"
		}
		if err := c.Validate(); err != nil {
			t.Errorf("%s: %v", p, err)
		}
	}
}
