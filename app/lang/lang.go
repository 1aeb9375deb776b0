// Package lang is every text of window, tray and notifications in the languages that they speak, and how each of these writes
// numbers, times and sizes.
//
// A text is asked for by its English form, which stands where it is used; the catalogues beside this file hold it in all
// languages. It never reads a setting, never draws, and never translates what others wrote: transcripts, memories and errors.
package lang

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

//go:embed *.json
var files embed.FS

// Tags are the languages there are; the first one is spoken where none of a person's own is among them.
var Tags = []string{"en", "de", "zh"}

// message is a text in one language: whole, or in the forms that its number asks for. The keys are those of CLDR.
type message struct {
	text  string
	forms map[string]string
}

// UnmarshalJSON takes a text, or an object of its plural forms.
func (m *message) UnmarshalJSON(b []byte) error {
	if err := json.Unmarshal(b, &m.text); err == nil {
		return nil
	}
	return json.Unmarshal(b, &m.forms)
}

// speech is a language that is spoken.
type speech struct {
	tag      language.Tag
	id       string
	messages map[string]message
	settings map[string]string
}

var now atomic.Pointer[speech]

func init() { //nolint:gochecknoinits // a program that chooses none speaks English
	s, err := load("en")
	if err != nil {
		panic(err) // it lies in the program
	}
	now.Store(s)
}

// load reads a catalogue.
func load(id string) (*speech, error) {
	b, err := files.ReadFile(id + ".json")
	if err != nil {
		return nil, fmt.Errorf("read the catalogue of %s: %w", id, err)
	}
	s := &speech{tag: language.Make(id), id: id}
	if err := json.Unmarshal(b, &s.messages); err != nil {
		return nil, fmt.Errorf("read the catalogue of %s: %w", id, err)
	}
	if id == Tags[0] { // settings come in English
		return s, nil
	}
	if b, err = files.ReadFile("settings." + id + ".json"); err != nil {
		return nil, fmt.Errorf("read the settings' catalogue of %s: %w", id, err)
	}
	if err := json.Unmarshal(b, &s.settings); err != nil {
		return nil, fmt.Errorf("read the settings' catalogue of %s: %w", id, err)
	}
	return s, nil
}

// Use has all texts in the first of the wanted languages that there is, else in English, and returns which one that is. Wanted
// are tags such as "de-AT" or "zh_CN.UTF-8"; what is none is passed over. Texts that were asked for before stay as they are.
func Use(wanted ...string) string {
	id := match(wanted)
	if now.Load().id == id {
		return id
	}
	if s, err := load(id); err == nil { // a test reads all of them
		now.Store(s)
	}
	return now.Load().id
}

// match is which of the languages fits best.
func match(wanted []string) string {
	var want, have []language.Tag
	for _, w := range wanted {
		w, _, _ = strings.Cut(w, ".")
		if tag, err := language.Parse(strings.ReplaceAll(w, "_", "-")); err == nil && tag != language.Und {
			want = append(want, tag)
		}
	}
	for _, t := range Tags {
		have = append(have, language.Make(t))
	}
	_, i, sure := language.NewMatcher(have).Match(want...)
	if sure < language.Low {
		i = 0
	}
	return Tags[i]
}

// Is reports whether a language is spoken.
func Is(id string) bool { return now.Load().id == id }

// Word is a text that is asked for later: its English form.
type Word string

// Mark notes a text that is asked for later.
func Mark(english string) Word { return Word(english) }

// Text is the word in the language that is spoken, with its arguments as in Say.
func (w Word) Text(args ...string) string { return Say(string(w), args...) }

// Setting is the title of a setting by its name, or what is said of it by the English text that comes with it. ok is false in English, and
// for what no catalogue knows.
func Setting(english string) (text string, ok bool) {
	text, ok = now.Load().settings[english]
	return text, ok
}

// Say is a text in the language that is spoken. Its English form names each argument in braces; they are given in the order in
// which the English form names them first.
func Say(english string, args ...string) string {
	m, ok := now.Load().messages[english]
	text := m.text
	if !ok || text == "" {
		text = english
	}
	if len(args) == 0 {
		return text
	}
	return fill(text, names(english), args)
}

// Count is a text about a number of things, in the form that the number asks for. {n} is the number; other arguments are as in
// Say. The English form is the one for many.
func Count[N int | int64](n N, english string, args ...string) string {
	s := now.Load()
	text := s.form(s.messages[english], int64(n))
	if text == "" {
		text = english
	}
	keys, values := []string{"{n}"}, []string{Number(n)}
	for _, name := range names(english) {
		if name != "{n}" {
			keys = append(keys, name)
		}
	}
	return fill(text, keys, append(values, args...))
}

// formNames are CLDR's names of plural forms.
var formNames = map[plural.Form]string{plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many", plural.Other: "other"}

// form is the text for a number.
func (s *speech) form(m message, n int64) string {
	if n < 0 {
		n = -n
	}
	if text := m.forms[formNames[plural.Cardinal.MatchPlural(s.tag, int(n%10_000_000), 0, 0, 0, 0)]]; text != "" {
		return text
	}
	return m.forms["other"]
}

// names are the arguments that a text names, with their braces, each once.
func names(text string) []string {
	var out []string
	for rest := text; ; {
		from := strings.IndexByte(rest, '{')
		if from < 0 {
			return out
		}
		to := strings.IndexByte(rest[from:], '}')
		if to < 0 {
			return out
		}
		name := rest[from : from+to+1]
		rest = rest[from+to+1:]
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
}

// fill puts values into the places of their names, all at once: a value that holds braces stays as it is.
func fill(text string, names, values []string) string {
	var b strings.Builder
	for {
		from := strings.IndexByte(text, '{')
		to := strings.IndexByte(text[from+1:], '}') + 1
		if from < 0 || to == 0 {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:from])
		name := text[from : from+to+1]
		if i := slices.Index(names, name); i >= 0 && i < len(values) {
			name = values[i]
		}
		b.WriteString(name)
		text = text[from+to+1:]
	}
}
