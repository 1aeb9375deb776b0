package recall

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"dormouse/store/index"
	"dormouse/store/memory"
	"dormouse/store/session"
)

const day1 = int64(1_780_000_000) // 2026-05-28

func at(days int) *int64 {
	t := day1 + int64(days)*86400
	return &t
}

// world is a state that tests fill by hand.
func world() *memory.State {
	return memory.Fold(nil)
}

func prov(project, sess string, when *int64, nodes ...string) memory.Provenance {
	return memory.Provenance{ProjectID: project, SessionID: sess, NodeIDs: nodes, EventTime: when, IngestionTime: day1 + 1e6}
}

func addEvent(s *memory.State, id, summary string, change func(*memory.Event)) *memory.Event {
	e := &memory.Event{ID: id, Summary: summary, Kind: memory.KindWork, Scope: memory.ProjectScope("p"), Trust: memory.TrustPerson,
		Provenance: prov("p", "cc_"+id, at(0), "n_"+id)}
	if change != nil {
		change(e)
	}
	s.Events[id] = e
	return e
}

func addEntity(s *memory.State, typ, name string, change func(*memory.Entity)) *memory.Entity {
	e := &memory.Entity{ID: memory.EntityID(typ, name), Type: typ, Name: name, Scope: memory.ProjectScope("p"),
		Provenance: prov("p", "cc_g", at(0), "n")}
	if change != nil {
		change(e)
	}
	s.Entities[memory.Key{Scope: e.Scope, ID: e.ID}] = e
	return e
}

func addEdge(s *memory.State, from, relation, to string, change func(*memory.Edge)) {
	e := &memory.Edge{ID: "ed_" + from + relation + to, From: from, Relation: relation, To: to, Scope: memory.ProjectScope("p"),
		Confidence: 0.9, EventTime: at(0), Provenance: prov("p", "cc_e", at(0), "n")}
	if change != nil {
		change(e)
	}
	s.Edges[e.ID] = e
}

func openIndex(t *testing.T) *index.Index {
	t.Helper()
	ix, _, err := index.Open(index.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ix.Close() })
	return ix
}

func openSessions(t *testing.T) *session.Store {
	t.Helper()
	s := session.New(session.Options{Dir: t.TempDir(), Machine: "m1"})
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// say appends turns to a session: each is a prompt and an answer.
func say(t *testing.T, s *session.Store, agentID, project string, turns ...[2]string) memory.Session {
	t.Helper()
	x, err := s.Ensure(memory.Session{Agent: "claude-code", AgentSessionID: agentID, ProjectID: project, Machine: "m1"}, "cc")
	if err != nil {
		t.Fatal(err)
	}
	b := x.Begin(false)
	defer b.Abort()
	n := x.Len()
	parent := memory.Ref("")
	for _, turn := range turns {
		for i, text := range turn {
			node := memory.Node{ID: memory.NodeID("claude-code", agentID, fmt.Sprint(n)), Role: memory.RoleUser, Output: text,
				ParentID: parent, CreatedAt: day1 + int64(n), Metadata: memory.Metadata{Kind: memory.KindPrompt}}
			if i == 1 {
				node.Role, node.Metadata.Kind = memory.RoleAssistant, ""
			}
			if _, err := b.Append(node); err != nil {
				t.Fatal(err)
			}
			parent = memory.Ref(node.ID)
			n++
		}
	}
	if err := b.Close(true); err != nil {
		t.Fatal(err)
	}
	return x.Meta()
}

// meanings are groups of words that mean the same.
var meanings = [][]string{{"car", "automobile"}, {"weather", "rain"}, {"session", "sessions"}, {"penny", "coin"}}

// meaning embeds texts by the groups of words that they have.
func meaning(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		v := make([]float32, len(meanings))
		for k, group := range meanings {
			for _, w := range strings.Fields(strings.ToLower(text)) {
				if slices.Contains(group, w) {
					v[k] = 1
				}
			}
		}
		n := float32(0)
		for _, x := range v {
			n += x * x
		}
		for k := range v {
			if n > 0 {
				v[k] /= float32(math.Sqrt(float64(n)))
			}
		}
		out[i] = v
	}
	return out, nil
}
