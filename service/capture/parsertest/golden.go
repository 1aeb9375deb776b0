package parsertest

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

// Golden compares a text with testdata/<name>.golden; -update writes it.
func Golden(t *testing.T, name, got string) {
	t.Helper()
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
}

// DAG writes one line a node: its id, who speaks, what it is called, its kind and state, what it hangs on, and what it holds.
func DAG(nodes []memory.Node) string {
	var b strings.Builder
	for i := range nodes {
		n := &nodes[i]
		m := &n.Metadata
		fmt.Fprintf(&b, "%s %s %s kind=%s status=%s parent=%s caller=%s", n.ID, n.Role, or(n.Name), or(string(m.Kind)), or(string(m.Status)),
			or(string(n.ParentID)), or(string(n.CalledBy)))
		details(&b, m)
		fmt.Fprintf(&b, " text=%d\n", len(n.Output))
	}
	return b.String()
}

func details(b *strings.Builder, m *memory.Metadata) {
	if m.AgentID != "" {
		fmt.Fprintf(b, " agent=%s/%s", m.AgentID, m.AgentType)
	}
	if m.Model != "" {
		fmt.Fprintf(b, " model=%s", m.Model)
	}
	if u := m.Usage; u != nil {
		fmt.Fprintf(b, " tokens=%d+%d+%d>%d", u.Input, u.CacheRead, u.CacheWrite, u.Output)
	}
	if m.ExitCode != nil {
		fmt.Fprintf(b, " exit=%d", *m.ExitCode)
	}
	if m.Compaction != nil {
		fmt.Fprintf(b, " covers=%s", or(m.Compaction.Last))
	}
	if m.Undone > 0 {
		fmt.Fprintf(b, " undone=%d", m.Undone)
	}
	for _, e := range m.Edits {
		fmt.Fprintf(b, " %s:%s(+%d-%d)", e.Op, filepath.Base(filepath.ToSlash(e.Path)), e.Added, e.Removed)
	}
	for _, i := range m.Images {
		fmt.Fprintf(b, " image=%s/%d", i.Type, i.Bytes)
	}
}

func or(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// Shape writes nodes as "role:text<parent's text", for small scripts.
func Shape(nodes []memory.Node) string {
	text := map[string]string{"": "-"}
	name := func(n *memory.Node) string {
		switch {
		case n.Metadata.Undone > 0:
			return fmt.Sprint("undo", n.Metadata.Undone)
		case n.Role == memory.RoleTool && n.Output == "":
			return n.Name
		default:
			return strings.TrimSpace(n.Output)
		}
	}
	for i := range nodes {
		text[nodes[i].ID] = name(&nodes[i])
	}
	var out []string
	for i := range nodes {
		out = append(out, fmt.Sprintf("%s:%s<%s", nodes[i].Role.Letter(), name(&nodes[i]), text[string(nodes[i].ParentID)]))
	}
	return strings.Join(out, " ")
}
