package main

import (
	"strings"
	"testing"

	"dormouse/service/api"
	"dormouse/store/memory"
)

func TestALongTextIsShownWithTheWayToTheRestOfIt(t *testing.T) {
	n := memory.Node{ID: "n", Role: memory.RoleTool, Name: "Bash", Output: "head\n[...]\ntail",
		Metadata: memory.Metadata{Files: []memory.File{{Path: "files/x.txt", Bytes: 50_000_000, Blob: "0123456789abcdef"}}}}
	s := api.Session{Session: memory.Session{ID: "cc_1a2b3c4d"}, Turns: 1, Nodes: 1}
	lines := formatTranscript(view{}, api.Transcript{Session: s, Turns: []api.Turn{{N: 1, Nodes: []memory.Node{n}}}})
	want := "whole text, 50 MB: git cat-file blob 0123456789abcdef, in the folder that dormouse open cc_1a2b3c4d shows"
	if got := strings.Join(lines, "\n"); !strings.Contains(got, want) {
		t.Errorf("it shows\n%s", got)
	}
}
