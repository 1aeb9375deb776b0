package cline

import (
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"

	"dormouse/service/capture/chain"
	"dormouse/service/capture/document"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// retold tells a task from the list of shown messages alone: that of the conversation is gone. What was read from the conversation
// before stays, and the engine then leaves the retelling out, because of its rank.
type retold struct {
	*task
	thinking []string
	usage    *memory.Usage
	call     string // newest one, which what is shown next may be the result of
}

// retoldRank is lower than that of a task that has its conversation.
const retoldRank = -1

// retell reads the list. Its newest message may still be changed while it grows.
func (t *task) retell(in io.Reader, path string) error {
	r := &retold{task: t}
	var last []byte
	err := document.Source{File: path, In: in, Opts: t.opts}.Elements(nil, func(string, []byte) {}, func(raw []byte) error {
		if last != nil {
			r.message(path, gjson.ParseBytes(last))
		}
		last = raw
		return document.HandOn(t.ctx, t.b.Drain(transcript.Growing), t.use)
	})
	if err == nil && last != nil && t.how != transcript.Growing {
		r.message(path, gjson.ParseBytes(last))
	}
	return err
}

// silent are kinds of shown messages that say nothing: questions for leave, marks of progress.
var silent = []string{"", "resume_task", "resume_completed_task", "api_req_failed", "api_req_retried", "api_req_retry_delayed", "api_req_finished",
	"api_req_deleted", "api_req_rate_limit_wait", "mcp_server_request_started", "checkpoint_saved", "shell_integration_warning", "mistake_limit_reached",
	"auto_approval_max_req_reached", "use_mcp_server_result", "deleted_api_reqs", "task_progress"}

// results are kinds of shown messages that hold the result of the call before them.
var results = []string{"command_output", "mcp_server_response", "codebase_search_result", "browser_action_result"}

// message takes one shown message.
func (r *retold) message(path string, m gjson.Result) {
	r.b.Look(m.Raw)
	r.n++
	ms := m.Get("ts").Int()
	at := chain.At{File: path, Line: r.n, Time: ms / 1000, Source: strconv.FormatInt(ms, 10)}
	kind, text := first(m.Get("say").String(), m.Get("ask").String()), m.Get("text").String()
	key := []string{r.id, "shown", strconv.FormatInt(ms, 10), kind, hash(m.Raw)}
	if r.call != "" && !slices.Contains(silent, kind) && !slices.Contains(results, kind) {
		r.s.GiveUp(memory.StatusPending) // results of most calls are not shown
		r.call = ""
	}
	switch {
	case r.n == 1 && kind == "text", kind == "task", kind == "user_feedback", kind == "user_feedback_diff":
		r.s.Prompt(at, text, images(m), key...)
	case kind == "text", kind == "completion_result", kind == "followup", kind == "plan_mode_respond":
		r.say(at, question(text), nil, key)
	case kind == "reasoning":
		r.thinking = append(r.thinking, text)
	case kind == "api_req_started":
		if u := tokens(gjson.Parse(text)); u != (memory.Usage{}) {
			r.usage = &u
		}
	case kind == "tool", kind == "use_mcp_server", kind == "command", kind == "browser_action_launch", kind == "browser_action":
		r.called(at, kind, text, key)
	case slices.Contains(results, kind):
		r.answered(at, text)
	case kind == "error", kind == "diff_error", kind == "rooignore_error", kind == "clineignore_error":
		r.s.Failed(at, text, key...)
	case kind == "condense_context":
		c := m.Get("contextCondense")
		r.s.Compact(at, c.Get("summary").String(), memory.Compaction{PreTokens: c.Get("prevContextTokens").Int()}, key...)
	case !slices.Contains(silent, kind):
		r.b.Unknown(at, kind, len(m.Raw))
	}
}

// say tells what the model said, with what it thought and what it cost.
func (r *retold) say(at chain.At, text string, calls []chain.Call, key []string) {
	if strings.TrimSpace(text) == "" && len(calls) == 0 {
		return
	}
	r.s.Say(at, chain.Message{Text: text, Thinking: strings.Join(r.thinking, "\n\n"), Usage: r.usage, Calls: calls}, key...)
	r.thinking, r.usage, r.call = nil, nil, ""
	if len(calls) == 0 {
		r.s.Close()
	}
}

// called tells a call. It is shown once when it is asked for and again when it is allowed.
func (r *retold) called(at chain.At, kind, text string, key []string) {
	v := gjson.Parse(text)
	name := first(v.Get("tool").String(), v.Get("toolName").String(), kind)
	input := transcript.JSON(strings.Clone(text))
	if kind == "command" {
		name = "execute_command"
	}
	if !v.IsObject() {
		b, err := json.Marshal(map[string]string{kind: text})
		if err == nil { // a text can always be written
			input = b
		}
	}
	r.say(at, "", []chain.Call{{ID: strings.Join(key, "/"), Name: name, Input: input}}, key)
	r.call = strings.Join(key, "/")
}

// answered tells the result of the newest call; what is shown without one is the client's.
func (r *retold) answered(at chain.At, text string) {
	if r.call == "" {
		r.s.Client(at, memory.KindHarness, text, r.id, "shown", at.Source, hash(text))
		return
	}
	r.b.Answer(r.s, at, r.call, chain.Result{Text: text, Source: at.Source})
	r.call = ""
}

// question are the words of a message that may be JSON with a question.
func question(text string) string {
	if v := gjson.Parse(text); v.IsObject() {
		return first(v.Get("question").String(), v.Get("response").String(), text)
	}
	return text
}

func images(m gjson.Result) (out []memory.Image) {
	m.Get("images").ForEach(func(_, i gjson.Result) bool {
		out = append(out, transcript.Image("", i.String()))
		return true
	})
	return out
}
