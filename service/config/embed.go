package config

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
)

// What makes vectors without a model of the person's own.
const (
	StaticVectors = "static" // the table that ships with the program
	NoVectors     = "none"
)

// Embed says what turns texts into vectors, by which search finds what has the same meaning in other words.
type Embed struct {
	Provider string `toml:"provider"` // static, none, or one of service/embed
	Model    string `toml:"model"`
	BaseURL  string `toml:"base_url"`
	KeyFile  string `toml:"key_file"` // absolute or from "~/" on
	KeyEnv   string `toml:"key_env"`
	Project  string `toml:"project"` // of Google Cloud
	// DocumentPrefix and QueryPrefix go before what is searched and before what is asked.
	DocumentPrefix string   `toml:"document_prefix"`
	QueryPrefix    string   `toml:"query_prefix"`
	MaxText        int      `toml:"max_text"` // bytes
	Timeout        Duration `toml:"timeout"`  // of one call
	Parallel       int      `toml:"parallel"` // calls at once
	// MaxTokens bounds a day and MaxTokensMonth a month of the calendar, MaxCost and MaxCostMonth the same in US dollars. 0 bounds nothing.
	MaxTokens      int64   `toml:"max_tokens"`
	MaxCost        float64 `toml:"max_cost"`
	MaxTokensMonth int64   `toml:"max_tokens_month"`
	MaxCostMonth   float64 `toml:"max_cost_month"`
}

func defaultEmbed() Embed {
	return Embed{Provider: StaticVectors, MaxText: 8000, Timeout: Duration(30 * time.Second), Parallel: 4,
		MaxTokens: 20_000_000, MaxTokensMonth: 200_000_000}
}

// Remote reports whether texts are sent to an endpoint.
func (e Embed) Remote() bool { return e.Provider != StaticVectors && e.Provider != NoVectors }

// embedders are the providers of service/embed.
var embedders = []string{"ollama", "openai", "openai-compatible", "azure", "cohere", "jina", "localai", "mistral", "mixedbread", "vertex"}

// validate says what is wrong with the settings of an embedding model.
// priced says that the price of its model is given.
func (e Embed) validate(priced bool) []error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if e.Remote() && !slices.Contains(embedders, e.Provider) {
		bad("embed.provider is %q: it must be %q, %q, or one of %s", e.Provider, StaticVectors, NoVectors, strings.Join(embedders, ", "))
	}
	if e.Remote() && e.Model == "" && e.Provider != "mistral" {
		bad("embed.model is not set: name the embedding model that %s is to be asked for", e.Provider)
	}
	switch e.Provider {
	case "openai-compatible", "azure":
		if e.BaseURL == "" {
			bad("embed.base_url is not set: %s needs the address of its endpoint", e.Provider)
		}
	case "cohere":
		if e.BaseURL != "" {
			bad("embed.base_url is set: cohere is asked at its own address alone")
		}
	case "vertex":
		if e.Project == "" {
			bad("embed.project is not set: vertex needs the name of a project")
		}
	}
	if err := checkEndpoint(e.BaseURL); err != nil {
		errs = append(errs, err)
	}
	if e.KeyFile != "" && !strings.HasPrefix(e.KeyFile, "~/") && !absolute(e.KeyFile) {
		bad("embed.key_file: %q is no file from the root on; begin it with / or ~/ (on Windows with a drive or ~/)", e.KeyFile)
	}
	if d := time.Duration(e.Timeout); d < time.Second || d > 10*time.Minute {
		bad("embed.timeout is %s: it must be from 1s to 10m", d)
	}
	if e.MaxText < 500 || e.MaxText > 64<<10 {
		bad("embed.max_text is %d: it must be from 500 to 65536 bytes", e.MaxText)
	}
	if e.Parallel < 1 || e.Parallel > 32 {
		bad("embed.parallel is %d: it must be from 1 to 32", e.Parallel)
	}
	if e.MaxTokens < 0 || e.MaxTokensMonth < 0 || e.MaxCost < 0 || e.MaxCostMonth < 0 || e.MaxCost > 1e6 || e.MaxCostMonth > 1e6 {
		bad("embed.max_tokens, max_cost, max_tokens_month and max_cost_month must not be negative, nor a cost above 1000000")
	}
	if e.Remote() && (e.MaxCost > 0 || e.MaxCostMonth > 0) && !priced {
		bad("embed.max_cost is set, and the price of %q is not given: add [llm.prices.%q] with input, or set embed.max_cost and max_cost_month to 0, so that the tokens alone are bounded", e.Model, e.Model)
	}
	if len(e.DocumentPrefix) > 1000 || len(e.QueryPrefix) > 1000 {
		bad("embed.document_prefix and embed.query_prefix may have 1000 bytes each")
	}
	return errs
}

func checkEndpoint(s string) error {
	if s == "" {
		return nil
	}
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return errors.New("embed.base_url must be an address such as \"http://127.0.0.1:11434\"")
	case u.User != nil:
		return errors.New("embed.base_url must hold no name and password: the key goes into embed.key_file")
	case u.RawQuery != "" || u.Fragment != "":
		return errors.New("embed.base_url must end before ? and #: the rest of the address is added to it")
	}
	return nil
}
