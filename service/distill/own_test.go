package distill

import (
	"strings"
	"testing"

	"dormouse/store/memory"
)

// TestWhatTheMemoryToldGivesNoMemory has an agent ask the memory and repeat the answer. The same answer of another tool gives
// something, so that the rules do read such sentences.
func TestWhatTheMemoryToldGivesNoMemory(t *testing.T) {
	const told = "The root cause is that `zebra.go` never closes its file, because `Close()` is only called on success."
	ask := func(tool, output string) *script {
		return newScript("cc_1").user("why does the zebra test fail?").
			tool(tool, map[string]string{"query": "zebra"}, output, memory.StatusOK).says(told)
	}
	count := func(s *script) (n int) {
		b := newBed(t)
		b.run(nil, s)
		b.log.Read(func(st *memory.State) {
			for rec := range st.Records() {
				if strings.Contains(strings.ToLower(rec.Text()), "zebra") {
					n++
				}
			}
		})
		return n
	}
	if count(ask("mcp__wiki__get", "nothing")) == 0 {
		t.Fatal("the rules do not read the sentence at all")
	}
	marked := memory.Mark + ": search\n" + told
	for tool, output := range map[string]string{
		"mcp__dormouse__memory_search": told, // by its name
		"memory_search":                marked,
		"exec_command":                 "Chunk ID: 1\nOutput:\n" + marked,
		"Bash":                         `{"content":[{"type":"text","text":"` + strings.ReplaceAll(marked, "\n", `\n`) + `"}]}`,
	} {
		if n := count(ask(tool, output)); n != 0 {
			t.Errorf("%s: %d records of what the memory told", tool, n)
		}
	}
}
