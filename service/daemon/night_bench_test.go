package daemon

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"dormouse/assets"
	"dormouse/service/sleep"
)

// apiIDs are the ids that the provider gave.
var apiIDs = regexp.MustCompile(`(msg_|toolu_|req_)\w+`)

// busyDay writes n sessions of some 500 nodes: the sample sessions one after the other, each under ids of its own and as the
// continuation of the one before.
func busyDay(tb testing.TB, roots string, n int) {
	tb.Helper()
	all := tb.TempDir()
	if _, err := assets.ExtractSamples(all); err != nil {
		tb.Fatal(err)
	}
	var texts []string
	err := filepath.WalkDir(filepath.Join(all, filepath.FromSlash(assets.SampleClaude)), func(p string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && strings.HasSuffix(p, ".jsonl") {
			b, err := os.ReadFile(p)
			texts = append(texts, string(b))
			return err
		}
		return err
	})
	if err != nil || len(texts) == 0 {
		tb.Fatal("no samples", err)
	}
	for i := range n {
		dir := filepath.Join(roots, filepath.FromSlash(assets.SampleClaude), fmt.Sprintf("-day-%d", i%5))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			tb.Fatal(err)
		}
		id := func(of string) string {
			h := digestOf(of)
			return h[:8] + "-" + h[8:12] + "-4" + h[13:16] + "-8" + h[17:20] + "-" + h[20:32]
		}
		session, last := id(fmt.Sprint("session", i)), ""
		var out strings.Builder
		for part := 0; part < 40 && strings.Count(out.String(), `"type":"assistant"`) < 450; part++ {
			for _, line := range strings.SplitAfter(texts[(i+part)%len(texts)], "\n") {
				at := strings.Index(line, `"sessionId":"`)
				if at < 0 {
					continue
				}
				old := line[at+13 : at+13+36]
				line = uuid.ReplaceAllStringFunc(line, func(u string) string {
					if u == old {
						return session
					}
					return id(fmt.Sprint(i, part, u))
				})
				line = apiIDs.ReplaceAllString(line, "${0}x"+fmt.Sprintf("%dx%d", i, part))
				if last != "" {
					line = strings.Replace(line, `"parentUuid":null`, `"parentUuid":"`+last+`"`, 1)
				}
				if at := strings.Index(line, `"uuid":"`); at >= 0 {
					last = line[at+8 : at+8+36]
				}
				out.WriteString(line)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, session+".jsonl"), []byte(out.String()), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
}

// BenchmarkNight measures the CPU of the whole sleep of a normal day: 20 sessions, some 10,000 nodes, read by the rules.
func BenchmarkNight(b *testing.B) {
	spent, nodes, slowest := 0.0, 0, ""
	for b.Loop() {
		dir, roots := b.TempDir(), b.TempDir()
		ready := make(chan struct{})
		p := params(dir, roots)
		p.Report = func(r Report) {
			if r.Stage == StageReady {
				close(ready)
			}
		}
		d, done := New(p), make(chan error, 1)
		go func() { done <- d.Run(b.Context()) }()
		<-ready
		busyDay(b, roots, 20)
		if err := d.engine.Scan(b.Context()); err != nil {
			b.Fatal(err)
		}
		if err := d.indexSessions(b.Context(), nil); err != nil {
			b.Fatal(err)
		}
		begin := cpu()
		n, err := d.sleepThrough(b.Context(), sleep.Decision{Action: sleep.Deep, Due: sleep.LastNight(clock(), d.settings())}, open)
		spent += (cpu() - begin).Seconds()
		if err != nil || len(n.Failures()) > 0 {
			b.Fatal(n, err)
		}
		nodes = n.Counts.Nodes
		slowest = fmt.Sprintf("%+v", n.Stages)
		d.stop()
		if err := <-done; err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(spent/float64(b.N), "cpu-s")
	b.ReportMetric(float64(nodes), "nodes")
	b.Log(slowest)
}
