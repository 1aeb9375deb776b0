package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/service/api"
	"dormouse/service/localapi"
	"dormouse/service/socket"
	"dormouse/store/memory"
)

// serving runs a service that answers from one backend.
func serving(t *testing.T, home string, b localapi.Backend) {
	t.Helper()
	ln, err := socket.Listen(home)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- localapi.New(localapi.Options{Backend: b, Grace: time.Millisecond}).Run(ctx, ln) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func TestLinesOfAFileAreRead(t *testing.T) {
	odd := filepath.Join(t.TempDir(), "a:7")
	if err := os.WriteFile(odd, nil, 0o600); err != nil {
		t.Skip(err) // not on this file system
	}
	for word, want := range map[string]api.BlameQuery{
		"a.go": {Path: "a.go"}, "a.go:3": {Path: "a.go", From: 3, To: 3}, "d/a.go:3-9": {Path: "d/a.go", From: 3, To: 9}, odd: {Path: odd}, odd + ":2": {Path: odd, From: 2, To: 2},
	} {
		if q, ok := blameOf(word); !ok || q != want {
			t.Errorf("%q: %+v %v", word, q, ok)
		}
	}
	for _, word := range []string{"a.go:0", "a.go:9-3", "a.go:", "a.go:-3", "a.go:3-", "a.go:99999999999999999999"} {
		if q, ok := blameOf(word); ok {
			t.Errorf("%q is taken for %+v", word, q)
		}
	}
}

func TestBlameTellsWhereLinesComeFromAndHowToOpenIt(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	var asked api.BlameQuery
	serving(t, home, localapi.Backend{Blame: func(_ context.Context, q api.BlameQuery) (api.Blame, error) {
		asked = q
		if strings.HasSuffix(q.Path, "none.go") {
			return api.Blame{}, &api.Error{Code: api.CodeNotFound, Message: "there is no such file"}
		}
		return api.Blame{Path: "lamp.go", Lines: 9, Blocks: []api.BlameBlock{
			{From: 1, To: 3, First: "package lamp\x1b[31m", Was: "old.go",
				Commit:  &api.Commit{ID: "1a2b3c4d5e6f", Author: "Robin", Time: unix("2026-05-01 10:00"), Subject: "Light it"},
				Turns:   []api.BlameTurn{{SessionID: "cc_1", Agent: "claude-code", Title: "Lamps", Turn: 2, By: "call", Prompt: "Light the lamp"}},
				Records: []api.BlameRecord{{ID: "ev_1", Kind: memory.KindDecision, Text: "Lamps stay lit", Trust: memory.TrustPerson, SessionID: "cc_1", Turn: 2}}},
			{From: 4, To: 4, First: "x", Turns: []api.BlameTurn{{SessionID: "cx_2", By: "edit", Turn: 1, Missing: api.MissingDeleted}}},
			{From: 5, To: 9, First: "y"},
		}}, nil
	}})
	r := dormouse(t, home, "blame", "lamp.go:1-9")
	if r.code != exitOK || asked != (api.BlameQuery{Path: filepath.Join("/home/robin/code", "lamp.go"), From: 1, To: 9}) {
		t.Errorf("%+v asked %+v", r, asked)
	}
	for _, want := range []string{"Lines 1-3", "Light it", "the file was old.go", "“Light the lamp”", "a call shows it", "↪ dormouse show cc_1 --turn 2", "decision: Lamps stay lit", "said by you",
		"Line 4", "in no commit yet", "a call wrote them", "session:cx_2 (deleted)", "no session is known to have made them"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("%q is missing in\n%s", want, r.out)
		}
	}
	if strings.Contains(r.out, "\x1b") {
		t.Error("a terminal would obey the file")
	}
	if r := dormouse(t, home, "blame", "lamp.go", "--json"); r.code != exitOK || !strings.Contains(r.out, `"blocks"`) {
		t.Errorf("%+v", r)
	}
	if r := dormouse(t, home, "blame", "none.go"); r.code == exitOK || !strings.Contains(r.err, "no such file") {
		t.Errorf("%+v", r)
	}
	if r := dormouse(t, home, "blame", "lamp.go:9-1"); r.code != exitUsage || !strings.Contains(r.err, "FILE:10-20") {
		t.Errorf("%+v", r)
	}
}

func TestAHandoffIsPrintedOrWrittenAndReplacesNothingUnasked(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	serving(t, home, localapi.Backend{Handoff: func(_ context.Context, project string) (api.Handoff, error) {
		return api.Handoff{Text: "# Handoff: " + project + "\n", Bytes: 16, Limit: 100}, nil
	}})
	if r := dormouse(t, home, "handoff", "shop"); r.code != exitOK || r.out != "# Handoff: shop\n" {
		t.Errorf("%+v", r)
	}
	if r := dormouse(t, home, "handoff"); r.code != exitOK || r.out != "# Handoff: /home/robin/code\n" {
		t.Errorf("%+v", r)
	}
	out := filepath.Join(t.TempDir(), "page.md")
	if r := dormouse(t, home, "handoff", "shop", "--out", out); r.code != exitOK || r.out != "" || !strings.Contains(r.err, "16 bytes") {
		t.Errorf("%+v", r)
	}
	if r := dormouse(t, home, "handoff", "barn", "--out", out); r.code == exitOK || !strings.Contains(r.err, "--force") {
		t.Errorf("%+v", r)
	}
	if b, _ := os.ReadFile(out); string(b) != "# Handoff: shop\n" {
		t.Errorf("the file holds %q", b)
	}
	if r := dormouse(t, home, "handoff", "barn", "--out", out, "--force", "--json"); r.code != exitOK || !strings.Contains(r.out, `"limit": 100`) {
		t.Errorf("%+v", r)
	}
	if b, _ := os.ReadFile(out); string(b) != "# Handoff: barn\n" {
		t.Errorf("the file holds %q", b)
	}
}

func TestThePreviewPrintsTheBytesThemselves(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	const text = "═══ Dormouse memory · begin ═══\n· \"a\" <b> 冬眠  ↪ session:cc_1\n"
	var asked api.InjectQuery
	serving(t, home, localapi.Backend{Inject: func(_ context.Context, q api.InjectQuery) (api.Injection, error) {
		asked = q
		if q.Agent == "codex" {
			return api.Injection{Agent: q.Agent, Why: "inject.core is off in config.toml"}, nil
		}
		return api.Injection{Agent: q.Agent, Event: "SessionStart", Text: text, Bytes: len(text), Limit: 2048, Output: "{}\n"}, nil
	}})
	r := dormouse(t, home, "inject", "--preview")
	if r.code != exitOK || r.out != text || !strings.Contains(r.err, "of at most 2048 bytes") || asked.Agent != "claude-code" || asked.Cwd != "/home/robin/code" {
		t.Errorf("%+v asked %+v", r, asked)
	}
	if r := dormouse(t, home, "inject", "--preview", "--agent", "codex", "--prompt", "why?", "--cwd", "/w"); r.code != exitOK || r.out != "" || !strings.Contains(r.err, "inject.core is off") || asked.Prompt != "why?" || asked.Cwd != "/w" {
		t.Errorf("%+v asked %+v", r, asked)
	}
	if r := dormouse(t, home, "inject", "--preview", "--json"); r.code != exitOK || !strings.Contains(r.out, `"output": "{}\n"`) {
		t.Errorf("%+v", r)
	}
	if r := dormouse(t, home, "inject"); r.code != exitUsage || !strings.Contains(r.err, "--preview") {
		t.Errorf("%+v", r)
	}
}
