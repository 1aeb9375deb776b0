package session

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/store/memory"
)

// prose makes texts like those of real sessions: words of a limited vocabulary, numbers and paths.
type prose struct{ r *rand.Rand }

func (p prose) text(n int) string {
	var b strings.Builder
	for b.Len() < n {
		switch k := p.r.IntN(12); k {
		case 0:
			fmt.Fprintf(&b, "src/pkg%d/file%d.go:%d\n", p.r.IntN(40), p.r.IntN(200), p.r.IntN(900))
		case 1:
			fmt.Fprintf(&b, "%x ", p.r.Uint32())
		default:
			// Zipf-like: small numbers are common.
			w := int(1 / (p.r.Float64() + 0.0004))
			fmt.Fprintf(&b, "%s%s ", syllables[w%len(syllables)], syllables[w/len(syllables)%len(syllables)])
		}
	}
	return b.String()[:n]
}

var syllables = strings.Fields("con tent the re turn er ing value func err if nil for range test file add new line of to in and is a was it read write open close")

// conversation makes nodes of about 3.2 KB of JSON, five a turn.
func conversation(turns int) []memory.Node {
	p := prose{rand.New(rand.NewPCG(1, 2))}
	nodes := talk(1, turns+1)
	for i := range nodes {
		nodes[i].Output = p.text(300 + p.r.IntN(5200))
	}
	return nodes
}

func jsonBytes(b *testing.B, nodes []memory.Node) (n int64) {
	b.Helper()
	for _, node := range nodes {
		data, err := node.MarshalJSON()
		if err != nil {
			b.Fatal(err)
		}
		n += int64(len(data))
	}
	return n
}

func benchSession(b *testing.B, nodes []memory.Node) *Session {
	b.Helper()
	x, err := New(Options{Dir: filepath.Join(b.TempDir(), "sessions")}).Ensure(memory.Session{Agent: "test", AgentSessionID: "bench"}, "tt")
	if err != nil {
		b.Fatal(err)
	}
	if len(nodes) > 0 {
		benchAdd(b, x, true, nodes)
	}
	return x
}

func benchAdd(b *testing.B, x *Session, bulk bool, nodes []memory.Node) {
	batch := x.Begin(bulk)
	for _, n := range nodes {
		if _, err := batch.Append(n); err != nil {
			b.Fatal(err)
		}
	}
	if err := batch.Close(true); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkCommitTurn appends one turn of five nodes live to a session of some size, and commits it.
func BenchmarkCommitTurn(b *testing.B) {
	for _, size := range []int{100, 1_000, 5_000, 20_000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			x := benchSession(b, conversation(size/5))
			turn := size/5 + 1
			more := conversation(size/5 + 400)[size:]
			_ = x.Has("") // the history is loaded once
			cpu := cpuTime()
			b.ResetTimer()
			for i := range b.N {
				at := i % 400 * 5
				nodes := append([]memory.Node(nil), more[at:at+5]...)
				for k := range nodes {
					nodes[k].ID = memory.NodeID("bench", fmt.Sprint(turn), fmt.Sprint(k))
				}
				benchAdd(b, x, false, nodes)
				turn++
			}
			b.ReportMetric(float64((cpuTime()-cpu).Microseconds())/1000/float64(b.N), "cpu-ms/turn")
		})
	}
}

// BenchmarkImport streams a session in bulk: encode, hash, compress, pack, commit.
func BenchmarkImport(b *testing.B) {
	for _, size := range []int{100, 1_000, 5_000, 20_000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			nodes := conversation(size / 5)
			n := jsonBytes(b, nodes)
			b.SetBytes(n)
			cpu := cpuTime()
			b.ResetTimer()
			for range b.N {
				benchSession(b, nodes)
			}
			b.ReportMetric(float64(n)*float64(b.N)/1e6/(cpuTime()-cpu).Seconds(), "MB/cpu-s")
		})
	}
}

// BenchmarkRead streams all nodes of a cold session, and opens one for appending.
func BenchmarkRead(b *testing.B) {
	for _, size := range []int{1_000, 20_000} {
		nodes := conversation(size / 5)
		x := benchSession(b, nodes)
		b.Run(fmt.Sprintf("nodes/%d", size), func(b *testing.B) {
			b.SetBytes(jsonBytes(b, nodes))
			for range b.N {
				for _, err := range x.Nodes(1) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
		b.Run(fmt.Sprintf("open/%d", size), func(b *testing.B) {
			for range b.N {
				x.drop()
				if x.Len() != size {
					b.Fatal("nodes are missing")
				}
			}
		})
		b.Run(fmt.Sprintf("links/%d", size), func(b *testing.B) {
			for range b.N {
				x.drop()
				if len(x.Skeleton()) != size {
					b.Fatal("links are missing")
				}
			}
		})
		b.Run(fmt.Sprintf("commits/%d", size), func(b *testing.B) {
			for range b.N {
				if list, err := x.Commits(); err != nil || len(list) != size/5 {
					b.Fatal(err)
				}
			}
		})
	}
}
