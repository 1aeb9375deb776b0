package main

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/service/api"
	"dormouse/service/localapi"
	"dormouse/service/socket"
)

// indexService answers with one state after the other, the last again and again.
func indexService(t *testing.T, home string, states ...api.Index) {
	t.Helper()
	ln, err := socket.Listen(home)
	if err != nil {
		t.Fatal(err)
	}
	next := func(context.Context) (api.Index, error) {
		s := states[0]
		if len(states) > 1 {
			states = states[1:]
		}
		return s, nil
	}
	b := localapi.Backend{Status: func(context.Context) (api.Status, error) { return api.Status{}, nil }, Index: next, RebuildIndex: next}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- localapi.New(localapi.Options{Backend: b}).Run(ctx, ln) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func TestARebuildIsShownUntilItIsDone(t *testing.T) {
	states := []api.Index{
		{Docs: 30, Sessions: 4, SessionsWaiting: 3, Rebuilding: true, Vectors: api.Vectors{Model: "a", Docs: 30, NextModel: "b", NextWaiting: 30}},
		{Docs: 30, Sessions: 4, SessionsWaiting: 3, Rebuilding: true, Vectors: api.Vectors{Model: "a", Docs: 30, NextModel: "b", NextWaiting: 30}},
		{Docs: 30, Sessions: 4, Rebuilding: true, Vectors: api.Vectors{Model: "a", Docs: 30, NextModel: "b", NextDocs: 12, NextWaiting: 18}},
		{Docs: 30, Sessions: 4, Vectors: api.Vectors{Model: "b", Docs: 30}},
	}
	home := filepath.Join(t.TempDir(), "home")
	indexService(t, home, states...)
	r := dormouse(t, home, "index", "rebuild")
	if r.code != exitOK || !strings.Contains(r.out, "30 documents by b") || !strings.Contains(r.err, "Sessions") || !strings.Contains(r.err, "Vectors") {
		t.Errorf("%+v", r)
	}
	if r := dormouse(t, home, "index"); r.code != exitOK || !strings.Contains(r.out, "30 documents by b") {
		t.Errorf("%+v", r)
	}
	home = filepath.Join(t.TempDir(), "home")
	indexService(t, home, states...)
	r = dormouse(t, home, "index", "rebuild", "--json")
	lines := strings.Split(strings.TrimSpace(r.out), "\n")
	var last api.Index
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || len(lines) != 3 || last != states[3] || r.code != exitOK {
		t.Errorf("%d lines, the last is %+v: %v", len(lines), last, err)
	}
}

func TestARebuildThatCannotGoOnSaysWhy(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	indexService(t, home, api.Index{Docs: 30, Rebuilding: true, Vectors: api.Vectors{Model: "a", Docs: 30, NextModel: "b", NextWaiting: 30, Failure: "the endpoint is down"}})
	r := dormouse(t, home, "index", "rebuild")
	if r.code == exitOK || !strings.Contains(r.err, "the endpoint is down") || !strings.Contains(r.err, "by itself") {
		t.Errorf("%+v", r)
	}
}
