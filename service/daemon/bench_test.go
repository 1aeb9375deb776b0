package daemon

import (
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
