package daemon

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"dormouse/service/config"
	"dormouse/service/embed"
	"dormouse/service/llm"
	"dormouse/store/home"
)

// embeddingFile keeps how many numbers the vectors of an endpoint's model have, for a start without the endpoint.
const embeddingFile = "embedding.json"

// askingSize is how long the start waits for an endpoint that has to say how many numbers its vectors have.
const askingSize = 5 * time.Second

// embeddingSize is what embeddingFile holds.
type embeddingSize struct {
	Model string `json:"model"`
	Dims  int    `json:"dims"`
}

// embedding is the embedding model that the settings name; the zero value is none. An error says why there is none though one is
// named; search then goes by words alone. The demo has the table that ships with the program: nothing of it is sent anywhere.
func (d *Daemon) embedding(ctx context.Context) (embed.Model, error) {
	c := d.p.Config.Embed
	switch {
	case d.p.Embedding == nil && (!c.Remote() || d.p.Demo), c.Provider == config.NoVectors:
		return embed.Model{}, nil
	case !c.Remote() || d.p.Demo:
		t, err := embed.NewTable(d.p.Embedding)
		if err != nil {
			return embed.Model{}, err
		}
		return t.Model(), nil
	}
	m, err := d.remoteEmbedding(ctx, d.embedSettings())
	if err != nil {
		return m, err
	}
	m.Query = d.cleaned(m.Query)
	return d.embedded.of(m, c.Provider, c.Model, d.p.Config.LLM.Prices[c.Model].Input), nil
}

// cleaned takes secrets out of questions before they leave for an endpoint: what is asked went through no capture.
func (d *Daemon) cleaned(ask embed.Embedder) embed.Embedder {
	if ask == nil {
		return nil
	}
	return func(ctx context.Context, texts []string) ([][]float32, error) {
		if d.redactor == nil {
			return nil, errors.New("ask the embedding model: redaction is not ready")
		}
		clean := make([]string, len(texts))
		for i, t := range texts {
			var err error
			if clean[i], _, err = d.redactor.Text(t); err != nil {
				return nil, fmt.Errorf("take secrets out of what is asked of the embedding model: %w", err)
			}
		}
		return ask(ctx, clean)
	}
}

// embedSettings are those of an endpoint.
func (d *Daemon) embedSettings() embed.Settings {
	c := d.p.Config.Embed
	key := llm.Key{Env: cmp.Or(c.KeyEnv, embed.KeyEnv(c.Provider)), File: inHome(c.KeyFile), Optional: embed.Keyless(c.Provider), Section: "embed"}
	return embed.Settings{
		Provider: c.Provider, Model: c.Model, BaseURL: c.BaseURL, Project: c.Project, DocumentPrefix: c.DocumentPrefix, QueryPrefix: c.QueryPrefix,
		MaxText: c.MaxText, Timeout: time.Duration(c.Timeout), Parallel: c.Parallel, Now: d.p.Now, Wait: d.p.wait,
		Key: func() (string, error) { return key.Read(d.p.Env) },
	}
}

// remoteEmbedding asks the endpoint how many numbers its vectors have, and goes by what it said last where it does not answer.
func (d *Daemon) remoteEmbedding(ctx context.Context, s embed.Settings) (embed.Model, error) {
	asking, cancel := context.WithTimeout(ctx, askingSize)
	defer cancel()
	m, err := embed.Remote(asking, s)
	file := filepath.Join(d.p.Home.Dir(), embeddingFile)
	var known embeddingSize
	if b, e := os.ReadFile(file); e == nil && json.Unmarshal(b, &known) != nil {
		known = embeddingSize{}
	}
	if err != nil {
		if known.Model != s.Name() || known.Dims < 1 {
			return embed.Model{}, err
		}
		s.Dims = known.Dims
		return embed.Remote(ctx, s)
	}
	if now := (embeddingSize{Model: m.Name, Dims: m.Dims}); now != known {
		b, err := json.Marshal(now)
		if err != nil {
			return embed.Model{}, err
		}
		return m, home.WriteFile(file, append(b, '\n'))
	}
	return m, nil
}
