package capture

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/service/capture/exclude"
	"dormouse/store/memory"
)

// excludes is what a setting with these entries excludes.
func excludes(t *testing.T, entries ...string) *exclude.Set {
	t.Helper()
	s, err := exclude.New(entries, exclude.Env{Home: filepath.Dir(entries[0])})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// talk writes a transcript of Claude Code line by line.
type talk struct {
	text strings.Builder
	last string
	n    int
	more map[string]any // in every record
}

func (k *talk) add(typ, cwd string, fields map[string]any) string {
	k.n++
	id := strings.Repeat("0", 8-len(itoa(k.n))) + itoa(k.n) + "-0000-4000-8000-000000000000"
	rec := map[string]any{"type": typ, "uuid": id, "sessionId": "5e551011-1111-4111-8111-111111111111", "cwd": cwd, "timestamp": "2026-01-01T00:00:00Z", "parentUuid": k.last}
	if k.last == "" {
		rec["parentUuid"] = nil
	}
	for _, m := range []map[string]any{k.more, fields} {
		for key, v := range m {
			rec[key] = v
		}
	}
	out, err := memory.Encode(rec)
	if err != nil {
		panic(err)
	}
	k.text.Write(append(out, '\n'))
	k.last = id
	return id
}

func itoa(n int) string {
	return string([]byte{byte('0' + n/100%10), byte('0' + n/10%10), byte('0' + n%10)})
}

func (k *talk) says(cwd, text string) {
	k.add("user", cwd, map[string]any{"message": map[string]any{"role": "user", "content": text}})
}

func (k *talk) answers(cwd, text string) {
	k.add("assistant", cwd, map[string]any{"message": map[string]any{"id": "m" + itoa(k.n), "role": "assistant", "model": "x",
		"content": []any{map[string]any{"type": "text", "text": text}}, "stop_reason": "end_turn"}})
}

func (k *talk) calls(cwd, tool string, input map[string]any, result string) {
	id := "toolu_" + itoa(k.n)
	k.add("assistant", cwd, map[string]any{"message": map[string]any{"id": "m" + itoa(k.n), "role": "assistant", "model": "x",
		"content": []any{map[string]any{"type": "tool_use", "id": id, "name": tool, "input": input}}, "stop_reason": "tool_use"}})
	k.add("user", cwd, map[string]any{"message": map[string]any{"role": "user", "content": []any{map[string]any{"type": "tool_result", "tool_use_id": id, "content": result}}}})
}

// hides captures a talk where a folder is excluded and gives its nodes, and how often something was left out of them.
func hides(t *testing.T, private string, k *talk) (nodes []memory.Node, parts, calls int) {
	t.Helper()
	w := newWorld(t)
	o := w.options()
	o.Exclude = excludes(t, private)
	w.engine = New(o)
	w.write(w.claude("5e551011-1111-4111-8111-111111111111.jsonl"), k.text.String())
	w.scan()
	w.problems(0)
	for _, s := range w.sessions() {
		nodes = append(nodes, w.nodes(s.ID)...)
	}
	skipped := w.status("claude-code").Skipped
	return nodes, skipped[partReason].Times, skipped[callReason].Times
}

// mustLack fails where any word of what was kept is a secret of the folder.
func mustLack(t *testing.T, nodes []memory.Node, words ...string) {
	t.Helper()
	for _, n := range nodes {
		all, err := memory.Encode(n)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range words {
			if strings.Contains(string(all), word) {
				t.Errorf("kept %s: %s", word, all)
			}
		}
	}
}

func mkdirs(t *testing.T, dirs ...string) {
	t.Helper()
	for _, d := range dirs {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWhatASessionDoesInAnExcludedFolderIsLeftOutUntilItMovesOut(t *testing.T) {
	home := t.TempDir()
	open, private := filepath.Join(home, "open"), filepath.Join(home, "private")
	mkdirs(t, open, private)
	k := &talk{}
	k.says(open, "begin here")
	k.answers(open, "kept-1")
	k.says(private, "hush-prompt")
	k.answers(private, "hush-answer")
	k.calls(private, "Bash", map[string]any{"command": "ls"}, "hush-result")
	k.says(open, "go on")
	k.answers(open, "kept-2")
	k.add("ai-title", open, map[string]any{"aiTitle": "hush-title"})
	nodes, parts, _ := hides(t, private, k)
	mustLack(t, nodes, "hush")
	if got := outputs(nodes); got != "begin here kept-1 go on kept-2" || parts < 3 {
		t.Errorf("kept %q, %d left out", got, parts)
	}
	for i, n := range nodes {
		if i > 0 && string(n.ParentID) != nodes[i-1].ID {
			t.Errorf("node %d hangs on %q, not on %q", i, n.ParentID, nodes[i-1].ID)
		}
	}
}

func TestACallThatTouchesAnExcludedFolderIsKeptAsAStub(t *testing.T) {
	home := t.TempDir()
	open, private, link := filepath.Join(home, "open"), filepath.Join(home, "private"), filepath.Join(home, "open", "link")
	tree := filepath.Join(home, "tree")
	mkdirs(t, open, tree, filepath.Join(private, ".git", "worktrees", "tree"))
	if err := os.Symlink(private, link); err != nil {
		t.Skipf("this system makes no links here: %v", err)
	}
	if err := os.WriteFile(filepath.Join(tree, ".git"), []byte("gitdir: "+filepath.Join(private, ".git", "worktrees", "tree")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("DORMOUSE_TEST_CLIENTS", private)
	stubs := map[string]func(*talk){
		"read": func(k *talk) { k.calls(open, "Read", map[string]any{"file_path": filepath.Join(private, "f")}, "hush") },
		"edit": func(k *talk) {
			k.calls(open, "Edit", map[string]any{"file_path": filepath.Join(private, "f"), "old_string": "hush", "new_string": "hush-2"}, "ok hush")
		},
		"write": func(k *talk) {
			k.calls(open, "Write", map[string]any{"file_path": "../private/f", "content": "hush"}, "ok")
		},
		"grep": func(k *talk) { k.calls(open, "Grep", map[string]any{"pattern": "x", "path": private}, "hush") },
		"glob": func(k *talk) { k.calls(open, "Glob", map[string]any{"pattern": home + "/priv*/**"}, "hush") },
		"cat":  func(k *talk) { k.calls(open, "Bash", map[string]any{"command": "cat ../private/f | head"}, "hush") },
		"cd": func(k *talk) {
			k.calls(open, "Bash", map[string]any{"command": "cd .. && cd private && cat f"}, "hush")
		},
		"home": func(k *talk) { k.calls(open, "Bash", map[string]any{"command": "cat ~/private/f"}, "hush") },
		"HOME": func(k *talk) { k.calls(open, "Bash", map[string]any{"command": `cat "$HOME/private/f"`}, "hush") },
		"variable": func(k *talk) {
			k.calls(open, "Bash", map[string]any{"command": "cat $DORMOUSE_TEST_CLIENTS/f"}, "hush")
		},
		"option": func(k *talk) {
			k.calls(open, "Bash", map[string]any{"command": "git --work-tree=" + private + " log -p"}, "hush")
		},
		"link":      func(k *talk) { k.calls(open, "Bash", map[string]any{"command": "cat link/f"}, "hush") },
		"link read": func(k *talk) { k.calls(open, "Read", map[string]any{"file_path": filepath.Join(link, "f")}, "hush") },
		"worktree":  func(k *talk) { k.calls(open, "Read", map[string]any{"file_path": filepath.Join(tree, "f")}, "hush") },
		"list from above": func(k *talk) {
			k.calls(home, "Bash", map[string]any{"command": "grep -rn key ."}, "./open/a:1:x\n./private/f:3:hush\n")
		},
		"grep from above": func(k *talk) {
			k.calls(open, "Grep", map[string]any{"pattern": "key", "path": home}, private+"/f:3:hush\n")
		},
	}
	for name, make := range stubs {
		t.Run(name, func(t *testing.T) {
			k := &talk{}
			k.says(open, "begin")
			make(k)
			k.says(open, "go on")
			nodes, _, calls := hides(t, private, k)
			mustLack(t, nodes, "hush", "/f")
			if calls != 1 || len(nodes) < 3 {
				t.Fatalf("%d stubs, kept %q", calls, outputs(nodes))
			}
			for _, n := range nodes {
				if n.Role == memory.RoleTool && (n.Output != excludedText || n.Name == "" || len(n.Metadata.Edits)+len(n.Metadata.Commands) > 0) {
					t.Errorf("the stub is %+v", n)
				}
			}
		})
	}
}

func TestACallThatOnlyNamesAnExcludedFolderIsKept(t *testing.T) {
	home := t.TempDir()
	open, private := filepath.Join(home, "open"), filepath.Join(home, "private")
	mkdirs(t, open, private, private+"-not")
	for name, make := range map[string]func(*talk){
		"neighbour": func(k *talk) {
			k.calls(open, "Read", map[string]any{"file_path": filepath.Join(private+"-not", "f")}, "plain")
		},
		"list": func(k *talk) { k.calls(home, "Bash", map[string]any{"command": "ls"}, "plain\nopen\nprivate\n") },
		"document": func(k *talk) {
			k.calls(open, "Write", map[string]any{"file_path": "a.md", "content": "see " + private + "/f"}, "plain")
		},
		"other f": func(k *talk) { k.calls(open, "Bash", map[string]any{"command": "cat private/f"}, "plain") },
	} {
		t.Run(name, func(t *testing.T) {
			k := &talk{}
			k.says(open, "begin")
			make(k)
			k.says(open, "go on")
			nodes, parts, calls := hides(t, private, k)
			if calls+parts != 0 || !strings.Contains(outputs(nodes), "plain") {
				t.Errorf("%d calls and %d parts left out of %q", calls, parts, outputs(nodes))
			}
		})
	}
}

// TestASubAgentInAnExcludedFolderIsLeftOut has one work in an excluded folder, whose report then tells of it.
func TestASubAgentInAnExcludedFolderIsLeftOut(t *testing.T) {
	home := t.TempDir()
	open, private := filepath.Join(home, "open"), filepath.Join(home, "private")
	mkdirs(t, open, private)
	k := &talk{}
	k.says(open, "begin")
	k.calls(open, "Task", map[string]any{"prompt": "look there", "subagent_type": "x"}, "hush-report")
	k.says(open, "go on")
	main, _, _ := strings.Cut(k.text.String(), "\n")
	lines := strings.SplitAfter(k.text.String(), "\n")
	result := strings.Replace(lines[2], `"timestamp":"2026-01-01T00:00:00Z"`, `"timestamp":"2026-01-01T00:01:00Z","toolUseResult":{"agentId":"a1234567","status":"completed"}`, 1)
	text := main + "\n" + lines[1] + result + strings.Replace(lines[3], "2026-01-01T00:00:00Z", "2026-01-01T00:02:00Z", 1)
	sub := &talk{more: map[string]any{"isSidechain": true, "agentId": "a1234567", "timestamp": "2026-01-01T00:00:30Z"}}
	sub.says(private, "look there")
	sub.answers(private, "hush-found")
	w := newWorld(t)
	o := w.options()
	o.Exclude = excludes(t, private)
	w.engine = New(o)
	w.write(w.claude("5e551011-1111-4111-8111-111111111111.jsonl"), text)
	w.write(w.claude("5e551011-1111-4111-8111-111111111111/subagents/agent-a1234567.jsonl"), strings.NewReplacer("0000-4000", "0000-4001", `"id":"m0`, `"id":"s0`).Replace(sub.text.String()))
	w.scan()
	w.problems(0)
	nodes := w.nodes(w.sessions()[0].ID)
	mustLack(t, nodes, "hush")
	if skipped := w.status("claude-code").Skipped; skipped[partReason].Times != 2 || skipped[callReason].Times != 1 || !strings.Contains(outputs(nodes), "go on") {
		t.Errorf("left out %+v of %q", skipped, outputs(nodes))
	}
}
