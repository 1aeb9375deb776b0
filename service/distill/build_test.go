package distill

import (
	"encoding/json"
	"fmt"
	"testing"

	"dormouse/store/memory"
	"dormouse/store/session"
)

// script builds the nodes of a session one after the other.
type script struct {
	meta  memory.Session
	nodes []memory.Node
	turn  int
	agent string // sub-agent that speaks; empty for the main conversation
	at    int64
}

func newScript(id string) *script {
	return &script{at: 1_780_000_000, meta: memory.Session{ID: id, Agent: "claude-code", AgentSessionID: "agent-" + id, ProjectID: "p",
		Cwd: "/home/u/shop", CreatedAt: 1_780_000_000}}
}

func (s *script) add(n memory.Node) *script {
	s.at += 10
	n.Seq, n.CreatedAt = len(s.nodes)+1, s.at
	if n.ID == "" {
		n.ID = memory.NodeID("test", fmt.Sprint(len(s.nodes)), string(n.Role), n.Name, n.Output, string(n.Input))
	}
	if len(s.nodes) > 0 && n.ParentID == "" && s.agent == "" {
		n.ParentID = memory.Ref(s.nodes[len(s.nodes)-1].ID)
	}
	n.Metadata.AgentID = s.agent
	if n.StartsTurn() {
		s.turn++
	}
	n.Metadata.Turn = s.turn
	s.nodes = append(s.nodes, n)
	s.meta.HeadID, s.meta.UpdatedAt = memory.Ref(n.ID), n.CreatedAt
	return s
}

func (s *script) user(text string) *script { return s.userKind(memory.KindPrompt, text) }

func (s *script) userKind(k memory.UserKind, text string) *script {
	return s.add(memory.Node{Role: memory.RoleUser, Output: text, Metadata: memory.Metadata{Kind: k}})
}

func (s *script) says(text string) *script {
	return s.add(memory.Node{Role: memory.RoleAssistant, Output: text})
}

func (s *script) tool(name string, input any, output string, status memory.Status, edits ...memory.Edit) *script {
	raw, err := json.Marshal(input)
	if err != nil {
		panic(err)
	}
	return s.add(memory.Node{Role: memory.RoleTool, Name: name, Input: raw, Output: output, Metadata: memory.Metadata{Status: status, Edits: edits}})
}

func (s *script) edit(path string) *script {
	return s.tool("Edit", map[string]string{"file_path": path}, "updated", memory.StatusOK, memory.Edit{Path: path, Op: "update"})
}

func (s *script) bash(cmd, output string) *script {
	return s.tool("Bash", map[string]string{"command": cmd}, output, memory.StatusOK)
}

func (s *script) refused(name string, input any, words string) *script {
	return s.tool(name, input, "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\n"+words, memory.StatusInterrupted)
}

// read extracts all turns in order, each with what the one before handed on.
func (s *script) read() []Extraction {
	var out []Extraction
	var prior Prior
	for i := 0; i < len(s.nodes); {
		j := i
		for j < len(s.nodes) && s.nodes[j].Metadata.Turn == s.nodes[i].Metadata.Turn {
			j++
		}
		ex := Extract(Turn{Session: s.meta, Project: Project{ID: "p", Name: "shop", Root: s.meta.Cwd}, N: s.nodes[i].Metadata.Turn, Nodes: s.nodes[i:j], Prior: prior})
		prior, out, i = ex.Next, append(out, ex), j
	}
	return out
}

// lines are the summaries of all events, with their kind and trust in front, and the preferences.
func (s *script) lines() []string {
	out := []string{}
	for _, ex := range s.read() {
		for _, e := range ex.Events {
			out = append(out, fmt.Sprintf("%s/%s %s", e.Kind, e.Trust, e.Summary))
		}
		for _, f := range ex.Facts {
			if f.Subject == memory.SubjectPerson {
				out = append(out, "preference "+f.Object)
			}
		}
	}
	return out
}

// The script is a Transcript too.

func (s *script) Meta() memory.Session { return s.meta }

func (s *script) Skeleton() []session.Link {
	var out []session.Link
	for _, n := range s.nodes {
		out = append(out, session.Link{ID: n.ID, Parent: n.ParentID, CalledBy: n.CalledBy, Seq: n.Seq, Turn: n.Metadata.Turn, Role: n.Role, Agent: n.Metadata.AgentID})
	}
	return out
}

func (s *script) Turn(n int) ([]memory.Node, error) {
	var out []memory.Node
	for _, x := range s.nodes {
		if x.Metadata.Turn == n {
			out = append(out, x)
		}
	}
	return out, nil
}

func wantLines(t *testing.T, s *script, want ...string) {
	t.Helper()
	got := s.lines()
	if fmt.Sprint(got) == fmt.Sprint(want) && len(got) == len(want) {
		return
	}
	t.Errorf("got")
	for _, l := range got {
		t.Log("  ", l)
	}
	t.Log("want")
	for _, l := range want {
		t.Log("  ", l)
	}
}
