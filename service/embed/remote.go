package embed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/philippgille/chromem-go"
)

// Settings say which model of whom is asked, and how.
type Settings struct {
	Provider string // one of Providers
	Model    string // as the provider names it
	// BaseURL is where the endpoint is; empty is the provider's own, which openai-compatible and azure have none of.
	BaseURL string
	// Key gives the key; it is asked for each call, so that a key that is changed needs no restart. Nil is no key.
	Key func() (string, error)
	// Project is the one of Google Cloud, for vertex.
	Project string
	// Dims is how many numbers a vector has; 0 has Remote find out.
	Dims int
	// QueryPrefix and DocumentPrefix go before each text, for models that tell questions from what is searched by it.
	QueryPrefix, DocumentPrefix string
	MaxText                     int           // bytes of a text that are sent; 0 means 8,000
	Timeout                     time.Duration // of one try; 0 means 30 s
	Parallel                    int           // calls at once; 0 means 4
	// Now and Wait are the clock and a pause; by default the real ones.
	Now  func() time.Time
	Wait func(context.Context, time.Duration) error
}

// Limits of what asks an endpoint.
const (
	tries        = 4                // of a text that is searched
	queryTimeout = 3 * time.Second  // of a question: who searches does not wait for an endpoint that hangs
	rest         = 15 * time.Second // for which an endpoint that failed is left alone
	maxPause     = 30 * time.Second
	halvings     = 2 // of a text that the endpoint will not take
	leastText    = 500
	textLimit    = 8000
)

// Remote is a model behind an endpoint. Where Dims is not set, it makes one call to find out. An error says what is wrong and
// what helps, and shows neither text nor key.
func Remote(ctx context.Context, s Settings) (Model, error) {
	e, err := newEndpoint(s)
	if err != nil {
		return Model{}, err
	}
	if e.dims == 0 {
		v, err := e.vector(ctx, e.s.DocumentPrefix+"memory", 1)
		if err != nil {
			return Model{}, fmt.Errorf("find out the size of its vectors: %w", err)
		}
		e.dims = len(v)
	}
	return Model{Name: e.name, Dims: e.dims, Embed: e.documents, Query: e.queries, Remote: true}, nil
}

// Name is the name that Remote gives the model.
func (s Settings) Name() string {
	name := s.Provider + "/" + s.Model
	if s.DocumentPrefix != "" || s.QueryPrefix != "" {
		name += fmt.Sprintf("#%08x", crc32.ChecksumIEEE(fmt.Appendf(nil, "%q %q", s.DocumentPrefix, s.QueryPrefix)))
	}
	return name
}

// endpoint asks one model.
type endpoint struct {
	s    Settings
	name string
	dims int // 0 while it is not known
	open chan struct{}

	mu  sync.Mutex
	key string // that ask was made with
	ask chromem.EmbeddingFunc

	// What is left alone after a failure: all of it, or questions, which have less time.
	all, questions breaker
}

func newEndpoint(s Settings) (*endpoint, error) {
	p, ok := providers[s.Provider]
	switch {
	case !ok:
		return nil, fmt.Errorf("there is no embedding provider %q; there are %s", s.Provider, strings.Join(Providers(), ", "))
	case s.Model == "" && !p.fixed:
		return nil, fmt.Errorf("the embedding provider %s needs the name of a model", s.Provider)
	case s.BaseURL == "" && p.homeless:
		return nil, fmt.Errorf("the embedding provider %s needs the address of its endpoint", s.Provider)
	case s.Project == "" && s.Provider == Vertex:
		return nil, errors.New("the embedding provider vertex needs the name of a project")
	case s.Dims < 0 || s.Dims > maxDims:
		return nil, fmt.Errorf("vectors of %d numbers are not possible; 1 to %d are", s.Dims, maxDims)
	}
	s.BaseURL = strings.TrimRight(s.BaseURL, "/")
	s.MaxText = cmp.Or(s.MaxText, textLimit)
	s.Timeout = cmp.Or(s.Timeout, 30*time.Second)
	s.Parallel = cmp.Or(s.Parallel, 4)
	if s.Now == nil {
		s.Now = time.Now
	}
	if s.Wait == nil {
		s.Wait = pause
	}
	if s.Key == nil {
		s.Key = func() (string, error) { return "", nil }
	}
	e := &endpoint{s: s, name: s.Name(), dims: s.Dims, open: make(chan struct{}, s.Parallel)}
	if p.fixed {
		e.s.Model = cmp.Or(s.Model, p.model)
		e.name = e.s.Name()
	}
	if p.marks {
		e.s.DocumentPrefix = chromem.InputTypeCohereSearchDocumentPrefix + s.DocumentPrefix
		e.s.QueryPrefix = chromem.InputTypeCohereSearchQueryPrefix + s.QueryPrefix
	}
	return e, nil
}

func (e *endpoint) documents(ctx context.Context, texts []string) ([][]float32, error) {
	return e.each(ctx, texts, e.s.DocumentPrefix, tries)
}

// queries asks once, and not for long.
func (e *endpoint) queries(ctx context.Context, texts []string) ([][]float32, error) {
	if err := e.questions.blown(e.s.Now()); err != nil {
		return nil, err
	}
	inner, cancel := context.WithTimeout(ctx, min(queryTimeout, e.s.Timeout))
	defer cancel()
	out, err := e.each(inner, texts, e.s.QueryPrefix, 1)
	if err != nil && inner.Err() != nil && ctx.Err() == nil {
		err = &Failure{Reason: Slow, Detail: fmt.Sprintf("no answer to a question in %s", min(queryTimeout, e.s.Timeout)), model: e.name}
		e.questions.blow(e.s.Now(), err)
	}
	return out, err
}

// each asks for each text that differs once, several at a time. The first failure ends the rest.
func (e *endpoint) each(ctx context.Context, texts []string, prefix string, tries int) ([][]float32, error) {
	out := make([][]float32, len(texts))
	same := map[string][]int{}
	var order []string
	for i, t := range texts {
		if t = clip(strings.TrimSpace(t), e.s.MaxText); t == "" {
			out[i] = make([]float32, e.dims)
			continue
		}
		if same[t] == nil {
			order = append(order, t)
		}
		same[t] = append(same[t], i)
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var wg sync.WaitGroup
	for _, t := range order {
		select {
		case e.open <- struct{}{}:
		case <-ctx.Done():
			wg.Wait()
			return nil, context.Cause(ctx)
		}
		wg.Go(func() {
			defer func() { <-e.open }()
			v, err := e.vector(ctx, prefix+t, tries)
			if err != nil {
				stop(err)
			}
			for _, i := range same[t] {
				out[i] = v
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return out, nil
}

// clip is the first most bytes of a text, to a whole character.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// vector asks for one text, again where that helps, and for less of it where it is too long for the model.
func (e *endpoint) vector(ctx context.Context, text string, tries int) ([]float32, error) {
	if err := e.all.blown(e.s.Now()); err != nil {
		return nil, err
	}
	for try, halved := 1, 0; ; try++ {
		v, err := e.once(ctx, text)
		if err == nil {
			return v, nil
		}
		f := (*Failure)(nil)
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case !errors.As(err, &f):
			return nil, err
		case f.Reason == Refused && halved < halvings && len(text) > leastText:
			halved++
			try--
			text = clip(text, len(text)/2)
			continue
		case !f.Passing():
			return nil, f
		case try >= tries:
			e.all.blow(e.s.Now(), f)
			return nil, f
		}
		if err := e.s.Wait(ctx, min(maxPause, time.Second<<(try-1))); err != nil {
			return nil, err
		}
	}
}

// once makes one call and checks what it gave.
func (e *endpoint) once(ctx context.Context, text string) ([]float32, error) {
	ask, key, err := e.asker()
	if err != nil {
		return nil, err
	}
	inner, cancel := context.WithTimeout(ctx, e.s.Timeout)
	defer cancel()
	v, err := ask(inner, text)
	switch {
	case err != nil && inner.Err() != nil && ctx.Err() == nil:
		return nil, &Failure{Reason: Slow, Detail: "no answer in " + e.s.Timeout.String(), model: e.name}
	case err != nil:
		return nil, failure(err, e.name, key)
	case e.dims != 0 && len(v) != e.dims || len(v) > maxDims:
		return nil, &Failure{Reason: Broken, model: e.name, Detail: fmt.Sprintf("its vector has %d numbers and should have %d: another model answers under this name",
			len(v), cmp.Or(e.dims, maxDims))}
	case !finite(v):
		return nil, &Failure{Reason: Broken, model: e.name, Detail: "its vector has no direction"}
	}
	unit(v)
	return v, nil
}

// asker is how the endpoint is asked with the key of now.
func (e *endpoint) asker() (chromem.EmbeddingFunc, string, error) {
	key, err := e.s.Key()
	if err != nil {
		return nil, "", err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ask == nil || e.key != key {
		e.ask, e.key = providers[e.s.Provider].make(e.s, key), key
	}
	return e.ask, key, nil
}

// breaker keeps a failure, so that not each text waits for an endpoint that does not answer.
type breaker struct {
	mu    sync.Mutex
	until time.Time
	why   error
}

// blown gives the failure while it holds.
func (b *breaker) blown(now time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.why != nil && now.Before(b.until) {
		return b.why
	}
	b.why = nil
	return nil
}

func (b *breaker) blow(now time.Time, why error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.why, b.until = why, now.Add(rest)
}

// pause waits until a time is over or ctx ends.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
