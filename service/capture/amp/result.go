package amp

import (
	"strings"

	"dormouse/service/capture/blocks"
	"dormouse/service/capture/chain"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// running are the states of calls that have no result yet.
var running = map[string]bool{"in-progress": true, "blocked-on-user": true, "queued": true}

// result takes the result of a call, which holds how it ran.
func (t *thread) result(at chain.At, b gjson.Result) {
	run := b.Get("run")
	if running[run.Get("status").String()] {
		return
	}
	id := first(b.Get("toolUseID").String(), b.Get("tool_use_id").String())
	r := outcome(run)
	r.Source, r.MS = at.Source, t.alone[id]
	if diff := run.Get("result.diff").String(); diff != "" && r.Status == "" {
		r.Edits = []memory.Edit{chain.Diffed(pathOf(diff, b), diff)}
	}
	t.b.Answer(t.s, at, id, r)
}

// outcome reads how a call ran.
func outcome(run gjson.Result) chain.Result {
	var r chain.Result
	switch v := run.Get("result"); {
	case v.IsArray():
		c := blocks.Anthropic(v)
		r.Text, r.Images = c.Text(), c.Images
	case v.IsObject():
		r.Text = first(v.Get("output").String(), v.Get("content").String(), v.Get("diff").String(), v.Raw)
	default:
		r.Text = v.String()
	}
	r.Text = strings.Clone(first(r.Text, run.Get("error.message").String(), run.Get("error").String(), run.Get("reason").String()))
	if code := run.Get("result.exitCode"); code.Type == gjson.Number {
		n := int(code.Int())
		r.Exit = &n
	}
	switch run.Get("status").String() {
	case "error":
		r.Status = memory.StatusError
	case "cancelled", "rejected-by-user":
		r.Status = memory.StatusInterrupted
	}
	return r
}

// pathOf is the file that a diff is of: its header says it, else the list of the files that the call changed.
func pathOf(diff string, b gjson.Result) string {
	for line := range strings.Lines(diff) {
		if p, ok := strings.CutPrefix(line, "+++ "); ok {
			p, _, _ = strings.Cut(strings.TrimSpace(p), "\t")
			return strings.Clone(p)
		}
	}
	return strings.Clone(filePath(b.Get("trackFiles.0").String()))
}
