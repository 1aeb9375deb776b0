package codex

import (
	"regexp"
	"strconv"
	"strings"

	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// outcome is what the result of a call holds.
type outcome struct {
	text   string
	images []memory.Image
	exit   *int
	ms     int64 // how long the call ran; 0 where unknown
}

// outcomeOf reads a result: a string, a list of items, or an object with the text in it.
func outcomeOf(payload value) outcome {
	out := payload.Get("output")
	if !out.Exists() {
		out = payload.Get("tools")
	}
	switch {
	case out.Type == gjson.String:
		return unpacked(out.Str)
	case out.IsArray():
		return told(strings.TrimSuffix(joined(out), "\n"), images(out))
	case out.IsObject() && out.Get("content").Exists():
		return told(textOf(out.Get("content")), images(out.Get("content_items")))
	case out.IsObject():
		return told(first(out.Get("output").String(), out.Raw), nil)
	default:
		return told(out.String(), nil)
	}
}

func joined(items value) string {
	var b strings.Builder
	items.ForEach(func(_, i value) bool {
		t := i.Get("text").String()
		if i.Type == gjson.String {
			t = i.String()
		}
		if t == "" {
			return true
		}
		b.WriteString(t)
		if !strings.HasSuffix(t, "\n") {
			b.WriteByte('\n')
		}
		return true
	})
	return b.String()
}

// unpacked reads a result that came as a string. Early shells packed it into JSON beside what is known of the run.
func unpacked(s string) outcome {
	if !strings.HasPrefix(s, `{"output":`) || !gjson.Valid(s) {
		return told(s, nil)
	}
	v := gjson.Parse(s)
	o := outcome{text: v.Get("output").String(), ms: int64(max(v.Get("metadata.duration_seconds").Float(), 0) * 1000)}
	if code := v.Get("metadata.exit_code"); code.Exists() {
		n := int(code.Int())
		o.exit = &n
	}
	return o
}

var (
	exitLine = regexp.MustCompile(`(?m)^(?:Process exited with code|Exit code:) (-?\d{1,6})\s*$`)
	timeLine = regexp.MustCompile(`(?m)^Wall time:? ([0-9.]{1,12}) seconds`)
)

// told reads exit code and time from the words that later shells put in front of a result.
func told(text string, pictures []memory.Image) outcome {
	o := outcome{text: text, images: pictures}
	head := text[:min(len(text), 300)]
	if m := exitLine.FindStringSubmatch(head); m != nil {
		if code, err := strconv.Atoi(m[1]); err == nil {
			o.exit = &code
		}
	}
	if m := timeLine.FindStringSubmatch(head); m != nil {
		if sec, err := strconv.ParseFloat(m[1], 64); err == nil {
			o.ms = int64(sec * 1000)
		}
	}
	return o
}

// fill fills what a result shows into the call's node. What an event told before holds.
func fill(n *memory.Node, o outcome) {
	m := &n.Metadata
	n.Output, m.Images = strings.Clone(o.text), o.images
	if m.ExitCode == nil {
		m.ExitCode = o.exit
	}
	if m.DurationMS == 0 {
		m.DurationMS = o.ms
	}
	m.Status = statusOf(m.ExitCode, o.text[:min(len(o.text), 300)])
}

// failures begin the results of calls that did not do what was asked.
var failures = []string{"Script failed", "apply_patch verification failed", "exec_command failed", "failed to", "execution error",
	"tool call error", "unsupported call", "Error:"}

func statusOf(exit *int, head string) memory.Status {
	lower := strings.ToLower(head)
	switch {
	case strings.HasPrefix(lower, "aborted"), strings.Contains(lower, "aborted by user"), strings.HasPrefix(lower, "exec_command rejected"),
		strings.HasPrefix(lower, "patch rejected by user"):
		return memory.StatusInterrupted
	case exit != nil && *exit != 0, transcript.StartsWithAny(head, failures):
		return memory.StatusError
	default:
		return memory.StatusOK
	}
}
