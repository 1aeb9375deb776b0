package replay

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"dormouse/service/pager"
)

// TestWhatIsRecordedIsRead goes from messages of two conversations side by side to a trace and back.
func TestWhatIsRecordedIsRead(t *testing.T) {
	at := time.Date(2026, 5, 4, 9, 0, 0, 5, time.UTC)
	a := []pager.Message{{User: true, Time: at, Blocks: []pager.Block{{Kind: pager.Text, Text: "go \" \\ \u2028 字"}}},
		{Blocks: []pager.Block{{Kind: pager.Call, ID: "c1", Tool: "T", Input: json.RawMessage(`{"a":1}`)}, {Kind: pager.Other, Text: "image"}}},
		{User: true, Blocks: []pager.Block{{Kind: pager.Result, ID: "c1", Text: "r\n", Failed: true}}}}
	b := []pager.Message{{User: true, Blocks: []pager.Block{{Kind: pager.Text, Text: "other"}}}, {Blocks: []pager.Block{{Kind: pager.Call, ID: "c1", Tool: "T", Input: json.RawMessage(`{`)}}}}
	var file bytes.Buffer
	file.Write(Head("r", "proxy"))
	for i := range a {
		file.Write(Line("1", a[i]))
		if i < len(b) {
			file.Write(Line("2", b[i]))
		}
	}
	got, err := Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	a[1].Blocks = a[1].Blocks[:1]
	b[1].Blocks[0].Input = json.RawMessage(`"{"`)
	if want := (&Trace{ID: "r", Agent: "proxy", Windows: [][]pager.Message{a, b}}); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
}
