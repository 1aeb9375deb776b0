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
}

func defaultEmbed() Embed {
	return Embed{Provider: StaticVectors, MaxText: 8000, Timeout: Duration(30 * time.Second), Parallel: 4}
}

// Remote reports whether texts are sent to an endpoint.
func (e Embed) Remote() bool { return e.Provider != StaticVectors && e.Provider != NoVectors }

// embedders are the providers of service/embed.
var embedders = []string{"ollama", "openai", "openai-compatible", "azure", "cohere", "jina", "localai", "mistral", "mixedbread", "vertex"}

// validate says what is wrong with the settings of an embedding model.
func (e Embed) validate() []error {
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
