package redact

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"testing"
)

// transcriptTexts are the strings in sample transcripts, as the parsers hand them on.
func transcriptTexts(t testing.TB) (out []string, size int64) {
	t.Helper()
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			out = append(out, v)
			size += int64(len(v))
		case []any:
			for _, x := range v {
				walk(x)
			}
		case map[string]any:
			for _, x := range v {
				walk(x)
			}
		}
	}
	for _, path := range sampleFiles(t, 64<<20, 200) {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(bytes.NewReader(raw))
		lines.Buffer(nil, 64<<20)
		for lines.Scan() {
			var v any
			if json.Unmarshal(lines.Bytes(), &v) == nil {
				walk(v)
			}
		}
	}
	return out, size
}

func BenchmarkTextOfTranscripts(b *testing.B) {
	r := newTestRedactor(b)
	texts, size := transcriptTexts(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range texts {
			if _, _, err := r.Text(s); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := New(Options{Key: []byte("k")}); err != nil {
			b.Fatal(err)
		}
	}
}

func TestTranscriptsAreLeftAlmostAlone(t *testing.T) {
	r := newTestRedactor(t)
	texts, _ := transcriptTexts(t)
	changed := 0
	for _, s := range texts {
		if _, n, err := r.Text(s); err != nil || n > 0 {
			changed++
			if err != nil {
				t.Error(err)
			}
		}
	}
	if changed*10_000 > len(texts) {
		t.Errorf("%d of %d texts of published transcripts were changed", changed, len(texts))
	}
}
