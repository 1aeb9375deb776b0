package blocks

import (
	"strings"
	"testing"

	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

func TestPartsOfGooglesInterfaceAreRead(t *testing.T) {
	c := Google(gjson.Parse(`["one",{"text":"two"},{"text":"hm","thought":true},{"functionCall":{"id":"c","name":"ls","args":{"a":1}}},
		{"functionResponse":{"id":"c","name":"ls","response":{"error":"no","exitCode":2},"parts":[{"inlineData":{"mimeType":"image/png","data":"cGl4ZWxz"}}]}},
		{"functionResponse":{"id":"d","response":{"content":[{"text":"inner"}]}}},{"functionResponse":{"id":"e","response":{"other":1}}},
		{"inlineData":{"mimeType":"image/png","data":"cGl4ZWxz"}},{"fileData":{"mimeType":"text/x","fileUri":"gs://x"}}]`))
	if c.Text() != "one\n\ntwo" || c.Thinking() != "hm" || len(c.Images) != 2 || c.Images[0].Bytes != 6 || len(c.Calls) != 1 || string(c.Calls[0].Input) != `{"a":1}` {
		t.Errorf("%+v", c)
	}
	r := c.Results
	if len(r) != 3 || r[0].Text != "no" || r[0].Status != memory.StatusError || *r[0].Exit != 2 || len(r[0].Images) != 1 || r[1].Text != "inner" || r[2].Text != `{"other":1}` {
		t.Errorf("%+v", r)
	}
	if c := Google(gjson.Parse(`"plain"`)); c.Text() != "plain" {
		t.Errorf("%+v", c)
	}
	if c := Google(gjson.Parse(`{"text":"one part"}`)); c.Text() != "one part" {
		t.Errorf("%+v", c)
	}
}

func TestBlocksOfAnthropicsInterfaceAreRead(t *testing.T) {
	c := Anthropic(gjson.Parse(`["one",{"type":"text","text":"two"},{"type":"thinking","thinking":"hm"},{"type":"tool_use","id":"c","name":"ls","input":{"a":1}},
		{"type":"toolCall","id":"d","name":"ls","arguments":"{\"b\":2}"},{"type":"tool_result","tool_use_id":"c","is_error":true,"content":[{"type":"text","text":"x"},{"type":"text","text":"y"}]},
		{"type":"tool_result","toolUseID":"d","content":[{"query":"q"}]},{"type":"tool_result","tool_use_id":"e","content":"plain"},
		{"type":"image","source":{"media_type":"image/png","data":"cGl4ZWxz"}},{"type":"image","mimeType":"image/png","data":"cGl4ZWxz"},{"type":"brand_new"}]`))
	if c.Text() != "one\n\ntwo" || c.Thinking() != "hm" || len(c.Images) != 2 || c.Images[1].Bytes != 6 || len(c.Calls) != 2 || string(c.Calls[1].Input) != `{"b":2}` {
		t.Errorf("%+v", c)
	}
	r := c.Results
	if len(r) != 3 || r[0].Text != "x\ny" || r[0].Status != memory.StatusError || r[1].Text != `[{"query":"q"}]` || r[2].Text != "plain" || r[1].CallID != "d" {
		t.Errorf("%+v", r)
	}
	if got := Input(gjson.Parse(`"not json {"`)); !strings.HasPrefix(string(got), `"not`) || Input(gjson.Parse(`null`)) != nil {
		t.Errorf("%s", got)
	}
}
