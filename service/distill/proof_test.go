package distill

import (
	"slices"
	"strings"
	"testing"

	"dormouse/store/memory"
)

// hunt is a turn in which a finding stands between two runs of a command. slip begins it with a change of the agent's own.
func hunt(before, after string, slip bool) *script {
	s := newScript("s").user("the client goes on and on when the server is away")
	if slip {
		s.edit("/home/u/shop/retry.go")
	}
	run := func(output string) {
		status := memory.StatusOK
		if strings.Contains(output, "FAIL") {
			status = memory.StatusError
		}
		s.tool("Bash", map[string]string{"command": "go test ./..."}, output, status)
	}
	if before != "" {
		run(before)
	}
	s.says("The retry counter is per connection, so each reconnect starts at zero and `maxRetries` is never reached.")
	s.edit("/home/u/shop/retry.go").edit("/home/u/shop/retry_test.go")
	if after != "" {
		run(after)
	}
	return s.says("The client gives up now.")
}

func TestAFindingIsProvenByTheRunsAroundIt(t *testing.T) {
	const fail, pass = "--- FAIL: TestGivesUp", "ok  	shop	0.1s"
	weight := func(s *script) (float64, bool) {
		turn := Turn{Session: s.meta, Project: Project{ID: "p", Root: s.meta.Cwd}, N: 1, Nodes: s.nodes}
		x := look(&turn)
		i := slices.IndexFunc(x.said, func(st statement) bool { return strings.Contains(st.text, "per connection") })
		return x.proof(x.said[i].node)
	}
	for name, c := range map[string]struct {
		script *script
		weight float64
		proven bool
	}{
		"failed, found, changed, passed": {hunt(fail, pass, false), 1, true},
		"failed again":                   {hunt(fail, fail, false), -0.8, false},
		"never failed":                   {hunt("", pass, false), 0, false},
		"passed before":                  {hunt(pass, pass, false), 0, false},
		"not tried again":                {hunt(fail, "", false), 0, false},
		"a slip of the turn's own":       {hunt(fail, pass, true), 0, false},
	} {
		if w, proven := weight(c.script); w != c.weight || proven != c.proven {
			t.Errorf("%s: %v, proven %v", name, w, proven)
		}
	}
}

func TestAProvenFindingIsRemembered(t *testing.T) {
	learnings := func(s *script) []string {
		return slices.DeleteFunc(s.lines(), func(l string) bool { return !strings.HasPrefix(l, "learning/") })
	}
	const fail, pass = "--- FAIL: TestGivesUp", "ok  	shop	0.1s"
	want := []string{"learning/agent The retry counter is per connection, so each reconnect starts at zero and maxRetries is never reached"}
	if got := learnings(hunt(fail, pass, false)); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := learnings(hunt(fail, fail, false)); len(got) > 0 {
		t.Errorf("a finding whose change did not help is remembered: %q", got)
	}
}
