package replay

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"dormouse/service/pager"
	"dormouse/store/memory"
)

func TestFromNodes(t *testing.T) {
	user := func(text string, kind memory.UserKind) memory.Node {
		return memory.Node{Role: memory.RoleUser, Output: text, CreatedAt: 100, Metadata: memory.Metadata{Kind: kind}}
	}
	tool := func(id string, status memory.Status) memory.Node {
		return memory.Node{ID: id, Role: memory.RoleTool, Name: "Bash", Input: json.RawMessage(`{ "command": "ls" }`), Output: "out", Metadata: memory.Metadata{Status: status}}
	}
	sub := memory.Node{Role: memory.RoleUser, Output: "task", Metadata: memory.Metadata{AgentID: "sub", Kind: memory.KindTask}}
	said := func(text string) memory.Node {
		return memory.Node{Role: memory.RoleAssistant, Output: text, CreatedAt: 200}
	}
	tr := FromNodes("s", "a", []memory.Node{
		user("hello", memory.KindPrompt), user("reminder", memory.KindHarness), said("I look"), tool("t1", memory.StatusOK), tool("t2", memory.StatusError), sub, said("done"),
		user("summary", memory.KindCompaction), said("on"),
	})
	if got, want := shape(tr), "u[hello|reminder] a[I look|Bash{\"command\":\"ls\"}|Bash{\"command\":\"ls\"}] u[=out|=out!] a[done] / u[summary] a[on] / u[task]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if at := tr.Windows[0][1].Time.Unix(); at != 200 {
		t.Errorf("the message is from %d", at)
	}
}

func shape(t *Trace) string {
	var windows []string
	for _, w := range t.Windows {
		var msgs []string
		for _, m := range w {
			var bs []string
			for _, b := range m.Blocks {
				s := b.Text
				switch b.Kind {
				case pager.Call:
					s = b.Tool + string(b.Input)
				case pager.Result:
					s = "=" + b.Text
				}
				if b.Failed {
					s += "!"
				}
				bs = append(bs, s)
			}
			msgs = append(msgs, fmt.Sprintf("%s[%s]", map[bool]string{true: "u", false: "a"}[m.User], strings.Join(bs, "|")))
		}
		windows = append(windows, strings.Join(msgs, " "))
	}
	return strings.Join(windows, " / ")
}
