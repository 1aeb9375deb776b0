package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// captureTime is how long a session may take to be captured whole: its last call is final when the session is quiet.
const captureTime = 3 * time.Minute

// captured asks Dormouse for the session and compares it with the script. It returns what is wrong.
func (w *world) captured(a agent) (faults []string) {
	deadline := time.Now().Add(captureTime)
	for {
		faults = w.compare(a)
		if len(faults) == 0 || time.Now().After(deadline) {
			return faults
		}
		time.Sleep(500 * time.Millisecond)
	}
}

func (w *world) compare(a agent) (faults []string) {
	out, err := w.dormouse("sessions", "--json")
	if err != nil {
		return []string{err.Error()}
	}
	var ids []string
	for _, s := range gjson.Parse(out).Array() {
		if s.Get("agent").String() == a.name {
			ids = append(ids, s.Get("id").String())
		}
	}
	if len(ids) != 1 {
		return []string{fmt.Sprintf("captured as %d sessions %v, want one", len(ids), ids)}
	}
	if out, err = w.dormouse("show", ids[0], "--json"); err != nil {
		return []string{err.Error()}
	}
	nodes := nodesOf(out)
	want := []expected{
		{"the prompt", "user", prompt}, {"the first answer", "assistant", mainSays}, {"the shell's result", "tool", mainGets}, {"the last answer", "assistant", lastSays},
	}
	if a.helps {
		want = append(want, expected{"the sub-agent's result", "tool", subGets}, expected{"the sub-agent's answer", "assistant", subSays})
	}
	for _, e := range want {
		if n := e.count(nodes); n != 1 {
			faults = append(faults, fmt.Sprintf("%s is there %d times", e.what, n))
		}
	}
	for _, n := range nodes {
		if strings.Contains(n.output, beginMark) && n.kind != "injected" {
			faults = append(faults, fmt.Sprintf("what was told is captured as %q, which Dormouse would learn from", n.kind))
		}
	}
	return faults
}

// node is what is compared of a captured node.
type node struct{ role, output, kind string }

// nodesOf are the nodes of a session as the command prints it.
func nodesOf(shown string) (out []node) {
	for _, turn := range gjson.Get(shown, "turns").Array() {
		for _, n := range turn.Get("nodes").Array() {
			out = append(out, node{n.Get("role").String(), n.Get("output").String(), n.Get("metadata.kind").String()})
		}
	}
	return out
}

type expected struct{ what, role, text string }

// count is how many nodes of the role have the text. An answer of a sub-agent comes once as its own message; the result of the
// call that started it repeats it and is a tool's.
func (e expected) count(nodes []node) (n int) {
	for _, x := range nodes {
		if x.role != e.role {
			continue
		}
		text := strings.Trim(strings.TrimSpace(x.output), `"`) // opencode puts the words of its command line in quotes
		if text == e.text || e.role == "tool" && strings.Contains(text, e.text) && !strings.Contains(text, subSays) {
			n++
		}
	}
	return n
}

// spoolTime is how long the service may take to pick up what hooks left for it.
const spoolTime = 2 * time.Minute

// heard says how many hooks arrived, and waits for the first.
func (w *world) heard() (note string, fault string) {
	for deadline := time.Now().Add(spoolTime); ; time.Sleep(time.Second) {
		out, err := w.dormouse("status", "--json")
		if err != nil {
			return "", err.Error()
		}
		h := gjson.Get(out, "hooks")
		heard, spooled := h.Get("heard").Int(), h.Get("spooled").Int()
		note = fmt.Sprintf(", %d hooks heard, %d picked up later", heard, spooled)
		if heard+spooled > 0 {
			return note, ""
		}
		if time.Now().After(deadline) {
			return note, "no hook was heard of"
		}
	}
}
