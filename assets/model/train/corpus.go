package main

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"strings"
)

// pair is two texts that mean the same.
type pair struct {
	a, b string
	kind string // pairs of one kind are told apart from each other
}

// source is one origin of text.
type source struct {
	name, version, licence string
	pairs                  int
	sum                    string // SHA-256 of its pairs, shortened
}

type corpusOptions struct {
	wordnet, work string
	most          int // pairs of one module
}

// corpus is all text that the table is made of.
type corpus struct {
	pairs   []pair
	sources []source
	left    []source // that were looked at and not taken, with the reason as their licence
}

// gather collects the pairs of all sources, in a fixed order.
func gather(o corpusOptions) (*corpus, error) {
	c := &corpus{}
	for _, part := range []struct {
		name string
		add  func(*corpus, corpusOptions) error
	}{{"WordNet", addWordNet}, {"Go's standard library", addStandard}, {"Go modules", addModules}, {"npm packages", addPackages}} {
		if err := part.add(c, o); err != nil {
			return nil, fmt.Errorf("%s: %w", part.name, err)
		}
	}
	return c, nil
}

// take adds the pairs of a source, evenly thinned out to most where there are more; 0 takes all.
func (c *corpus) take(s source, pairs []pair, most int) {
	if most > 0 && len(pairs) > most {
		kept := make([]pair, most)
		for i := range kept {
			kept[i] = pairs[i*len(pairs)/most]
		}
		pairs = kept
	}
	if len(pairs) == 0 {
		return
	}
	sum := sha256.New()
	for _, p := range pairs {
		write(sum, p.a)
		write(sum, p.b)
	}
	s.pairs, s.sum = len(pairs), fmt.Sprintf("%x", sum.Sum(nil)[:8])
	c.pairs = append(c.pairs, pairs...)
	c.sources = append(c.sources, s)
}

func write(h hash.Hash, text string) { fmt.Fprintf(h, "%d:%s", len(text), text) }

// list is the list of the sources as Markdown.
func (c *corpus) list(o options, words int, raw []byte) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# What the embedding table is made of\n\n`table.bin` was made by `go run ./assets/model/train`: %d words and %d buckets of pieces of words, %d numbers each,\n"+
		"SHA-256 %x.\n\n", words, o.net.buckets, o.net.dims, sha256.Sum256(raw))
	fmt.Fprintf(&b, "Options: -words %d -least %d -buckets %d -dims %d -epochs %d -batch %d -rate %g -heat %g -common %g -seed %d -most %d\n\n", o.vocab.words, o.vocab.least,
		o.net.buckets, o.net.dims, o.net.epochs, o.net.batch, o.net.rate, o.net.heat, o.net.common, o.net.seed, o.corpus.most)
	b.WriteString("The table holds numbers that were learned from these texts and the words that occur in them, and none of the texts. No other\n" +
		"text took part. The sum is that of the source's pairs (SHA-256, its first 8 bytes).\n\n| source | version | licence | pairs | sum |\n|---|---|---|---|---|\n")
	for _, s := range c.sources {
		fmt.Fprintf(&b, "| %s | %s | %s | %d | %s |\n", s.name, s.version, s.licence, s.pairs, s.sum)
	}
	if len(c.left) > 0 {
		b.WriteString("\nLooked at and left out:\n\n| source | version | reason |\n|---|---|---|\n")
		for _, s := range c.left {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", s.name, s.version, s.licence)
		}
	}
	return []byte(b.String())
}

// enough reports whether a text says something: it has least words and more.
func enough(text string, least int) bool { return len(strings.Fields(text)) >= least }
