package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dormouse/service/embed"
)

func TestAMeaningIsReadFromWordNetsFormat(t *testing.T) {
	s, ok := readSynset(`00016702 29 v 02 dress_up 0 fig_out(p) 0 002 @ 00047745 v 0000 + 00017639 a 0102 01 + 02 00 | put on special clothes; "She dressed up"; "He did too"`)
	if !ok || s.id != "00016702v" || !slices.Equal(s.words, []string{"dress up", "fig out"}) || !slices.Equal(s.near, []string{"00047745v"}) ||
		s.gloss != "put on special clothes" || !slices.Equal(s.examples, []string{"She dressed up", "He did too"}) {
		t.Errorf("%+v, %v", s, ok)
	}
	more := synset{id: "00047745v", words: []string{"clothe"}, gloss: "cover the body"}
	var got []string
	for _, p := range s.pairs(map[string]*synset{more.id: &more}) {
		got = append(got, p.kind+": "+p.a+" = "+p.b)
	}
	want := []string{"gloss: dress up fig out = put on special clothes", "synonym: dress up = fig out", "example: put on special clothes = She dressed up",
		"example: put on special clothes = He did too", "general: dress up fig out put on special clothes = clothe cover the body"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	for _, line := range []string{"", "  1 This software", "00016702 29 v 99 a 0 | b", "x | y"} {
		if _, ok := readSynset(line); ok {
			t.Errorf("%q is a meaning", line)
		}
	}
}

func TestACommentIsPairedWithItsFunction(t *testing.T) {
	got := filePairs([]byte(`package shop

// Close closes the shop for the night. Open opens it again in the morning, if there is one.
//
// It gives an error when customers are still in the shop.
func (s *Shop) Close() error { return s.lock() }

func lock() {}
`), "k")
	if len(got) != 3 {
		t.Fatalf("%d pairs: %q", len(got), got)
	}
	code := got[0]
	if code.kind != "k code" || !strings.HasPrefix(code.a, "closes the shop") || !strings.HasPrefix(code.b, "shop func (s *Shop) Close") || !strings.HasSuffix(code.b, "}") {
		t.Errorf("%q", code)
	}
	if got[1].a != "closes the shop for the night." || !strings.HasPrefix(got[2].b, "It gives an error") {
		t.Errorf("%q", got[1:])
	}
	if filePairs([]byte("no go"), "k") != nil {
		t.Error("what is no Go gives pairs")
	}
}

func TestAHeadingIsPairedWithItsSection(t *testing.T) {
	got := sections("intro\n\n# How to [install](http://h/x)\n\nRun the one command below and wait until it has ended.\n\n## Empty\n\nshort\n", "k")
	if len(got) != 1 || got[0].a != "How to [install" && strings.TrimSpace(got[0].a) != "How to [install" || !strings.HasPrefix(got[0].b, "Run the one") {
		t.Errorf("%q", got)
	}
}

func TestOnlyPermissiveLicencesAreTaken(t *testing.T) {
	mit := "Permission is hereby granted, free of charge, to any\nperson obtaining a copy of this software"
	for text, want := range map[string]string{
		mit: "MIT", "Apache License\n  Version 2.0, January 2004": "Apache-2.0", "Redistribution and use in source and binary forms, with or without\nmodification, are permitted": "BSD",
		"Mozilla Public License Version 2.0": "", "All rights reserved.": "", mit + " or the GNU General Public License": "", "": "",
	} {
		if name, reason := classify(text); name != want || (name == "") != (reason != "") {
			t.Errorf("%q: %q, %q", text, name, reason)
		}
	}
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, reason := licenceOf(dir); reason != noLicence {
		t.Errorf("%q", reason)
	}
	section := "# A heading\n\nA section that is long enough to say something of use.\n"
	write("LICENSE", mit)
	write("doc.md", section)
	write("third_party/doc.md", section)
	write("other/COPYING.txt", "GNU General Public License")
	write("other/doc.md", section)
	if name, reason := licenceOf(dir); name != "MIT" {
		t.Errorf("%q, %q", name, reason)
	}
	if got, err := markdownPairs(dir, "k"); err != nil || len(got) != 1 {
		t.Errorf("%q, %v: a folder under another licence is not the module's", got, err)
	}
	write("LICENSE.docs", "Creative Commons Attribution")
	if name, _ := licenceOf(dir); name != "" {
		t.Errorf("%q, with a second licence that is not permissive", name)
	}
}

// toy is pairs of made-up words: each of a pair's two sides has words that only this topic has.
func toy() []pair {
	r := rand.New(rand.NewPCG(7, 7))
	var out []pair
	for range 600 {
		topic := r.IntN(20)
		side := func(s string) string {
			return fmt.Sprintf("%s%c%c the %s%c%c", s, 'a'+topic, 'a'+r.IntN(2), s, 'a'+topic, 'a'+r.IntN(2))
		}
		out = append(out, pair{side("question"), side("answer"), "toy"})
	}
	return out
}

func learned(t *testing.T) (*vocab, []byte) {
	t.Helper()
	pairs := toy()
	v := newVocab(pairs, vocabOptions{words: 1000, least: 2})
	n := newNet(v, netOptions{dims: 16, buckets: 64, epochs: 20, batch: 20, rate: 0.1, heat: 0.1, common: 1e-2, seed: 1})
	n.learn(v.encode(pairs))
	raw, err := embed.Build(v.words, n.rows())
	if err != nil {
		t.Fatal(err)
	}
	return v, raw
}

func TestWordsOfOneTopicComeNearEachOther(t *testing.T) {
	v, raw := learned(t)
	if v.words[0] != "the" || v.index["the"] != 0 {
		t.Errorf("the commonest word is %q", v.words[0])
	}
	table, err := embed.NewTable(raw)
	if err != nil {
		t.Fatal(err)
	}
	right := 0
	for topic := range 20 {
		q := table.Vector(fmt.Sprintf("the question%ca", 'a'+topic))
		best, found := float32(-2), -1
		for other := range 20 {
			if s := dot(q, table.Vector(fmt.Sprintf("the answer%ca", 'a'+other))); s > best {
				best, found = s, other
			}
		}
		if found == topic {
			right++
		}
	}
	if right < 18 {
		t.Errorf("%d of 20 questions are nearest to their answer", right)
	}
	if _, again := learned(t); !bytes.Equal(raw, again) {
		t.Error("two runs give different bytes")
	}
}

func TestRecallIsTheShareOfAnswersThatAreFound(t *testing.T) {
	in := shelf{ids: []string{"a", "b", "c", "d", "e", "f"}}
	var s score
	s.add(in, question{gold: []string{"a", "f"}}, []float64{.1, .9, .8, .7, .6, .5})
	s.add(in, question{gold: []string{"b"}}, []float64{.1, 0, 0, 0, 0, 0})
	if s != (score{.5, 1}) { // f in the first five; b was not found at all
		t.Errorf("%v", s)
	}
	if z := standard([]float64{1, 3}); z[0] != -1 || z[1] != 1 {
		t.Errorf("%v", z)
	}
}
