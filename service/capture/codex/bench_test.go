package codex_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"dormouse/service/capture/codex"
	"dormouse/service/capture/transcript"
)

func BenchmarkParse(b *testing.B) {
	names, _ := filepath.Glob(filepath.Join("..", "..", "..", "..", "shared", "samples", "codex", "*.jsonl"))
	if len(names) == 0 {
		names, _ = filepath.Glob("testdata/*.jsonl")
	}
	var texts [][]byte
	total := 0
	for _, n := range names {
		text, err := os.ReadFile(n)
		if err != nil {
			b.Fatal(err)
		}
		texts = append(texts, text)
		total += len(text)
	}
	b.SetBytes(int64(total))
	b.ReportAllocs()
	for b.Loop() {
		for _, text := range texts {
			p := codex.New(transcript.Options{})
			p.Open(transcript.File{Path: "f", Session: "s"})
			r := transcript.NewReader(bytes.NewReader(text), "f", transcript.Place{}, 0, nil)
			for {
				l, err := r.Next()
				if err != nil {
					break
				}
				p.Feed(l)
				p.Drain(transcript.Growing)
			}
			p.Drain(transcript.Over)
		}
	}
}
