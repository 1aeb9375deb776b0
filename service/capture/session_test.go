package capture

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/store/memory"
	"github.com/klauspost/compress/zstd"
)

const threadA, threadB, threadC = "01997ea4-a70d-7da3-8c20-c736db82a7c5", "019ed836-b1da-78f1-8a0c-e598363d10f4", "019f1fd6-f9a0-7e13-8a8f-cbf5a3fd10d1"

func cx(typ, payload string) string {
	return `{"timestamp":"2026-01-01T00:00:00Z","type":"` + typ + `","payload":` + payload + "}\n"
}

func cxMeta(id, rest string) string {
	return cx("session_meta", `{"id":"`+id+`","cwd":"/w","timestamp":"2026-01-01T00:00:00Z"`+rest+`}`)
}

func cxTurn(id, prompt, answer string) string {
	return cx("turn_context", `{"turn_id":"`+id+`","model":"gpt"}`) +
		cx("response_item", `{"type":"message","role":"user","content":[{"type":"input_text","text":"`+prompt+`"}]}`) +
		cx("event_msg", `{"type":"user_message","message":"`+prompt+`"}`) +
		cx("response_item", `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"`+answer+`"}]}`)
}

func (w *world) byAgentID(id string) memory.Session {
	w.t.Helper()
	for _, m := range w.sessions() {
		if m.AgentSessionID == id {
			return m
		}
	}
	w.t.Fatalf("no session %s in %+v", id, w.sessions())
	return memory.Session{}
}

func outputs(nodes []memory.Node) string {
	var out []string
	for _, n := range nodes {
		out = append(out, n.Output)
	}
	return strings.Join(out, " ")
}

func TestCaseC2AForkThatOnlyPointsAtItsParentHoldsTheSharedBeginningOnce(t *testing.T) {
	w := newWorld(t)
	first := cxMeta(threadA, "") + cxTurn("1", "one", "1")
	w.write(w.codex("rollout-2026-01-01T00-00-00-"+threadA+".jsonl"), first+cxTurn("2", "left", "L"))
	base := fmt.Sprintf(`,"forked_from_id":%q,"history_base":{"thread_id":%q,"end_byte_offset":%d}`, threadA, threadA, len(first))
	w.write(w.codex("rollout-2026-01-02T00-00-00-"+threadB+".jsonl"), cxMeta(threadB, base)+cxTurn("3", "right", "R"))
	w.scan()
	parent, fork := w.byAgentID(threadA), w.byAgentID(threadB)
	a, b := w.nodes(parent.ID), w.nodes(fork.ID)
	if outputs(a) != "one 1 left L" || outputs(b) != "one 1 right R" || a[0].ID != b[0].ID || a[1].ID != b[1].ID || string(b[2].ParentID) != b[1].ID {
		t.Errorf("parent %q, fork %q", outputs(a), outputs(b))
	}
	if fork.ForkOf != threadA {
		t.Errorf("fork %+v", fork)
	}
}

func TestCaseC2AResumedAndAForkedSessionGiveNothingTwiceAndKeepBothBranches(t *testing.T) {
	w := newWorld(t)
	fork := strings.Replace(aUUID, "1111", "9999", 1)
	shared := turn(0, w.now, "one", "1")
	w.write(w.claude(aUUID+".jsonl"), shared)
	w.scan()
	w.append(w.claude(aUUID+".jsonl"), turn(1, w.now, "left", "L")) // it is resumed
	w.write(w.claude(fork+".jsonl"), shared+strings.ReplaceAll(turn(1, w.now, "right", "R"), "bbbb", "ffff"))
	w.scan()
	w.restart()
	w.scan()
	a, b := w.nodes(w.byAgentID(aUUID).ID), w.nodes(w.byAgentID(fork).ID)
	if outputs(a) != "one 1 left L" || outputs(b) != "one 1 right R" || a[0].ID != b[0].ID || a[1].ID != b[1].ID || a[2].ID == b[2].ID || b[2].ParentID != a[2].ParentID {
		t.Errorf("resumed %q, forked %q", outputs(a), outputs(b))
	}
	w.problems(0)
}

func TestSegmentsOfOneThreadAreOneSession(t *testing.T) {
	w := newWorld(t)
	first := cxMeta(threadA, "") + cxTurn("1", "one", "1")
	w.write(w.codex("rollout-2026-01-01T00-00-00-"+threadA+".jsonl"), first+cxTurn("2", "dropped", "D"))
	w.scan()
	base := fmt.Sprintf(`,"history_base":{"thread_id":%q,"end_byte_offset":%d}`, threadA, len(first))
	w.write(w.codex("rollout-2026-01-02T00-00-00-"+threadA+"_"+threadB+".jsonl"), cxMeta(threadA, base)+cxTurn("3", "kept", "K"))
	w.scan()
	m := w.only()
	nodes := w.nodes(m.ID)
	if outputs(nodes) != "one 1 dropped D kept K" || string(nodes[4].ParentID) != nodes[1].ID || string(m.HeadID) != nodes[5].ID {
		t.Errorf("%q, head %s", outputs(nodes), m.HeadID)
	}
}

func TestASubAgentOfASubAgentJoinsThePersonsSession(t *testing.T) {
	w := newWorld(t)
	sub := func(up string) string {
		return `,"thread_source":"subagent","source":{"subagent":{"thread_spawn":{"parent_thread_id":"` + up + `"}}}`
	}
	w.write(w.codex("rollout-2026-01-01T00-00-00-"+threadA+".jsonl"), cxMeta(threadA, "")+cxTurn("1", "one", "1"))
	w.write(w.codex("rollout-2026-01-01T00-00-01-"+threadB+".jsonl"), cxMeta(threadB, sub(threadA))+cxTurn("2", "two", "2"))
	w.write(w.codex("rollout-2026-01-01T00-00-02-"+threadC+".jsonl"), cxMeta(threadC, sub(threadB))+cxTurn("3", "three", "3"))
	w.scan()
	m := w.only()
	if m.AgentSessionID != threadA || m.Turns != 1 || m.Nodes != 6 {
		t.Errorf("session %+v", m)
	}
}

func TestCaseC4AnArchivedRolloutIsNotASecondSession(t *testing.T) {
	w := newWorld(t)
	name := "rollout-2026-01-01T00-00-00-" + threadA + ".jsonl"
	text := cxMeta(threadA, "") + cxTurn("1", "one", "1")
	w.write(w.codex(name), text)
	w.write(filepath.Join(w.home, ".codex", "archived_sessions", name), text+cxTurn("2", "two", "2"))
	w.scan()
	if got := outputs(w.nodes(w.only().ID)); got != "one 1 two 2" {
		t.Errorf("nodes %q", got)
	}
}

func TestCaseC4ACompressedRolloutOpensAndIsNotASecondSession(t *testing.T) {
	w := newWorld(t)
	plain := w.codex("rollout-2026-01-01T00-00-00-" + threadA + ".jsonl")
	text := cxMeta(threadA, "") + cxTurn("1", "one", "1")
	w.write(plain, text)
	w.scan()
	w.write(plain+".zst", packed(t, text))
	w.scan() // both are there
	if err := os.Remove(plain); err != nil {
		t.Fatal(err)
	}
	w.scan()
	w.write(w.codex("rollout-2026-01-02T00-00-00-"+threadB+".jsonl.zst"), packed(t, cxMeta(threadB, "")+cxTurn("2", "two", "2")))
	w.scan()
	w.restart()
	w.scan()
	if a, b := outputs(w.nodes(w.byAgentID(threadA).ID)), outputs(w.nodes(w.byAgentID(threadB).ID)); a != "one 1" || b != "two 2" || len(w.sessions()) != 2 {
		t.Errorf("nodes %q and %q", a, b)
	}
	w.write(plain+".zst", "this is not packed")
	w.scan()
	w.problems(1)
	if s := w.status("codex"); s.Waiting != 0 || s.Worked != w.now.Unix() {
		t.Errorf("status %+v", s)
	}
}

func packed(t *testing.T, text string) string {
	t.Helper()
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(enc.EncodeAll([]byte(text), nil))
}

func TestAVeryLongLineIsSkippedAndTheRestIsCaptured(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 70 MB")
	}
	w := newWorld(t)
	path := w.claude(aUUID + ".jsonl")
	w.write(path, turn(0, w.now, "one", "1")+`{"type":"user","x":[`+strings.Repeat(`"`+strings.Repeat("y", 1<<19)+`",`, 132)+"0]}\n"+turn(1, w.now, "two", "2"))
	w.scan()
	if got := outputs(w.nodes(w.only().ID)); got != "one 1 two 2" {
		t.Errorf("nodes %q", got)
	}
	if c := w.status("claude-code").Skipped["line too long"]; c.Times != 1 || c.Places[0].Line != 3 || c.Bytes < 66<<20 {
		t.Errorf("skips %+v", c)
	}
}

func TestTheProjectIsAskedForUntilItIsKnown(t *testing.T) {
	w := newWorld(t)
	path := w.claude(aUUID + ".jsonl")
	answer, err := "", error(fmt.Errorf("disk is away"))
	w.engine.o.Project = projectFunc(func(p Place) (string, error) {
		if p.Cwd != "/home/user/project" {
			t.Errorf("asked for %+v", p)
		}
		return answer, err
	})
	w.write(path, turn(0, w.now, "one", "1"))
	w.scan()
	if m := w.only(); m.ProjectID != memory.DefaultProject {
		t.Errorf("project %q", m.ProjectID)
	}
	w.problems(1)
	answer, err = "p1", nil
	w.append(path, turn(1, w.now, "two", "2"))
	w.scan()
	if m := w.only(); m.ProjectID != "p1" {
		t.Errorf("project %q", m.ProjectID)
	}
	w.problems(0)
}

func TestAProjectThatCouldNotBeToldIsAskedForAgainWithoutNewLines(t *testing.T) {
	for name, between := range map[string]func(*world){
		"a minute later": func(w *world) { w.now = w.now.Add(time.Minute) },
		"after a start":  func(w *world) { w.restart() },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.engine.o.Project = projectFunc(func(Place) (string, error) { return "", errors.New("the registry is broken") })
			w.write(w.claude(aUUID+".jsonl"), turn(0, w.now.AddDate(-1, 0, 0), "one", "1"))
			w.scan()
			between(w)
			asked := 0
			w.engine.o.Project = projectFunc(func(Place) (string, error) { asked++; return "p1", nil })
			w.scan()
			if m := w.only(); m.ProjectID != "p1" {
				t.Errorf("project %q", m.ProjectID)
			}
			w.problems(0)
			w.scan()
			if asked != 1 {
				t.Errorf("asked %d times", asked)
			}
		})
	}
}

func TestProblemsAreTriedLaterAndLater(t *testing.T) {
	w := newWorld(t)
	var pauses []time.Duration
	for range 12 {
		w.engine.trouble("a", "place", fmt.Errorf("no"))
		p := w.problems(1)[0]
		pauses = append(pauses, p.Next.Sub(p.Last))
		if amber := w.engine.Status().Amber; amber != (len(pauses) >= amberAfter) {
			t.Errorf("amber %v after %d failures", amber, len(pauses))
		}
		if !w.engine.paused("place") {
			t.Error("not paused")
		}
		w.now = p.Next
		if w.engine.paused("place") {
			t.Error("still paused")
		}
	}
	if pauses[0] != firstPause || pauses[1] != 2*firstPause || pauses[11] != lastPause {
		t.Errorf("pauses %v", pauses)
	}
}

func TestOnlySomeParsersAreKept(t *testing.T) {
	var p parsers
	for i := range keptParsers + 3 {
		p.put(sessionKey{"a", fmt.Sprint(i)}, &active{})
	}
	if len(p.order) != keptParsers || len(p.by) != keptParsers || p.take(sessionKey{"a", "0"}) != nil || p.take(sessionKey{"a", "5"}) == nil {
		t.Errorf("kept %v", p.order)
	}
}
