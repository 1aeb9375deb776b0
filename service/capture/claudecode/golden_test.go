package claudecode_test

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
	sub := filepath.Join("testdata", "29ccd257-68b1-427f-ae5f-6524b7cb6f20")
	for name, files := range map[string][]string{
		"rewind":    {"testdata/03eb5929-52b3-4b13-ada3-b93ae35806b8.jsonl"},
		"sub-agent": {sub + ".jsonl", filepath.Join(sub, "subagents", "agent-a2271d1.jsonl")},
		"image":     {"testdata/packmind__v2.1.45_image.jsonl"},
		"plan":      {"testdata/entire__v2.1.32_plancontent.jsonl"},
	} {
		t.Run(name, func(t *testing.T) {
			got := dag(capture(t, files).nodes)
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
