package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// readLines reads a file of JSON lines, packed or not.
func readLines[T any](file string) (out []T, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read
	var r io.Reader = bufio.NewReader(f)
	if strings.HasSuffix(file, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	for d := json.NewDecoder(r); ; {
		var x T
		if err := d.Decode(&x); err == io.EOF {
			return out, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s, entry %d: %w", file, len(out)+1, err)
		}
		out = append(out, x)
	}
}

// loadTurns reads LoCoMo: a shelf a conversation, its turns as documents, questions of the categories 1 to 4.
func loadTurns(file string) ([]shelf, error) {
	type turn struct {
		Conv, Speaker, Text string
		ID                  string `json:"dia_id"`
		Caption             string `json:"image_caption"`
	}
	type asked struct {
		Conv, Question string
		Category       int
		Evidence       []string
	}
	turns, err := readLines[turn](file)
	if err != nil {
		return nil, err
	}
	questions, err := readLines[asked](filepath.Join(filepath.Dir(file), "questions.jsonl"))
	if err != nil {
		return nil, err
	}
	s := newShelves()
	for _, t := range turns {
		text := t.Speaker + ": " + t.Text
		if t.Caption != "" {
			text += " [shares " + t.Caption + "]"
		}
		s.put(t.Conv, t.ID, text)
	}
	for _, q := range questions {
		if q.Category <= 4 {
			s.ask(q.Conv, q.Question, q.Evidence)
		}
	}
	return s.list(), nil
}

// loadPassages reads one set of passages and questions.
func loadPassages(file string) ([]shelf, error) {
	type passage struct{ PID, Text string }
	type asked struct {
		Question string
		Gold     []string
	}
	passages, err := readLines[passage](strings.TrimSuffix(file, "queries.jsonl") + "passages.jsonl.gz")
	if err != nil {
		return nil, err
	}
	questions, err := readLines[asked](file)
	if err != nil {
		return nil, err
	}
	s := newShelves()
	for _, p := range passages {
		s.put("", p.PID, p.Text)
	}
	for _, q := range questions {
		s.ask("", q.Question, q.Gold)
	}
	return s.list(), nil
}

// loadSessions reads coding sessions and commits: what person and agent said, without lines that hold the subject of a commit.
func loadSessions(file string) ([]shelf, error) {
	type session struct{ ID, Project, File string }
	type asked struct {
		Project, Query string
		Gold           []string
	}
	dir := filepath.Dir(file)
	sessions, err := readLines[session](filepath.Join(dir, "MANIFEST.jsonl"))
	if err != nil {
		return nil, err
	}
	questions, err := readLines[asked](file)
	if err != nil {
		return nil, err
	}
	subjects := map[string][]string{}
	for _, q := range questions {
		subjects[q.Project] = append(subjects[q.Project], strings.ToLower(q.Query))
	}
	s := newShelves()
	for _, one := range sessions {
		text, err := dialog(filepath.Join(filepath.Dir(dir), filepath.FromSlash(one.File)), subjects[one.Project])
		if err != nil {
			return nil, err
		}
		s.put(one.Project, one.ID, text)
	}
	for _, q := range questions {
		s.ask(q.Project, q.Query, q.Gold)
	}
	return s.list(), nil
}

// dialog is what was said in a session, without the lines that hold one of the subjects.
func dialog(file string, subjects []string) (string, error) {
	type message struct {
		Role   string
		Blocks []struct{ Type, Text string }
	}
	messages, err := readLines[message](file)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, m := range messages {
		for _, block := range m.Blocks {
			if block.Type != "text" || strings.HasPrefix(block.Text, "<system-reminder>") {
				continue
			}
			for line := range strings.Lines(block.Text + "\n") {
				low := strings.ToLower(line)
				if !slices.ContainsFunc(subjects, func(s string) bool { return strings.Contains(low, s) }) {
					b.WriteString(line)
				}
			}
		}
	}
	return b.String(), nil
}

// shelves are built by name, in the order in which they come.
type shelves struct {
	all   []*shelf
	named map[string]*shelf
}

func newShelves() *shelves { return &shelves{named: map[string]*shelf{}} }

func (s *shelves) at(name string) *shelf {
	if s.named[name] == nil {
		s.named[name] = &shelf{}
		s.all = append(s.all, s.named[name])
	}
	return s.named[name]
}

func (s *shelves) put(name, id, text string) {
	at := s.at(name)
	at.ids, at.docs = append(at.ids, id), append(at.docs, text)
}

// ask adds a question that has an answer.
func (s *shelves) ask(name, text string, gold []string) {
	if len(gold) > 0 {
		at := s.at(name)
		at.questions = append(at.questions, question{text, gold})
	}
}

func (s *shelves) list() []shelf {
	var out []shelf
	for _, one := range s.all {
		out = append(out, *one)
	}
	return out
}
