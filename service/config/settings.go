package config

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Kind is what a setting's value is.
type Kind string

// The kinds. A TableOf has entries, each with a name and the values of its Columns.
const (
	Text     Kind = "text"
	YesNo    Kind = "yes"
	Number   Kind = "number"
	Length   Kind = "duration" // such as 30m
	Clock    Kind = "time"     // such as 03:00
	List     Kind = "list"     // of texts
	TableOf  Kind = "table"
	listEnds      = "\n" // between the elements of a List that is written as one text
)

// Setting is one setting as config.toml describes it.
type Setting struct {
	Section, Key string
	Help         string // what config.toml says of it, one paragraph
	Kind         Kind
	Choices      []string // the values that it may have; empty where others are right too
}

// Name is the setting's whole name, such as sleep.deep_at.
func (s Setting) Name() string { return s.Section + "." + s.Key }

// choices are the settings that have one of a few values.
var choices = map[string][]string{
	"distill.extractor": {"rules", "model"},
	"llm.provider":      {"", "anthropic", "openai", "claude", "codex"},
	"embed.provider":    {"static", "none", "ollama", "openai", "openai-compatible", "azure", "cohere", "jina", "localai", "mistral", "mixedbread", "vertex"},
	"sync.sessions":     {SessionsHome, SessionsOnDemand},
	"window.language":   LanguageTags,
	"log.level":         {"debug", "info", "warn", "error"},
}

// Settings are all settings, in the order of config.toml. Settings that stand together share what is said of them.
func Settings() []Setting {
	var out []Setting
	for _, p := range paragraphs(string(Template)) {
		for _, key := range p.names {
			s := Setting{Section: p.section, Key: key, Help: strings.Join(p.text, " ")}
			s.Kind, s.Choices = s.kind(), choices[s.Name()]
			out = append(out, s)
		}
	}
	return out
}

// Find is the setting of a name.
func Find(name string) (Setting, bool) {
	all := Settings()
	i := slices.IndexFunc(all, func(s Setting) bool { return s.Name() == name })
	if i < 0 {
		return Setting{}, false
	}
	return all[i], true
}

// in is the value of a setting in a configuration.
func (s Setting) in(c Config) reflect.Value {
	v, _ := at(reflect.ValueOf(c), []string{s.Section, s.Key}) // a test holds the template against the type
	return v
}

func (s Setting) kind() Kind {
	v := s.in(Default())
	switch v.Interface().(type) {
	case Duration:
		return Length
	case ClockTime:
		return Clock
	}
	switch v.Kind() {
	case reflect.Bool:
		return YesNo
	case reflect.Int, reflect.Int64, reflect.Float64:
		return Number
	case reflect.Slice:
		return List
	case reflect.Map:
		return TableOf
	}
	return Text
}

// ValueOf is a setting's value as a person writes it; the elements of a list are lines, a table is an object of JSON ("" where it is empty).
func (c Config) ValueOf(s Setting) string {
	v := s.in(c)
	switch x := v.Interface().(type) {
	case Duration:
		return short(x)
	case ClockTime:
		b, _ := x.MarshalText() // cannot fail
		return string(b)
	case []string:
		return strings.Join(x, listEnds)
	}
	switch v.Kind() {
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.Int, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'f', -1, 64)
	case reflect.String:
		return v.String()
	case reflect.Map:
		return tableValue(v)
	}
	return ""
}
