package capture

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"dormouse/store/memory"
)

// places are where each agent keeps the sample of its package, below the person's home.
var places = []struct {
	agent, sample, place string
	nodes                int
}{
	{"gemini-cli", "gemini/testdata/chats/session-lines.jsonl", ".gemini/tmp/slug/chats/session-1.jsonl", 3},
	{"gemini-cli", "gemini/testdata/chats/session-10k.json", ".gemini/tmp/slug/chats/session-2.json", 0},
	{"copilot-cli", "copilot/testdata/session-state/049410b4-c1df-44ee-87a5-caa1c349091e/events.jsonl", ".copilot/session-state/049410b4-c1df-44ee-87a5-caa1c349091e/events.jsonl", 6},
	{"qwen", "qwen/testdata/chats/27d495d1-de2d-449d-af11-d42d4d6ef80d.jsonl", ".qwen/projects/-work/chats/27d495d1-de2d-449d-af11-d42d4d6ef80d.jsonl", 4},
	{"antigravity-cli", "antigravity/testdata/real-session.jsonl", ".gemini/antigravity-cli/brain/abc/.system_generated/logs/transcript_full.jsonl", 15},
	{"pi", "pi/testdata/pi/session.jsonl", ".pi/agent/sessions/--x--/2025-01-01_pi-test.jsonl", 6},
	{"omp", "pi/testdata/omp/small.jsonl", ".omp/agent/sessions/--x--/1_a.jsonl", 4},
	{"roo", "cline/testdata/roo/tasks/natural-mini", ".config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/natural-mini", 0},
	{"kilo", "cline/testdata/roo/tasks/1767225700000", ".config/VSCodium/User/globalStorage/kilocode.kilo-code/tasks/1767225700000", 2},
	{"kilo", "opencode/testdata/opencode.db", ".local/share/kilo/kilo.db", 0},
	{"kilo", "opencode/testdata/storage", ".local/share/kilo/storage", 0},
	{"opencode", "opencode/testdata/opencode.db", ".local/share/opencode/opencode.db", 0},
	{"cline", "cline/testdata/sessions/1784094124598_rruoq", ".cline/data/sessions/1784094124598_rruoq", 0},
	{"amp", "amp/testdata/threads/T-019ca1f6-7f21-77b5-a308-65416ebbdf48.json", ".local/share/amp/threads/T-019ca1f6-7f21-77b5-a308-65416ebbdf48.json", 4},
	{"openprogram", "openprogram/testdata/state", ".openprogram", 24},
	{"aider", "aider/testdata/myrepo/.aider.chat.history.md", "work/myrepo/.aider.chat.history.md", 8},
}

func (w *world) place(sample, place string) {
	w.t.Helper()
	to := filepath.Join(w.home, filepath.FromSlash(place))
	info, err := os.Stat(sample)
	if err != nil {
		w.t.Fatal(err)
	}
	if !info.IsDir() {
		w.copy(sample, to)
		return
	}
	if err := os.CopyFS(to, os.DirFS(sample)); err != nil {
		w.t.Fatal(err)
	}
}

func TestEachAgentIsCapturedFromWhereItKeepsItsSessions(t *testing.T) {
	for _, p := range places {
		t.Run(p.agent+" "+filepath.Ext(p.place), func(t *testing.T) {
			w := newWorld(t)
			w.place(filepath.FromSlash(p.sample), p.place)
			o := w.options()
			o.Folders = func() []string {
				return []string{filepath.Join(w.home, "work", "myrepo"), filepath.Join(w.home, "gone")}
			}
			w.engine = New(o)
			w.scan()
			nodes := 0
			for _, m := range w.sessions() {
				if m.Agent != p.agent || m.AgentSessionID == "" {
					t.Errorf("session %+v", m)
				}
				nodes += m.Nodes
			}
			if s := w.status(p.agent); len(w.engine.Status().Problems) > 0 || s.Nodes != nodes || nodes == 0 || p.nodes > 0 && nodes != p.nodes {
				t.Errorf("%d nodes, want %d; status %+v, problems %+v", nodes, p.nodes, s, w.engine.Status().Problems)
			}
			appended := 0
			o.Redact = func(*memory.Node) (int, error) { appended++; return 0, nil }
			w.engine = New(o) // as a new process
			for range 2 {
				if err := w.engine.Scan(context.Background()); err != nil {
					t.Fatal(err)
				}
			}
			if appended != 0 || w.status(p.agent).Nodes != nodes {
				t.Errorf("%d nodes were captured again", appended)
			}
		})
	}
}
