package gemini

import (
	"regexp"
	"strconv"
	"strings"

	"dormouse/service/capture/blocks"
	"dormouse/service/capture/chain"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

func callID(t gjson.Result) string {
	return strings.Clone(first(t.Get("id").String(), hash(t.Get("name").String()+t.Get("args").Raw)))
}

// toolCall reads a call with its result. One that is not over has none.
func toolCall(t gjson.Result) chain.Call {
	c := chain.Call{ID: callID(t), Name: strings.Clone(t.Get("name").String()), Input: blocks.Input(t.Get("args")),
		Time: transcript.Unix(t.Get("timestamp").String())}
	status, over := statuses[t.Get("status").String()]
	if !over && !t.Get("result").Exists() {
		return c
	}
	r := outcome(t)
	if status == memory.StatusInterrupted || r.Status == "" {
		r.Status = status
	}
	c.Result = &r
	return c
}

// statuses are those of calls that are over; others are still running or ask for leave.
var statuses = map[string]memory.Status{"success": "", "error": memory.StatusError, "cancelled": memory.StatusInterrupted}

// outcome is what the call gave: what the model saw, else what the person saw.
func outcome(t gjson.Result) chain.Result {
	content := blocks.Google(t.Get("result"))
	r := chain.Result{}
	for _, one := range content.Results {
		if r.Text != "" && one.Text != "" {
			r.Text += "\n"
		}
		r.Text += one.Text
		r.Images = append(r.Images, one.Images...)
		if one.Status != "" {
			r.Status = one.Status
		}
		if one.Exit != nil {
			r.Exit = one.Exit
		}
	}
	r.Images = append(r.Images, content.Images...)
	if len(content.Results) == 0 {
		r.Text = content.Text()
	}
	shown := t.Get("resultDisplay")
	if r.Text == "" && shown.Type == gjson.String {
		r.Text = strings.Clone(shown.Str)
	}
	if r.Exit == nil {
		r.Exit = exitOf(r.Text)
	}
	if d := shown.Get("fileDiff"); d.Exists() {
		path := first(t.Get("args.file_path").String(), shown.Get("filePath").String(), shown.Get("fileName").String())
		e := chain.Diffed(strings.Clone(path), d.String())
		if shown.Get("isNewFile").Bool() || shown.Get("originalContent").Type == gjson.Null && shown.Get("originalContent").Exists() {
			e.Op = "create"
		}
		r.Edits = []memory.Edit{e}
	}
	return r
}

var exitLine = regexp.MustCompile(`(?m)^Exit Code: (-?\d{1,6})\s*$`)

// exitOf is the exit code that a shell's result names behind the output.
func exitOf(text string) *int {
	tail := text[max(0, len(text)-400):]
	if m := exitLine.FindAllStringSubmatch(tail, -1); m != nil {
		if n, err := strconv.Atoi(m[len(m)-1][1]); err == nil {
			return &n
		}
	}
	return nil
}
