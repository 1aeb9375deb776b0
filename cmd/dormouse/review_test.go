package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dormouse/service/api"
	"dormouse/service/daemon"
	"dormouse/store/memory"
)

func testReview() api.Review {
	return api.Review{Total: 40, Items: []api.ReviewItem{
		{ID: "de_0123456789abcdef", What: "merge", Kind: memory.RecordEntity, Text: "worker", Other: "service.backend", OtherText: "backend", Reason: "the sessions say so", ProjectID: "p1"},
		{ID: "fa_0123456789ab", What: "contradiction", Kind: memory.RecordFact, Text: "service.worker listens-on 81", Reason: "it contradicts another fact, and neither overrules the other",
			Contests: []api.Contested{{ID: "fa_ba9876543210", Text: "service.worker listens-on 80"}}, Trust: memory.TrustAgent, ProjectID: "p1", SessionID: "cc_1a2b3c4d", Turn: 2, Time: unixp("2026-05-04 14:02")},
		{ID: "ev_0123456789ab", What: "candidate", Kind: memory.RecordEvent, Text: "A page says that\ttabs are better", Reason: "only a tool or a page says it", Trust: memory.TrustQuoted, ProjectID: "p1", SessionID: "cc_1a2b3c4d"},
	}}
}

func testDecision(action memory.Action, accepted bool, text, reason string) api.DecisionShown {
	return api.DecisionShown{Text: text, Decision: memory.Decision{ID: "de_" + strings.Repeat("0", 15) + string(action[0]), Action: action, Accepted: accepted, Reason: reason,
		By: memory.ByPerson, ObservedAt: unix("2026-05-04 18:00"), Proposal: memory.Proposal{Kind: memory.RecordEvent}}}
}

func testDecided() api.Decided {
	return api.Decided{Text: "Fixed TestOpen: red to green", Decisions: []memory.Decision{testDecision(memory.ActionForget, true, "", "private").Decision}}
}

func testDecisions() api.Decisions {
	undone := testDecision(memory.ActionForget, true, "Badger needs one writer", "private")
	undone.Undone = true
	undo := testDecision(memory.ActionUndo, true, "", "it was wrong")
	undo.Undoes = memory.Ref(undone.ID)
	gone := testDecision(memory.ActionAdd, true, "", "")
	gone.Erased = true
	return api.Decisions{Total: 9, Decisions: []api.DecisionShown{undo, undone, testDecision(memory.ActionAdd, false, "Chose tabs", "not so"), gone}}
}

func testFacts() api.Facts {
	fact := func(id, verb, object string, from, until *int64) memory.Fact {
		return memory.Fact{ID: id, Subject: "person", Verb: verb, Object: object, Status: memory.StatusActive, ValidFrom: from, ValidUntil: until, Trust: memory.TrustPerson,
			Provenance: memory.Provenance{ProjectID: "p1", SessionID: "cc_1a2b3c4d", NodeIDs: []string{"n1"}}}
	}
	return api.Facts{Total: 2, Facts: []api.FactShown{
		{Fact: fact("fa_1", "prefers", "tabs", nil, nil), State: "served", Turn: 2},
		{Fact: fact("fa_2", "instructs", "freeze the schema", unixp("2026-06-01 00:00"), unixp("2026-07-01 00:00")), State: "future"},
	}}
}

func testTags() api.Tags {
	tag := func(name string) memory.Tag {
		return memory.Tag{ID: memory.TagID(name), Name: name, Scope: memory.ProjectScope("p1")}
	}
	seg := func(n, summary string, at *int64) api.SegmentShown {
		return api.SegmentShown{Turn: 2, Turns: 3, Time: at, Segment: memory.Segment{ID: "sg_" + n, Summary: summary, Scope: memory.ProjectScope("p1"),
			Full: memory.Span{SessionID: "cc_1a2b3c4d", FromNode: "n1", ToNode: "n9"}}}
	}
	return api.Tags{Total: 9, Tags: []api.TagShown{
		{Tag: tag("redaction"), Names: []string{"scrub"}, Segments: 4, Turns: 11, Sessions: 3,
			Summary: &memory.TagSummary{Summary: "Secrets are taken out before anything is written", MadeBy: "some-model"}},
		{Tag: tag("sync"), Parts: []string{"join", "push"}, Segments: 1, Turns: 1, Sessions: 1},
	}, Segments: []api.SegmentShown{
		seg("1", "Read keys of providers by their first letters; Left placeholders as they are", unixp("2026-05-04 10:00")),
		seg("2", "Redacted texts in windows of 64 KB", nil),
	}}
}

func TestReviewPages(t *testing.T) {
	for name, format := range map[string]func(view) []string{
		"review":      func(v view) []string { return formatReview(v, names{"p1": "dormouse"}, testReview()) },
		"review-none": func(v view) []string { return formatReview(v, nil, api.Review{}) },
		"forgotten":   func(v view) []string { return formatDecided(v, api.Decide{Action: api.DoForget}, testDecided()) },
		"erased": func(v view) []string {
			return formatDecided(v, api.Decide{Action: api.DoErase, ID: "person.x"}, api.Decided{Mentions: 2})
		},
		"ledger":      func(v view) []string { return formatDecisions(v, testDecisions()) },
		"ledger-none": func(v view) []string { return formatDecisions(v, api.Decisions{}) },
		"facts":       func(v view) []string { return formatFacts(v, api.FactQuery{}, names{"p1": "dormouse"}, testFacts()) },
		"tags":        func(v view) []string { return formatTags(v, api.TagQuery{}, names{"p1": "dormouse"}, testTags()) },
		"tags-none":   func(v view) []string { return formatTags(v, api.TagQuery{}, nil, api.Tags{}) },
		"tag": func(v view) []string {
			return formatTags(v, api.TagQuery{Tag: "redact"}, names{"p1": "dormouse"}, testTags())
		},
		"facts-none":   func(v view) []string { return formatFacts(v, api.FactQuery{}, nil, api.Facts{}) },
		"verify-right": func(v view) []string { return formatVerified(v, daemon.Verified{Lines: 1204}) },
		"verify-wrong": func(v view) []string {
			return formatVerified(v, daemon.Verified{Lines: 12, Faults: []daemon.Fault{{File: "/home/robin/.dormouse/memory/log/1a2b3c4d/2026-05-04.jsonl", Line: 7, Reason: "its text was changed after it was written"}}})
		},
	} {
		golden(t, name+".80", format(viewOf(80)))
	}
}

func TestReviewCommandsSayWhatIsDecided(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	f := serve(t, home)
	day := func(s string, end int64) int64 { return unix(s+" 00:00") + end }
	for args, want := range map[string]string{
		"review --limit 7":                                     "review  7",
		"review accept ev_1 --reason ok":                       "decide {Action:accept ID:ev_1 Project: Other: Parts:[] To: Set: Reason:ok}",
		"review refuse de_1":                                   "decide {Action:refuse ID:de_1 Project: Other: Parts:[] To: Set: Reason:}",
		"review edit ev_1 --summary Better":                    `decide {Action:edit ID:ev_1 Project: Other: Parts:[] To: Set:{"summary":"Better"} Reason:}`,
		"review edit fa_1 --until 2026-05-01":                  fmt.Sprintf(`decide {Action:edit ID:fa_1 Project: Other: Parts:[] To: Set:{"valid_until":%d} Reason:}`, day("2026-05-01", 0)),
		"review edit e --set {\"aliases\":[\"b\"]}":            `decide {Action:edit ID:e Project: Other: Parts:[] To: Set:{"aliases":["b"]} Reason:}`,
		"review merge a.x a.y -p dormouse":                     "decide {Action:merge ID:a.x Project:dormouse Other:a.y Parts:[] To: Set: Reason:}",
		"review split a.x one two":                             "decide {Action:split ID:a.x Project: Other: Parts:[one two] To: Set: Reason:}",
		"review pin ev_1":                                      "decide {Action:pin ID:ev_1 Project: Other: Parts:[] To: Set: Reason:}",
		"review unpin ev_1":                                    "decide {Action:unpin ID:ev_1 Project: Other: Parts:[] To: Set: Reason:}",
		"review scope ev_1 private":                            "decide {Action:scope ID:ev_1 Project: Other: Parts:[] To:private Set: Reason:}",
		"forget ev_1":                                          "decide {Action:forget ID:ev_1 Project: Other: Parts:[] To: Set: Reason:}",
		"review forget ev_1":                                   "decide {Action:forget ID:ev_1 Project: Other: Parts:[] To: Set: Reason:}",
		"forget ev_1 --erase --yes":                            "decide {Action:erase ID:ev_1 Project: Other: Parts:[] To: Set: Reason:}",
		"undo de_1":                                            "decide {Action:undo ID:de_1 Project: Other: Parts:[] To: Set: Reason:}",
		"ledger ev_1 -n 3":                                     "decisions {ID:ev_1 Limit:3}",
		"facts person --all":                                   "facts {Subject:person Project: All:true AsOf:{Event:0 Known:0} Limit:100 For:}",
		"facts --as-of-event 2026-03-01 --as-of-known 2026-04": fmt.Sprintf("facts {Subject: Project: All:false AsOf:{Event:%d Known:%d} Limit:100 For:}", day("2026-03-01", 86399), day("2026-05-01", -1)),
		"tags":                         "tags {Tag: Project: Limit:50 For:}",
		"tags redact -p dormouse -n 3": "tags {Tag:redact Project:dormouse Limit:3 For:}",
		"timeline --tag redact":        "timeline {Since:0 Until:0 Entity: Tag:redact Project: Kinds:[] Superseded:false Limit:30 AsOf:{Event:0 Known:0} For:}",
		"timeline --as-of-known 2026-05-01T14:00:00+02:00": fmt.Sprintf("timeline {Since:0 Until:0 Entity: Tag: Project: Kinds:[] Superseded:false Limit:30 AsOf:{Event:0 Known:%d} For:}", unix("2026-05-01 14:00")),
		"graph open.go --as-of-event 2026-03-01":           fmt.Sprintf("graph {Entity:open.go Hops:1 Project: AsOf:{Event:%d Known:0} For:}", day("2026-03-01", 86399)),
	} {
		f.asked = nil
		if r := dormouse(t, home, strings.Fields(args)...); r.code != exitOK || !slices.Contains(f.asked, want) {
			t.Errorf("%s: code %d, asked %q, want %q\n%s", args, r.code, f.asked, want, r.err)
		}
	}
	for args, want := range map[string]string{
		"review edit ev_1":                  "what is to be changed",
		"review edit ev_1 --set nonsense":   "JSON object",
		"review edit fa_1 --from someday":   "--from",
		"review merge a.x":                  "merge takes ID INTO",
		"review split a.x":                  "split takes ID NAME",
		"facts --as-of-event someday":       "--as-of-event",
		"forget":                            "forget takes the id",
		"undo":                              "undo takes the id",
		"review accept ev_1 --nonsense":     "unknown flag",
		"timeline --as-of-known yesteryear": "--as-of-known",
	} {
		f.asked = nil
		if r := dormouse(t, home, strings.Fields(args)...); r.code == exitOK || !strings.Contains(r.err, want) || len(f.asked) > 0 {
			t.Errorf("%s: code %d, asked %q, said %s", args, r.code, f.asked, r.err)
		}
	}
}

func TestAnEraseAsksUnlessToldNotTo(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	f := serve(t, home)
	for typed, want := range map[string]bool{"yes\n": true, "no\n": false, "": false} {
		f.asked = nil
		r := answering(t, home, typed, "forget", "ev_1", "--erase")
		if did := len(f.asked) > 0; did != want || (r.code == exitOK) != want || !strings.Contains(r.err, "cannot be undone") {
			t.Errorf("%q: erased %v, code %d, %s", typed, did, r.code, r.err)
		}
	}
}

func TestTheTimelineShowsIDsWhenAsked(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	serve(t, home)
	if r := dormouse(t, home, "timeline", "--ids"); !strings.Contains(r.out, "ev_1 ·") {
		t.Errorf("%s", r.out)
	}
}

func TestVerifyNamesWhatIsWrongAndNeedsNoService(t *testing.T) {
	home := t.TempDir()
	if r := dormouse(t, home, "verify"); r.code != exitOK || !strings.Contains(r.out, "Nothing to check") {
		t.Fatalf("%d %s %s", r.code, r.out, r.err)
	}
	path := filepath.Join(home, "memory", "log", "aa", "2026-05-04.jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(`{"type":"run","machine":"aa","prev_hash":"made up","salt":"00","digest":"11"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := dormouse(t, home, "verify", "--json")
	if r.code != exitFailure || !strings.Contains(r.out, `"line": 1`) || !strings.Contains(r.out, "2026-05-04.jsonl") {
		t.Errorf("%d %s %s", r.code, r.out, r.err)
	}
}
