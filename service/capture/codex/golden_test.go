package codex_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/store/memory"
)

var update = flag.Bool("update", false, "write the golden files anew")

// dag writes one line a node: its id, who speaks, what it is called, its kind and state, and what it hangs on.
func dag(nodes []memory.Node) string {
	var b strings.Builder
	for _, n := range nodes {
		m := n.Metadata
		fmt.Fprintf(&b, "%s %s %s", n.ID, n.Role, or(n.Name, "-"))
		fmt.Fprintf(&b, " kind=%s status=%s parent=%s caller=%s", or(string(m.Kind), "-"), or(string(m.Status), "-"), or(string(n.ParentID), "-"), or(string(n.CalledBy), "-"))
		if m.AgentID != "" {
			fmt.Fprintf(&b, " agent=%s/%s", m.AgentID, m.AgentType)
		}
		for _, e := range m.Edits {
			fmt.Fprintf(&b, " %s:%s(+%d-%d)", e.Op, filepath.Base(e.Path), e.Added, e.Removed)
		}
		for _, i := range m.Images {
			fmt.Fprintf(&b, " image=%s/%d", i.Type, i.Bytes)
		}
		fmt.Fprintf(&b, " text=%d\n", len(n.Output))
	}
	return b.String()
}

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func TestDAGsAreTheGoldenOnes(t *testing.T) {
	for name, file := range map[string]string{
		"tui":      "testdata/agentv__0.140.0_tui.jsonl",
		"commands": "testdata/mise__0.142.5_small.jsonl",
	} {
		t.Run(name, func(t *testing.T) {
			got := dag(capture(t, file).nodes)
			golden := filepath.Join("testdata", name+".golden")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("the DAG differs from %s; -update writes it anew:\n%s", golden, got)
			}
		})
	}
}
