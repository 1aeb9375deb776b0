package session

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"dormouse/store/memory"
)

func TestNodeNames(t *testing.T) {
	for name, ok := range map[string]bool{
		"000001-u-abc.json": true, "000042-a-x_y-z.1.json": true, "999999-t-0.json": true,
		"000000-u-abc.json": false, "00001-u-abc.json": false, "0000001-u-abc.json": false, "000001-x-abc.json": false,
		"000001-u-.json": false, "000001-u-abc": false, "000001-u-a/b.json": false, "000001-u-.a.json": false, "00000x-u-a.json": false,
		"000001-u-" + strings.Repeat("a", maxID+1) + ".json": false, ".tmp-123": false, "": false,
	} {
		seq, role, id, got := parseName(name)
		if got != ok || ok && nodeName(seq, role, id) != name {
			t.Errorf("%q: %d %q %q %v", name, seq, role, id, got)
		}
	}
}

func TestNodeThatCannotBeAFileIsRefused(t *testing.T) {
	for _, bad := range []memory.Node{{ID: "", Role: memory.RoleUser}, {ID: "../x", Role: memory.RoleUser}, {ID: "a", Role: "judge"}, {ID: "a", Role: memory.RoleTool, Input: json.RawMessage("{")}} {
		x := ensure(t, newStore(t), "a")
		b := x.Begin(false)
		if _, err := b.Append(bad); err == nil {
			t.Errorf("%+v is accepted", bad)
		}
		if _, err := b.Append(node("fine", memory.RoleUser, "", "", 1)); err == nil {
			t.Error("a batch goes on after an error")
		}
		if err := b.Close(true); err == nil {
			t.Error("a failed batch closes without an error")
		}
		if _, err := b.Append(bad); err == nil {
			t.Error("a closed batch takes a node")
		}
		if x.Len() != 0 {
			t.Error("something was appended")
		}
	}
}

func TestSubjectIsOneLineOfSixtyCharacters(t *testing.T) {
	for in, want := range map[string]string{
		"":                                "",
		" \n\t ":                          "",
		"one\r\n\n two":                   "one two",
		"a\x00b\x1b[31mc":                 "a b [31mc",
		"bad \xff\xfe utf":                "bad utf",
		strings.Repeat("x", 59) + " yz":   strings.Repeat("x", 59) + "y",
		strings.Repeat("x", 60) + " yz":   strings.Repeat("x", 60),
		strings.Repeat("日本", 2000):        strings.Repeat("日本", 30),
		strings.Repeat(" ", 2000) + "far": "",
	} {
		if got := subject(in); got != want {
			t.Errorf("subject(%.20q) = %q, want %q", in, got, want)
		}
	}
	if got := message(3, "", false); got != "turn 3:" {
		t.Errorf("%q", got)
	}
}

func FuzzMessage(f *testing.F) {
	f.Add(1, "Fix it", true)
	f.Add(0, "", false)
	f.Add(12, "a: b (more", true)
	f.Fuzz(func(t *testing.T, turn int, text string, more bool) {
		s := subject(text)
		if utf8.RuneCountInString(s) > subjectLen || strings.ContainsAny(s, "\n\x00") || !utf8.ValidString(s) {
			t.Errorf("subject %q", s)
		}
		if turn < 0 || strings.HasSuffix(" "+s, moreMark) {
			return
		}
		gotTurn, got, gotMore, ok := parseMessage(message(turn, s, more))
		if gotTurn != turn || strings.TrimSpace(got) != strings.TrimSpace(s) || gotMore != more || !ok {
			t.Errorf("%d %q %v gives %d %q %v %v", turn, s, more, gotTurn, got, gotMore, ok)
		}
	})
}

// FuzzParseHeader checks that the short way to a header, which skips the texts, gives what the whole node says.
func FuzzParseHeader(f *testing.F) {
	f.Add(`text`, `{"parent_id":"no","metadata":{"turn":9}}`, `think`, "p", "c", "agent", 3)
	f.Add(`,"parent_id":"x","called_by":null,"created_at":1,"metadata":{}}`, `[",\"parent_id\":"]`, `\`, "", "", "", 0)
	f.Fuzz(func(t *testing.T, output, input, thinking, parent, called, agent string, turn int) {
		n := memory.Node{ID: "n", Role: memory.RoleTool, Output: output, ParentID: memory.Ref(parent), CalledBy: memory.Ref(called), CreatedAt: 7,
			Metadata: memory.Metadata{Turn: turn, Thinking: thinking, AgentID: agent, SourceIDs: []string{output}, Edits: []memory.Edit{{Diff: input}}}}
		if json.Valid([]byte(input)) {
			n.Input = json.RawMessage(input)
		}
		data, err := n.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		var back memory.Node
		if err := json.Unmarshal(data, &back); err != nil {
			t.Fatal(err)
		}
		got, err := parseHeader(data)
		want := headerOf(&back)
		want.seen = nil // known of nodes that have no commit yet
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v %v, want %+v\n%s", got, err, want, data)
		}
	})
}

func TestHeaderOfAForeignLayoutIsReadWhole(t *testing.T) {
	h, err := parseHeader([]byte(`{"metadata":{"turn":4,"agent_id":"x"}, "created_at": 9, "parent_id" : "p", "input":{"a":1,"parent_id":"no"}}`))
	if err != nil || !reflect.DeepEqual(h, header{parent: "p", agent: "x", turn: 4, created: 9}) {
		t.Errorf("%+v %v", h, err)
	}
	if _, err := parseHeader([]byte(`{"id":`)); err == nil {
		t.Error("a cut node is read")
	}
}
