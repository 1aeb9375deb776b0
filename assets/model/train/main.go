package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"dormouse/service/embed"
)

type options struct {
	out, sources, work, judge, table string
	corpus                           corpusOptions
	vocab                            vocabOptions
	net                              netOptions
}

func main() {
	log.SetFlags(log.Ltime)
	var o options
	flag.StringVar(&o.out, "out", filepath.FromSlash("assets/model/table.bin"), "where the table is written")
	flag.StringVar(&o.sources, "sources", filepath.FromSlash("assets/model/SOURCES.md"), "where the list of the sources is written")
	flag.StringVar(&o.corpus.wordnet, "wordnet", "", "folder with WordNet's data files; by default Debian's wordnet-base is downloaded")
	flag.StringVar(&o.work, "work", "", "folder for what is downloaded; by default a temporary one")
	flag.StringVar(&o.table, "table", "", "judge this table and train none")
	flag.StringVar(&o.judge, "judge", "", "folder with benchmark data that the table is judged on (locomo, sessions, multiling)")
	flag.IntVar(&o.vocab.words, "words", 40000, "how many words the table knows at most")
	flag.IntVar(&o.vocab.least, "least", 3, "how often a word must occur")
	flag.IntVar(&o.net.buckets, "buckets", 8192, "how many vectors the pieces of words share")
	flag.IntVar(&o.net.dims, "dims", 128, "numbers a vector")
	flag.IntVar(&o.net.epochs, "epochs", 4, "how often each pair is seen")
	flag.IntVar(&o.net.batch, "batch", 512, "pairs that are told apart at once")
	flag.Float64Var(&o.net.rate, "rate", 0.05, "rate of learning")
	flag.Float64Var(&o.net.heat, "heat", 0.05, "temperature of the loss")
	flag.Float64Var(&o.net.common, "common", 2e-4, "share of the text from which on a word counts less at the start")
	flag.Int64Var(&o.net.seed, "seed", 1, "seed of all chance")
	flag.IntVar(&o.corpus.most, "most", 8000, "pairs that one module gives at most")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func run(o options) error {
	raw, err := os.ReadFile(o.table)
	if o.table == "" {
		raw, err = train(o)
	}
	if err != nil {
		return err
	}
	t, err := embed.NewTable(raw)
	if err != nil || o.judge == "" {
		return err
	}
	return judge(os.Stdout, o.judge, t)
}

// train makes the table and writes it and the list of its sources.
func train(o options) (raw []byte, err error) {
	o.corpus.work = o.work
	if o.work == "" {
		if o.corpus.work, err = os.MkdirTemp("", "dormouse-train"); err != nil {
			return nil, err
		}
		defer os.RemoveAll(o.corpus.work) //nolint:errcheck // temporary
	}
	c, err := gather(o.corpus)
	if err != nil {
		return nil, err
	}
	v := newVocab(c.pairs, o.vocab)
	log.Printf("%d pairs of %d sources, %d words", len(c.pairs), len(c.sources), len(v.words))
	n := newNet(v, o.net)
	n.learn(v.encode(c.pairs))
	if raw, err = embed.Build(v.words, n.rows()); err != nil {
		return nil, err
	}
	if err := os.WriteFile(o.out, raw, 0o644); err != nil {
		return nil, err
	}
	return raw, os.WriteFile(o.sources, c.list(o, len(v.words), raw), 0o644)
}
