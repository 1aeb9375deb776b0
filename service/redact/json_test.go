package redact

import (
	"encoding/json"
	"reflect"
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

// noTexts are the fields of a node that hold no text of a transcript: ids, and words of the product's own.
var noTexts = map[string]bool{
	"ID": true, "Role": true, "ParentID": true, "CalledBy": true, "CreatedAt": true, "Metadata.SourceIDs": true, "Metadata.Kind": true,
	"Metadata.Status": true, "Metadata.AgentID": true, "Metadata.Images.SHA256": true, "Metadata.Edits.Op": true,
	"Metadata.Edits.BeforeSum": true, "Metadata.Files.SHA256": true, "Metadata.Files.Blob": true, "Metadata.Compaction.Last": true, "Metadata.Clipped.SHA256": true,
	"Metadata.Cleared": true,
}

// fill puts text into every field of v that holds one, at whatever depth, and counts them. path names v.
func fill(v reflect.Value, path, text string) (count int) {
	if noTexts[path] {
		return 0
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
		return 1
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return fill(v.Elem(), path, text)
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			input, _ := memory.Encode(map[string]string{"x": text})
			v.SetBytes(input)
			return 1
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		return fill(v.Index(0), path, text)
	case reflect.Struct:
		for i := range v.NumField() {
			count += fill(v.Field(i), strings.TrimPrefix(path+"."+v.Type().Field(i).Name, "."), text)
		}
	}
	return count
}

// fullNode is a node with the same text in every field that may hold one of a transcript.
func fullNode(text string) (n *memory.Node, texts int) {
	n = &memory.Node{}
	texts = fill(reflect.ValueOf(n).Elem(), "", text)
	n.ID, n.Role = "n1", memory.RoleTool
	n.Metadata.Redacted = 2
	n.Metadata.Edits[0].Op = "update"
	return n, texts
}

func TestEveryTextOfANodeIsCleaned(t *testing.T) {
	const secret = "ghp_to3P8l3Ie2Fmxnl7lCFwzD6NIsssTCTCAa5O"
	n, texts := fullNode(secret)
	found, err := newTestRedactor(t).Node(n)
	if err != nil || texts < 14 || found != texts || n.Metadata.Redacted != 2+texts {
		t.Errorf("found %d of %d, %v, counted %d", found, texts, err, n.Metadata.Redacted)
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
	n, _ := fullNode("plain text")
	n.Input = json.RawMessage(`{"broken`)
	if found, err := newTestRedactor(t).Node(n); err == nil || found != 0 || !strings.Contains(err.Error(), "n1") {
		t.Errorf("found %d, %v", found, err)
	}
	b, err := memory.Encode(n)
	if err != nil || strings.Contains(string(b), "plain") || strings.Contains(string(b), "broken") {
		t.Errorf("%v: %s", err, b)
	}
}
