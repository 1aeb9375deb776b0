package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

const wordnetPackage = "wordnet-base"

// wordnetLicence names the licence, with the notice that it asks for.
const wordnetLicence = "WordNet 3.0 licence; WordNet 3.0 Copyright 2006 by Princeton University. All rights reserved."

// synset is one meaning, with the words that have it.
type synset struct {
	id       string
	words    []string
	gloss    string
	examples []string
	near     []string // ids of more general meanings, or of similar ones
}

// addWordNet adds words and their glosses, glosses and their examples, synonyms, and meanings with the next more general one.
func addWordNet(c *corpus, o corpusOptions) error {
	dir, version := o.wordnet, "as given"
	if dir == "" {
		var err error
		if dir, version, err = downloadWordNet(o.work); err != nil {
			return err
		}
	}
	var all []synset
	byID := map[string]*synset{}
	for _, part := range []string{"noun", "verb", "adj", "adv"} {
		b, err := os.ReadFile(filepath.Join(dir, "data."+part))
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(b)) {
			if s, ok := readSynset(line); ok {
				all = append(all, s)
			}
		}
	}
	for i := range all {
		byID[all[i].id] = &all[i]
	}
	var pairs []pair
	for _, s := range all {
		pairs = append(pairs, s.pairs(byID)...)
	}
	c.take(source{name: "WordNet 3.0, Debian package " + wordnetPackage, version: version, licence: wordnetLicence}, pairs, 0)
	return nil
}

// downloadWordNet fetches Debian's package and unpacks it.
func downloadWordNet(work string) (dir, version string, err error) {
	get := exec.Command("apt-get", "download", wordnetPackage)
	get.Dir = work
	if out, err := get.CombinedOutput(); err != nil {
		return "", "", fmt.Errorf("download %s: %w: %s; on a system without apt-get name a folder with WordNet's data files by -wordnet", wordnetPackage, err, out)
	}
	found, err := filepath.Glob(filepath.Join(work, wordnetPackage+"_*.deb"))
	if err != nil || len(found) == 0 {
		return "", "", fmt.Errorf("apt-get left no package in %s", work)
	}
	deb := found[len(found)-1]
	if out, err := exec.Command("dpkg-deb", "-x", deb, filepath.Join(work, "wordnet")).CombinedOutput(); err != nil {
		return "", "", fmt.Errorf("unpack %s: %w: %s", deb, err, out)
	}
	out, err := exec.Command("dpkg-deb", "-f", deb, "Version").Output()
	return filepath.Join(work, "wordnet", "usr", "share", "wordnet"), strings.TrimSpace(string(out)), err
}

// readSynset reads a line of a data file; wndb(5) has its format.
func readSynset(line string) (synset, bool) {
	head, gloss, ok := strings.Cut(line, " | ")
	f := strings.Fields(head)
	if !ok || len(f) < 6 || strings.HasPrefix(line, " ") {
		return synset{}, false
	}
	n, err := strconv.ParseUint(f[3], 16, 8)
	at := 4 + 2*int(n)
	if err != nil || len(f) < at+1 {
		return synset{}, false
	}
	s := synset{id: f[0] + kindOfSynset(f[2])}
	for i := range int(n) {
		word, _, _ := strings.Cut(f[4+2*i], "(")
		s.words = append(s.words, strings.ReplaceAll(word, "_", " "))
	}
	for i := at + 1; i+3 < len(f); i += 4 {
		id := f[i+1] + kindOfSynset(f[i+2])
		switch f[i] {
		case "@", "@i", "&", "*", ">":
			s.near = append(s.near, id)
		}
	}
	s.gloss, s.examples = readGloss(strings.TrimSpace(gloss))
	return s, true
}

// kindOfSynset is the part of speech in an id; an adjective satellite lies among the adjectives.
func kindOfSynset(s string) string {
	if s == "s" {
		return "a"
	}
	return s
}

// readGloss divides a gloss from the examples behind it, which stand in quotation marks.
func readGloss(text string) (gloss string, examples []string) {
	parts := strings.Split(text, "\"")
	for i := 1; i < len(parts); i += 2 {
		examples = append(examples, parts[i])
	}
	return strings.TrimRight(parts[0], "; "), examples
}

// pairs are those of one meaning.
func (s synset) pairs(byID map[string]*synset) []pair {
	var out []pair
	words := strings.Join(s.words, " ")
	out = append(out, pair{words, s.gloss, "gloss"})
	for i := 1; i < len(s.words); i++ {
		out = append(out, pair{s.words[0], s.words[i], "synonym"})
	}
	for _, e := range s.examples {
		out = append(out, pair{s.gloss, e, "example"})
	}
	for i, id := range s.near {
		if n := byID[id]; n != nil && i < 1 {
			out = append(out, pair{words + " " + s.gloss, strings.Join(n.words, " ") + " " + n.gloss, "general"})
		}
	}
	return out
}
