package llm

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"
)

// The providers.
const (
	Anthropic = "anthropic"
	OpenAI    = "openai" // and every endpoint that speaks its chat completions
	Claude    = "claude" // the command line, with the person's subscription
	Codex     = "codex"
)

// Providers are all of them.
var Providers = []string{Anthropic, OpenAI, Claude, Codex}

// Options are what a Client works with.
type Options struct {
	Provider string
	Model    string
	BaseURL  string // empty for the provider's own
	Key      Key
	// Program is the command line's name or path, Args are further arguments for it.
	Program string
	Args    []string
	// Dir is where empty folders for command lines are made. It lies in the state folder, so that nothing in it is captured.
	Dir string
	// Mark begins what is sent as the person's words, so that a conversation that an agent's own program keeps is known as ours.
	Mark string
	// Effort is passed on to models that think: low, medium, high; empty leaves it to the model.
	Effort  string
	Timeout time.Duration // of one call; 0 means 5 minutes
	Price   *Price        // nil where it is not known
	Caps    Caps
	Store   Store
	Meter   Meter
	Night   func(time.Time) time.Time // when the night that a moment belongs to began
	Env     func(string) string       // default: os.Getenv
	Environ func() []string           // of command lines; default: os.Environ
	Now     func() time.Time
	// Wait pauses between two tries; default: a timer.
	Wait func(context.Context, time.Duration) error
	// Clean takes secrets out of what is told of a failure, in which a provider may repeat what it was sent; nil leaves it as it is.
	Clean func(string) string
	Log   *slog.Logger
}

// Client asks one model. Its methods may be called from several goroutines.
type Client struct {
	o        Options
	provider provider
	budget   *budget
}

// provider makes one call. Its error is a *Failure, or the context's.
type provider interface {
	call(ctx context.Context, r request) (reply, error)
	// overhead is how many tokens the provider adds to the input by itself at most.
	overhead() int64
}

// New is a client that has asked nothing. It does no I/O. An error says which setting is wrong.
func New(o Options) (*Client, error) {
	if o.Timeout == 0 {
		o.Timeout = 5 * time.Minute
	}
	if o.Env == nil {
		o.Env = os.Getenv
	}
	if o.Environ == nil {
		o.Environ = os.Environ
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Wait == nil {
		o.Wait = wait
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Night == nil || o.Store.Load == nil || o.Store.Save == nil || o.Meter == nil {
		return nil, errors.New("a client needs to know when nights begin, and where its books and its meter are")
	}
	c := &Client{o: o, budget: &budget{caps: o.Caps, store: o.Store, meter: o.Meter, provider: o.Provider, model: o.Model, now: o.Now, night: o.Night}}
	switch o.Provider {
	case Anthropic:
		c.provider = newAnthropic(o)
	case OpenAI:
		c.provider = newOpenAI(o)
	case Claude, Codex:
		c.provider = newCommand(o)
	default:
		return nil, fmt.Errorf("there is no provider %q; there are %s", o.Provider, strings.Join(Providers, ", "))
	}
	return c, nil
}

// Spent is what the night and the month took so far.
func (c *Client) Spent() (Spent, error) { return c.budget.state() }

// maxTries is how often one call is made when it fails in passing.
const maxTries = 4

// maxPause is the longest pause that is waited for within a call. A provider that wants a longer one is asked by the next sleep.
const maxPause = 2 * time.Minute

// Complete asks the model. The error is a *Failure, or the context's when that ended. What was spent is in the completion also
// then.
func (c *Client) Complete(ctx context.Context, p Prompt) (Completion, error) {
	r := request{Prompt: p}
	if c.o.Mark != "" {
		r.User = c.o.Mark + "\n" + r.User
	}
	var out Completion
	for mended := false; ; mended = true {
		got, took, err := c.try(ctx, r)
		out.Usage = out.Plus(took)
		if err != nil {
			return out, err
		}
		if got.model != "" {
			out.Model = got.model
		}
		text, wrong := p.checked(got.text)
		if wrong == nil {
			out.Text = text
			return out, nil
		}
		c.o.Log.Debug("a model's answer cannot be used", "component", "llm", "prompt", p.Name, "mended", mended)
		if mended {
			return out, c.told(&Failure{Kind: BadAnswer, Detail: line(wrong.Error(), "")})
		}
		r.broken, r.complaint = clipped(got.text), cut(line(wrong.Error(), ""), maxDetail)
	}
}

// maxBroken bounds what is shown of a broken answer, in bytes.
const maxBroken = 16 << 10

func clipped(s string) string {
	if len(s) > maxBroken {
		return strings.ToValidUTF8(s[:maxBroken], "")
	}
	if strings.TrimSpace(s) == "" {
		return "(nothing)" // an empty message is one that providers do not take
	}
	return s
}

// try makes one call, again where it failed in passing, and keeps the books.
func (c *Client) try(ctx context.Context, r request) (reply, Usage, error) {
	var took Usage
	for n := 1; ; n++ {
		got, used, err := c.once(ctx, r)
		took = took.Plus(used)
		if err == nil || ctx.Err() != nil {
			return got, took, cmpErr(ctx.Err(), err)
		}
		f := c.told(failureOf(err))
		pause := max(f.After, backOff(n))
		if !f.transient() || n == maxTries || pause > maxPause {
			return got, took, f
		}
		c.o.Log.Info("a model is asked again", "component", "llm", "prompt", r.Name, "reason", f.Kind, "status", f.Status, "in", pause)
		if err := c.o.Wait(ctx, pause); err != nil {
			return got, took, err
		}
	}
}

func cmpErr(ctxErr, err error) error {
	if err == nil {
		return nil
	}
	return ctxErr
}

// backOff is the pause before the next try: it doubles from a second on, give or take a quarter.
func backOff(n int) time.Duration {
	d := time.Second << (2 * (n - 1))
	return d - d/4 + rand.N(d/2)
}

// once makes one call within its time and the caps.
func (c *Client) once(ctx context.Context, r request) (reply, Usage, error) {
	most := c.most(&r)
	id, err := c.budget.reserve(r.Name, most)
	if err != nil {
		return reply{}, Usage{}, err
	}
	limited, cancel := context.WithTimeout(ctx, c.o.Timeout)
	defer cancel()
	got, err := c.provider.call(limited, r)
	if err == nil && got.failure != nil {
		err = got.failure
	}
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		err = &Failure{Kind: Timeout, Detail: "within " + c.o.Timeout.String() + " (llm.timeout)"}
	}
	used, estimated := c.used(got, most, err, ctx.Err() != nil)
	if e := c.budget.settle(id, got.model, used, estimated); e != nil && err == nil {
		err = e
	}
	return got, used, err
}

// most is what a call may come to.
func (c *Client) most(r *request) Usage {
	u := Usage{Calls: 1, InputTokens: r.input() + c.provider.overhead(), OutputTokens: int64(r.MaxTokens)}
	if c.o.Price != nil {
		u.CostMicros = c.o.Price.cost(u.InputTokens, u.OutputTokens)
	}
	return u
}

// used is what a call took. Where the provider did not say it, an answer counts as all that it could have been, and so does a
// call of which nobody knows what became of it, and is estimated; one that was turned down counts nothing.
func (c *Client) used(got reply, most Usage, err error, ended bool) (u Usage, estimated bool) {
	u = got.usage
	u.InputTokens, u.OutputTokens, u.CostMicros = max(0, u.InputTokens), max(0, u.OutputTokens), max(0, u.CostMicros)
	if u.InputTokens == 0 && u.OutputTokens == 0 {
		if err != nil && !ended && !failureOf(err).billed() {
			return Usage{Calls: 1}, false
		}
		u, estimated = most, true
	}
	u.Calls = 1
	if c.o.Price != nil {
		u.CostMicros = c.o.Price.cost(u.InputTokens, u.OutputTokens)
	}
	return u, estimated
}

func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// Valid reports whether a provider is known.
func Valid(provider string) bool { return slices.Contains(Providers, provider) }
