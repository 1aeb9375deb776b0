package opencode

import (
	"strings"

	"dormouse/service/capture/blocks"
	"dormouse/service/capture/chain"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// call is a call with its result, where it has one.
func call(m *message, p part) chain.Call {
	state := p.data.Get("state")
	c := chain.Call{ID: callID(m.id, p), Name: first(p.data.Get("tool").String(), p.data.Get("name").String()),
		Input: blocks.Input(state.Get("input")), Time: state.Get("time.start").Int() / 1000}
	if ran := p.data.Get("time.ran").Int(); c.Time == 0 {
		c.Time = ran / 1000
	}
	status := state.Get("status").String()
	switch status {
	case "pending", "running", "streaming":
		return c
	}
	r := &chain.Result{Text: outputOf(state), MS: took(p.data), Edits: edits(c.Name, state)}
	meta := state.Get("metadata")
	if code := meta.Get("exit"); code.Type == gjson.Number {
		n := int(code.Int())
		r.Exit = &n
	}
	if status == "error" {
		r.Text, r.Status = first(errorText(state.Get("error")), r.Text), memory.StatusError
		if meta.Get("interrupted").Bool() || strings.Contains(r.Text, "aborted") {
			r.Status = memory.StatusInterrupted
		}
	}
	state.Get("attachments").ForEach(func(_, a value) bool {
		if i, ok := image(a); ok {
			r.Images = append(r.Images, i)
		}
		return true
	})
	state.Get("content").ForEach(func(_, b value) bool {
		if i, ok := image(b); ok {
			r.Images = append(r.Images, i)
		}
		return true
	})
	c.Result = r
	return c
}

// outputOf is the text of a result: one text, or a list of contents.
func outputOf(state value) string {
	if out := state.Get("output"); out.Exists() {
		return out.String()
	}
	var texts []string
	state.Get("content").ForEach(func(_, b value) bool {
		texts = say(texts, b.Get("text").String())
		return true
	})
	return strings.Join(texts, "\n")
}

// took is how long a call ran, in milliseconds.
func took(p value) int64 {
	for _, times := range []value{p.Get("state.time"), p.Get("time")} {
		from, to := first(times.Get("start").Raw, times.Get("ran").Raw, times.Get("created").Raw), first(times.Get("end").Raw, times.Get("completed").Raw)
		if d := gjson.Parse(to).Int() - gjson.Parse(from).Int(); from != "" && to != "" && d > 0 {
			return d
		}
	}
	return 0
}

// edits are the changes that a result shows; none where only the arguments do.
func edits(name string, state value) []memory.Edit {
	meta := state.Get("metadata")
	if files := meta.Get("files"); files.IsArray() && files.Get("0").IsObject() {
		var out []memory.Edit
		files.ForEach(func(_, f value) bool {
			out = append(out, edit(first(f.Get("filePath").String(), f.Get("relativePath").String(), f.Get("file").String()), f))
			return true
		})
		return out
	}
	if results := meta.Get("results"); results.IsArray() {
		var out []memory.Edit
		results.ForEach(func(_, r value) bool {
			out = append(out, edits(name, gjson.Parse(`{"metadata":`+r.Raw+`,"input":`+first(state.Get("input").Raw, "{}")+`}`))...)
			return true
		})
		return out
	}
	path := first(meta.Get("filediff.file").String(), meta.Get("filediff.path").String(), meta.Get("filepath").String(), state.Get("input.filePath").String())
	if path == "" || meta.Get("diff").String() == "" && !meta.Get("filediff").IsObject() {
		return nil
	}
	e := edit(path, meta.Get("filediff"))
	if d := meta.Get("diff").String(); d != "" && e.Diff == "" {
		op, added, removed := e.Op, e.Added, e.Removed
		e = chain.Diffed(strings.Clone(path), strings.Clone(d))
		if op != "update" {
			e.Op = op
		}
		if added+removed > 0 {
			e.Added, e.Removed = added, removed
		}
	}
	return []memory.Edit{e}
}

// edit is one changed file as the agent tells of it.
func edit(path string, f value) memory.Edit {
	e := memory.Edit{Path: strings.Clone(path), Op: "update"}
	if d := first(f.Get("diff").String(), f.Get("patch").String()); d != "" {
		e = chain.Diffed(e.Path, strings.Clone(d))
	}
	switch f.Get("type").String() {
	case "add":
		e.Op = "create"
	case "delete":
		e.Op = "delete"
	}
	if before := f.Get("before"); before.Exists() && before.String() == "" && e.Op == "update" && f.Get("after").String() != "" {
		e.Op = "create"
	}
	if f.Get("additions").Exists() {
		e.Added, e.Removed = int(f.Get("additions").Int()), int(f.Get("deletions").Int())
	}
	return e
}
