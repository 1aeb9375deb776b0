package config

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
)

// The extractors.
const (
	Rules = "rules"
	Model = "model"
)

// Distill says what reads sessions for what is worth remembering.
type Distill struct {
	Extractor string `toml:"extractor"` // rules or model
}

// LLM says which language model is asked, and what it may take.
type LLM struct {
	Provider string   `toml:"provider"` // anthropic, openai, claude, codex; empty for none
	Model    string   `toml:"model"`
	BaseURL  string   `toml:"base_url"`
	KeyFile  string   `toml:"key_file"` // absolute or from "~/" on
	KeyEnv   string   `toml:"key_env"`
	Program  string   `toml:"program"` // of a command line
	Args     []string `toml:"args"`
	Effort   string   `toml:"effort"`
	Timeout  Duration `toml:"timeout"` // of one call
	// InputTokens and OutputTokens bound one call. MaxTokens bounds a night and MaxTokensMonth a month of the calendar, MaxCost and
	// MaxCostMonth the same in US dollars. 0 bounds nothing.
	InputTokens    int     `toml:"input_tokens"`
	OutputTokens   int     `toml:"output_tokens"`
	MaxTokens      int64   `toml:"max_tokens"`
	MaxCost        float64 `toml:"max_cost"`
	MaxTokensMonth int64   `toml:"max_tokens_month"`
	MaxCostMonth   float64 `toml:"max_cost_month"`
	Titles         bool    `toml:"titles"`
	// Prices are in US dollars per million tokens, by model.
	Prices map[string]Price `toml:"prices"`
}

// Price is what a model's tokens cost, in US dollars per million.
type Price struct {
	Input  float64 `toml:"input"`
	Output float64 `toml:"output"`
	// CacheRead and CacheWrite are of input that the provider's cache holds; 0 is what is usual with the provider.
	CacheRead  float64 `toml:"cache_read"`
	CacheWrite float64 `toml:"cache_write"`
}

// Price is the price of the model that is set; nil where none is given.
func (l LLM) Price() *Price {
	if p, ok := l.Prices[l.Model]; ok && l.Model != "" {
		return &p
	}
	return nil
}

func defaultLLM() LLM {
	return LLM{Timeout: Duration(5 * time.Minute), InputTokens: 8000, OutputTokens: 2000, MaxTokens: 1_000_000, MaxTokensMonth: 20_000_000, Titles: true}
}

// providers are those of service/llm.
var providers = []string{"anthropic", "openai", "claude", "codex"}

// validate says what is wrong with the settings of a model.
func (l LLM) validate(extractor string) []error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	switch extractor {
	case Rules:
	case Model:
		if l.Provider == "" {
			bad("distill.extractor is %q, and llm.provider is not set: set it to one of %s", Model, strings.Join(providers, ", "))
		}
	default:
		bad("distill.extractor is %q: it must be %q or %q", extractor, Rules, Model)
	}
	if l.Provider != "" && !slices.Contains(providers, l.Provider) {
		bad("llm.provider is %q: it must be one of %s, or empty for none", l.Provider, strings.Join(providers, ", "))
	}
	remote := l.Provider == "anthropic" || l.Provider == "openai"
	if remote && l.Model == "" {
		bad("llm.model is not set: name the model that %s is to be asked for", l.Provider)
	}
	if err := checkURL(l.BaseURL); err != nil {
		errs = append(errs, err)
	}
	if d := time.Duration(l.Timeout); d < 5*time.Second || d > time.Hour {
		bad("llm.timeout is %s: it must be from 5s to 1h", d)
	}
	if l.InputTokens < 1000 || l.InputTokens > 500_000 {
		bad("llm.input_tokens is %d: it must be from 1000 to 500000", l.InputTokens)
	}
	if l.OutputTokens < 200 || l.OutputTokens > 20_000 {
		bad("llm.output_tokens is %d: it must be from 200 to 20000", l.OutputTokens)
	}
	if l.MaxTokens < 0 || l.MaxCost < 0 || l.MaxCost > 1e6 {
		bad("llm.max_tokens and llm.max_cost must not be negative, nor the cost above 1000000")
	}
	if l.MaxTokensMonth < 0 || l.MaxCostMonth < 0 || l.MaxCostMonth > 1e6 {
		bad("llm.max_tokens_month and llm.max_cost_month must not be negative, nor the cost above 1000000")
	}
	for name, p := range l.Prices {
		if min(p.Input, p.Output, p.CacheRead, p.CacheWrite) < 0 || max(p.Input, p.Output, p.CacheRead, p.CacheWrite) > 1e5 {
			bad("llm.prices: the price of %q must be from 0 to 100000 dollars per million tokens", name)
		}
	}
	if l.Provider != "" && l.Provider != "claude" && l.MaxCost > 0 && l.Price() == nil {
		bad("llm.max_cost is set, and the price of %q is not given: add [llm.prices.%q] with input and output, or set max_cost = 0, so that max_tokens alone bounds a night", l.Model, l.Model)
	}
	if l.Provider != "" && l.Provider != "claude" && l.MaxCostMonth > 0 && l.Price() == nil {
		bad("llm.max_cost_month is set, and the price of %q is not given: add [llm.prices.%q] with input and output, or set max_cost_month = 0, so that max_tokens_month alone bounds a month", l.Model, l.Model)
	}
	if l.Provider != "" && l.MaxTokens == 0 && l.MaxCost == 0 {
		bad("llm.max_tokens and llm.max_cost are both 0: a night needs a bound")
	}
	if l.KeyFile != "" && !strings.HasPrefix(l.KeyFile, "~/") && !absolute(l.KeyFile) {
		bad("llm.key_file: %q is no file from the root on; begin it with / or ~/ (on Windows with a drive or ~/)", l.KeyFile)
	}
	return errs
}

func checkURL(s string) error {
	if s == "" {
		return nil
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return errors.New("llm.base_url must be an address such as \"http://127.0.0.1:11434/v1\"")
	}
	if u.User != nil {
		return errors.New("llm.base_url must hold no name and password: the key goes into llm.key_file")
	}
	return nil
}
