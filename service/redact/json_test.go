package redact

import (
	"encoding/json"
	"strings"
	"testing"

	"dormouse/store/memory"
)

func TestJSONStaysJSONAndKeepsWhatIsNoSecret(t *testing.T) {
	r := newTestRedactor(t)
	for name, c := range map[string]struct {
		in     string
		n      int
		secret string
	}{
		"by its name":         {`{"user":"bob", "password" : "hunter22","n":1.50}`, 1, "hunter22"},
		"by itself":           {`["a",{"x":"ghp_to3P8l3Ie2Fmxnl7lCFwzD6NIsssTCTCAa5O"}]`, 1, "ghp_to3P"},
		"name and value":      {`{"env":[{"name":"DB_PASSWORD","value":"hunter22"}]}`, 1, "hunter22"},
		"flag and argument":   {`{"argv":["login","--password","hunter22","-v"]}`, 1, "hunter22"},
		"escaped":             {`{"command":"export DB_PASSWORD=\"hunter22\"\nls"}`, 1, "hunter22"},
		"unicode escapes":     {`{"pass\u0077ord":"hunter\u00322"}`, 1, "hunter22"},
		"JSON in a string":    {`{"body":"{\"password\":\"hunter22\"}"}`, 1, "hunter22"},
		"a member's name":     {`{"ghp_to3P8l3Ie2Fmxnl7lCFwzD6NIsssTCTCAa5O":1}`, 1, "ghp_to3P"},
		"a bare string":       {`"DB_PASSWORD=hunter22"`, 1, "hunter22"},
		"nothing":             {`{"a":[1,true,null,"x",{"b":[]}], "token_count": 12345678901234, "e":"é<>&"}`, 0, ""},
		"placeholder":         {`{"password":"${DB_PASSWORD}","token":"<token>"}`, 0, ""},
		"a number":            {`12345`, 0, ""},
		"nothing at all":      {``, 0, ""},
		"lone surrogate":      {`{"a":"\ud800 x","password":"hunter22"}`, 1, "hunter22"},
		"deep":                {strings.Repeat(`[`, 5000) + `{"password":"hunter22"}` + strings.Repeat(`]`, 5000), 1, "hunter22"},
		"markup is no escape": {`{"t":"a<b>&c","password":"hunter22"}`, 1, "hunter22"},
	} {
		t.Run(name, func(t *testing.T) {
			out, n, err := r.JSON(json.RawMessage(c.in))
			if err != nil || n != c.n {
				t.Fatalf("found %d, %v in %.200q", n, err, out)
			}
			if n == 0 && string(out) != c.in {
				t.Errorf("changed to %q", out)
			}
			if n > 0 && (!json.Valid(out) || strings.Contains(string(out), c.secret)) {
				t.Errorf("got %.200q", out)
			}
			again, n, err := r.JSON(out)
			if err != nil || n != 0 || string(again) != string(out) {
				t.Errorf("again: found %d, %v in %.200q", n, err, again)
			}
		})
	}
}

func TestJSONThatIsNotValidIsWithheld(t *testing.T) {
	r := newTestRedactor(t)
	for _, in := range []string{`{"password":"hunter22"`, `{a:1}`, `"open`, `[1] [2]`} {
		if out, n, err := r.JSON(json.RawMessage(in)); err == nil || out != nil || n != 0 {
			t.Errorf("%s: got %q, %d, %v", in, out, n, err)
		}
	}
}

// fullNode is a node with the same text in every field that holds one.
func fullNode(text string) *memory.Node {
	input, _ := memory.Encode(map[string]string{"x": text})
	return &memory.Node{
		ID: "n1", Role: memory.RoleTool, Name: text, Output: text, Input: input, Reads: []string{"file:" + text},
		Metadata: memory.Metadata{
			Thinking: text, Cwd: text, GitBranch: text, Model: text, AgentType: text, Redacted: 2,
			Edits:      []memory.Edit{{Path: text, Op: "update", Diff: "+" + text, Before: new(text)}},
			Compaction: &memory.Compaction{Trigger: text},
		},
	}
}

func TestEveryTextOfANodeIsCleaned(t *testing.T) {
	const secret = "ghp_to3P8l3Ie2Fmxnl7lCFwzD6NIsssTCTCAa5O"
	n := fullNode(secret)
	found, err := newTestRedactor(t).Node(n)
	if err != nil || found != 13 || n.Metadata.Redacted != 15 {
		t.Errorf("found %d, %v, counted %d", found, err, n.Metadata.Redacted)
	}
	b, err := memory.Encode(n)
	if err != nil || strings.Contains(string(b), secret[4:20]) {
		t.Errorf("%v: %s", err, b)
	}
	if n.ID != "n1" || n.Role != memory.RoleTool || n.Metadata.Edits[0].Op != "update" {
		t.Errorf("more than texts was changed: %s", b)
	}
}

func TestANodeThatCannotBeCleanedIsEmptied(t *testing.T) {
	n := fullNode("plain text")
	n.Input = json.RawMessage(`{"broken`)
	if found, err := newTestRedactor(t).Node(n); err == nil || found != 0 || !strings.Contains(err.Error(), "n1") {
		t.Errorf("found %d, %v", found, err)
	}
	b, err := memory.Encode(n)
	if err != nil || strings.Contains(string(b), "plain") || strings.Contains(string(b), "broken") {
		t.Errorf("%v: %s", err, b)
	}
}
