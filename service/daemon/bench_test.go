package daemon

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"dormouse/assets"
	"dormouse/service/api"
	"dormouse/service/client"
)

var uuid = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// crowd writes n sessions that are copies of a small real one under ids of their own.
func crowd(tb testing.TB, n int) (roots string, bytes int64) {
	tb.Helper()
	all := tb.TempDir()
	if _, err := assets.ExtractSamples(all); err != nil {
		tb.Fatal(err)
	}
	var text string
	err := filepath.WalkDir(filepath.Join(all, filepath.FromSlash(assets.SampleClaude)), func(p string, d fs.DirEntry, err error) error {
		if err == nil && strings.Contains(p, "wks-cli") && d.Type().IsRegular() {
			b, err := os.ReadFile(p)
			text = string(b)
			return err
		}
		return err
	})
	if err != nil || text == "" {
		tb.Fatal("no sample", err)
	}
	roots = tb.TempDir()
	for i := range n {
		dir := filepath.Join(roots, filepath.FromSlash(assets.SampleClaude), fmt.Sprintf("-project-%d", i%20))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			tb.Fatal(err)
		}
		other := func(id string) string {
			h := digestOf(fmt.Sprint(i, id))
			return h[:8] + "-" + h[8:12] + "-4" + h[13:16] + "-8" + h[17:20] + "-" + h[20:32]
		}
		copied := uuid.ReplaceAllStringFunc(text, other)
		copied = strings.ReplaceAll(copied, "/Users/dev/wks/cli", fmt.Sprintf("/Users/dev/wks/cli%d", i%20))
		copied = regexp.MustCompile(`(msg_|toolu_|req_)\w+`).ReplaceAllStringFunc(copied, func(id string) string { return id + fmt.Sprint("x", i) })
		bytes += int64(len(copied))
		name := filepath.Join(dir, other("session")+".jsonl")
		if err := os.WriteFile(name, []byte(copied), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	return roots, bytes
}

func digestOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// BenchmarkStart measures the CPU of a service's first pass over 1,000 sessions: the first time, and again when there is
// nothing new.
func BenchmarkStart(b *testing.B) {
	roots, bytes := crowd(b, 1000)
	home := b.TempDir()
	once := func() float64 {
		ready := make(chan struct{})
		p := params(home, roots)
		p.Report = func(r Report) {
			if r.Stage == StageReady {
				close(ready)
			}
		}
		begin := cpu()
		done := make(chan error, 1)
		go func() { done <- New(p).Run(b.Context()) }()
		<-ready
		spent := cpu() - begin
		c := client.New(client.Options{Home: home})
		if err := c.Stop(b.Context()); err != nil {
			b.Fatal(err)
		}
		if err := <-done; err != nil {
			b.Fatal(err)
		}
		return spent.Seconds()
	}
	first, again := once(), 0.0
	for b.Loop() {
		again += once()
	}
	b.ReportMetric(first, "first-cpu-s")
	b.ReportMetric(float64(bytes)/1e6, "MB")
	b.ReportMetric(again/float64(b.N), "again-cpu-s")
}

// queries are what people ask, in words of the samples and in others.
var queries = []string{"lint", "session id", "why does the hook fail", "plugin marketplace.json", "ContextTab.tsx", "shadow branch", "test coverage",
	"merge conflict in the parent branch", "C++", "token usage", "no such words anywhere zzz", "rename the flag"}

// BenchmarkSearch measures the CPU of a search over the sample transcripts beside the repository, else over those that ship.
func BenchmarkSearch(b *testing.B) {
	all := b.TempDir()
	if _, err := assets.ExtractSamples(all); err != nil {
		b.Fatal(err)
	}
	p := params(b.TempDir(), all)
	if more, err := filepath.Abs("../../../shared/samples/claude-code"); err == nil {
		if _, err := os.Stat(more); err == nil {
			p.Config.Capture.Roots["claude-code"] = append(p.Config.Capture.Roots["claude-code"], more)
		}
	}
	ready := make(chan struct{})
	p.Report = func(r Report) {
		if r.Stage == StageReady {
			close(ready)
		}
	}
	d, done := New(p), make(chan error, 1)
	ctx, stop := context.WithCancel(b.Context())
	go func() { done <- d.Run(ctx) }()
	<-ready
	begin, n := cpu(), 0
	for b.Loop() {
		if _, err := d.search(ctx, api.SearchQuery{Words: queries[n%len(queries)], Limit: 10}); err != nil {
			b.Fatal(err)
		}
		n++
	}
	b.ReportMetric(float64((cpu()-begin).Microseconds())/1000/float64(n), "cpu-ms/op")
	b.ReportMetric(float64(d.index.Stats().Docs), "docs")
	stop()
	if err := <-done; err != nil {
		b.Fatal(err)
	}
}
