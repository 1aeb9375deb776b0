package proxy

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"dormouse/service/pager"
)

// said in short: side, kinds and times of messages.
func inShort(list []pager.Message) (out string) {
	for _, m := range list {
		side := "a"
		if m.User {
			side = "u"
		}
		at := "-"
		if !m.Time.IsZero() {
			at = fmt.Sprint(m.Time.Unix())
		}
		out += side + at
		for _, b := range m.Blocks {
			out += fmt.Sprintf(" %d:%s%s", b.Kind, b.Text, b.Input)
		}
		out += "; "
	}
	return out
}

// TestARecorderTakesWhatIsNew in each form: requests repeat all that was said before.
func TestARecorderTakesWhatIsNew(t *testing.T) {
	for name, c := range map[string]struct {
		form form
		body [4]string // growing; the last is another beginning
	}{
		"messages": {messages, [4]string{`{"model":"m","messages":[{"role":"user","content":"go"}]}`,
			`{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"go","cache_control":{"type":"ephemeral"}}]},{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"T","input":{"a":1}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"r"}]}]}`,
			`{"model":"m","messages":[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"T","input":{"a":1}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"r"}]},{"role":"assistant","content":"done"},{"role":"user","content":"more"}]}`,
			`{"model":"m","messages":[{"role":"user","content":"other"}]}`}},
		"chat": {chat, [4]string{`{"model":"m","messages":[{"role":"user","content":"go"}]}`,
			`{"model":"m","messages":[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"T","arguments":"{\"a\":1}"}}]},{"role":"tool","tool_call_id":"c1","content":"r"}]}`,
			`{"model":"m","messages":[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"T","arguments":"{\"a\":1}"}}]},{"role":"tool","tool_call_id":"c1","content":"r"},{"role":"assistant","content":"done"},{"role":"user","content":"more"}]}`,
			`{"model":"m","messages":[{"role":"user","content":"other"}]}`}},
		"responses": {responses, [4]string{`{"model":"m","input":"go"}`,
			`{"model":"m","input":["go",{"type":"function_call","call_id":"c1","name":"T","arguments":"{\"a\":1}"},{"type":"function_call_output","call_id":"c1","output":"r"}]}`,
			`{"model":"m","input":["go",{"type":"function_call","call_id":"c1","name":"T","arguments":"{\"a\":1}"},{"type":"function_call_output","call_id":"c1","output":"r"},{"type":"message","role":"assistant","content":"done"},{"role":"user","content":"more"}]}`,
			`{"model":"m","input":"other"}`}},
		"generate": {generate, [4]string{`{"contents":[{"role":"user","parts":[{"text":"go"}]}]}`,
			`{"contents":[{"role":"user","parts":[{"text":"go"}]},{"role":"model","parts":[{"functionCall":{"name":"T","args":{"a":1}}}]},{"role":"user","parts":[{"functionResponse":{"name":"T","response":{"output":"r"}}}]}]}`,
			`{"contents":[{"role":"user","parts":[{"text":"go"}]},{"role":"model","parts":[{"functionCall":{"name":"T","args":{"a":1}}}]},{"role":"user","parts":[{"functionResponse":{"name":"T","response":{"output":"r"}}}]},{"role":"model","parts":[{"text":"done"}]},{"role":"user","parts":[{"text":"more"}]}]}`,
			`{"contents":[{"role":"user","parts":[{"text":"other"}]}]}`}},
	} {
		var r Recorder
		take := func(client string, n, at int) string {
			x, err := r.Take(Seen{Client: client, Upstream: "u", At: time.Unix(int64(at), 0), Body: []byte(c.body[n]), form: c.form})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return fmt.Sprint(x.Talk, " ", inShort(x.Messages))
		}
		for i, step := range []struct {
			client string
			n      int
			want   string
		}{
			{"a", 0, "1 u0 1:go; "},
			{"a", 1, "1 a0 2:{\"a\":1}; u1 3:r; "},
			{"a", 1, "1 "},                                  // again
			{"a", 3, "2 u3 1:other; "},                      // a second conversation
			{"a", 2, "1 a2 1:done; u4 1:more; "},            // and on with the first
			{"b", 0, "3 u5 1:go; "},                         // another client's is another one
			{"a", 1, "4 u- 1:go; a- 2:{\"a\":1}; u6 3:r; "}, // something was taken back
			{"a", 2, "1 "},                                  // which leaves the first alone
			{"a", 0, "5 u8 1:go; "},
		} {
			if got := take(step.client, step.n, i); got != step.want {
				t.Errorf("%s, step %d: %q, want %q", name, i, got, step.want)
			}
		}
	}
}

func TestARecorderSaysWhatItCannotRead(t *testing.T) {
	var r Recorder
	for body, want := range map[string]error{`{`: doubtJSON, `{"messages":[]}`: doubtShape, `{"messages":[{"role":"user","content":[{"type":"new"}]}]}`: doubtBlock} {
		if _, err := r.Take(Seen{Body: []byte(body), form: messages}); !errors.Is(err, want) {
			t.Errorf("%s: %v", body, err)
		}
	}
	if _, err := r.Take(Seen{Body: []byte(`{}`), form: generate}); !errors.Is(err, doubtShape) {
		t.Error(err)
	}
}

// TestARecorderForgets the conversations that were silent longest.
func TestARecorderForgets(t *testing.T) {
	var r Recorder
	for i := range 3 * maxRecorded {
		if _, err := r.Take(Seen{Body: fmt.Appendf(nil, `{"messages":[{"role":"user","content":"%d"}]}`, i), form: messages}); err != nil {
			t.Fatal(err)
		}
	}
	if len(r.talks) > maxRecorded || len(r.order) > 4*maxRecorded {
		t.Errorf("%d conversations are held, %d in order", len(r.talks), len(r.order))
	}
}
