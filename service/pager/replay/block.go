package replay

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"dormouse/service/pager"
)

// block is a block with what the metric needs of it.
type block struct {
	kind    pager.Kind
	size    int     // bytes of its full form
	lines   []int32 // distinct significant lines, by number in the trace
	anchors []int32
	key     string
	tool    string
	failed  bool
	stub    int     // bytes of the baseline's stub
	old     []int32 // of a call: the distinct significant lines that its edit quotes
}

// window is a conversation made ready: its messages, and their blocks in the order of the messages.
type window struct {
	msgs   []pager.Message
	blocks [][]*block
}

// ready is a trace made ready, so that several policies can run on it.
type ready struct {
	windows []window
	lines   map[string]int32
	anchors map[string]int32
}

func prepare(t *Trace) *ready {
	r := &ready{lines: map[string]int32{}, anchors: map[string]int32{}}
	calls := map[string]pager.Block{}
	for _, w := range t.Windows {
		out := window{msgs: w}
		for _, m := range w {
			var bs []*block
			for _, b := range m.Blocks {
				if b.Kind == pager.Call {
					calls[b.ID] = b
				}
				bs = append(bs, r.block(b, calls[b.ID]))
			}
			out.blocks = append(out.blocks, bs)
		}
		r.windows = append(r.windows, out)
	}
	return r
}

func (r *ready) block(b, call pager.Block) *block {
	x := &block{kind: b.Kind, failed: b.Failed}
	text := b.Text
	switch b.Kind {
	case pager.Call:
		x.size = len(b.Tool) + len(b.Input)
		x.tool, x.key = b.Tool, pager.Key(b.Tool, b.Input)
		text = strings.Join(stringsIn(b.Input), "\n")
		x.old = r.intern(r.lines, pager.SignificantLines(pager.QuotedByEdit(b.Tool, b.Input)))
	case pager.Result:
		x.size = len(text)
		if call.Kind == pager.Call {
			x.tool, x.key = call.Tool, pager.Key(call.Tool, call.Input)
			x.stub = baselineStub(call, text)
		} else {
			x.tool = "unknown"
			x.stub = baselineStub(pager.Block{Tool: "unknown", Input: json.RawMessage("{}")}, text)
		}
	default:
		x.size = len(text)
	}
	x.lines = r.intern(r.lines, pager.SignificantLines(text))
	x.anchors = r.intern(r.anchors, anchorsOf(text))
	return x
}

// intern gives the distinct strings of a list their numbers in the trace, sorted.
func (r *ready) intern(m map[string]int32, list []string) []int32 {
	out := make([]int32, 0, len(list))
	for _, s := range list {
		n, ok := m[s]
		if !ok {
			n = int32(len(m)) //nolint:gosec // a trace has no two billion lines
			m[s] = n
		}
		out = append(out, n)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// stringsIn are all strings among the values of a JSON text, in order.
func stringsIn(raw json.RawMessage) (out []string) {
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.UseNumber()
	collect(d, &out)
	return out
}

func collect(d *json.Decoder, out *[]string) bool {
	t, err := d.Token()
	if err != nil {
		return false
	}
	switch v := t.(type) {
	case string:
		*out = append(*out, v)
	case json.Delim:
		for d.More() {
			if v == '{' {
				if _, err := d.Token(); err != nil {
					return false
				}
			}
			if !collect(d, out) {
				return false
			}
		}
		_, err = d.Token()
		return err == nil
	}
	return true
}

// baselineStub is the length of the line that the baseline policies leave of a result.
func baselineStub(call pager.Block, text string) int {
	what := pager.SubjectOf(spaced(call.Input))
	if r := []rune(what); len(r) > 120 {
		what = string(r[:120])
	}
	return len(fmt.Sprintf("[Paged out: %s %s (%s bytes, %d lines). Re-read if needed.]", call.Tool, what, thousands(len(text)), strings.Count(text, "\n")+1))
}

func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

var anchor = regexp.MustCompile(`[\p{L}\p{N}_.@\-]*/[\p{L}\p{N}_./@\-]{4,}|[A-Za-z_][A-Za-z0-9_]{11,}|\b[0-9a-f]{7,40}\b`)

// anchorsOf are the paths, long identifiers and hashes in a text.
func anchorsOf(text string) (out []string) {
	for _, a := range anchor.FindAllString(text, -1) {
		digit := strings.ContainsAny(a, "0123456789")
		if len([]rune(a)) < 8 && !digit {
			continue
		}
		if !strings.ContainsAny(a, "/_") && !digit && a == strings.ToLower(a) {
			continue
		}
		out = append(out, a)
	}
	return out
}
