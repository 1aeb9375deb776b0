package proxy

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

var handleOf = regexp.MustCompile(`\[Paged out: ([0-9a-f]{6,}) `)

// session is a long session in which a model restores what was shortened. It is started anew before step at; -1 for never.
func longSession(t *testing.T, f form, at int) (bodies [][]byte, answers []string, st Stats) {
	t.Helper()
	k := &keeper{}
	paged := func(o *Options) { o.Page, o.Pager = func() bool { return true }, pagerSmall() }
	b, s, _ := askingBed(t, f, k.into, paged)
	s.short = true
	l := newLibrary(b, f, true)
	l.user("go")
	handle := ""
	var last []byte // request
	content := func(i int) string {
		return fmt.Sprintf("needle%dx is here\n\"quoted\" ünd <more> %d\n%s", i, i, long(60, fmt.Sprint("found ", i)))
	}
	for i := range 40 {
		if i == at {
			b.metered(s.n)
			bodies = append(bodies, sent(b)...)
			again, s2, _ := askingBed(t, f, k.into, k.from(t), paged)
			s2.flat, s2.tools, s2.n, s2.short = s.flat, s.tools, s.n, true
			s, b = s2, again
			l = moved(l, again)
		}
		reply := []says{says1("I look. "), calls("Grep", fmt.Sprintf(`{"pattern":"n%d"}`, i))}
		switch {
		case i == 12:
			handle = firstHandle(last, "n2")
			s.will([]says{calls(toolRestore, fmt.Sprintf(`{"handle":%q}`, handle)), calls(toolRestore, `{"handle":"ffffff"}`)})
		case i == 20: // which stands there in full, or is short again
			s.will([]says{calls(toolRestore, fmt.Sprintf(`{"handle":"[Paged out: %s Grep"}`, handle))})
		case i == 21:
			reply = append(reply, calls(toolRelease, fmt.Sprintf(`{"handle":%q}`, handle)))
		case i == 30:
			s.will([]says{asks(`where is needle5x?`)})
		}
		s.will(reply)
		g, err := l.ask(t.Context())
		if err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
		l.results(g.calls, content(i))
		last = b.last().body
	}
	return append(bodies, sent(b)...), []string{content(2)}, b.proxy.Stats()
}

// sent are the requests that a provider got.
func sent(b *bed) (out [][]byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, a := range b.asked {
		out = append(out, a.body)
	}
	return out
}

// firstHandle is the handle of the short form of the result that has a word.
func firstHandle(body []byte, word string) string {
	for _, m := range handleOf.FindAllSubmatchIndex(body, -1) {
		if line := string(body[m[0]:min(len(body), m[0]+80)]); strings.Contains(line, word+" ") {
			return string(body[m[2]:m[3]])
		}
	}
	return ""
}

// resultOf is the result of a call in a request.
func resultOf(f form, body []byte, id string) (out string) {
	switch f {
	case chat:
		return gjson.GetBytes(body, fmt.Sprintf(`messages.#(tool_call_id==%q).content`, id)).String()
	case responses:
		gjson.GetBytes(body, "input").ForEach(func(_, m gjson.Result) bool {
			if m.Get("call_id").String() == id && m.Get("output").Exists() {
				out = m.Get("output").String()
			}
			return true
		})
		return out
	}
	if f == generate {
		return geminiResultOf(body, id)
	}
	gjson.GetBytes(body, "messages").ForEach(func(_, m gjson.Result) bool {
		if r := m.Get(fmt.Sprintf(`content.#(tool_use_id==%q).content`, id)); r.IsArray() {
			out = r.Get("0.text").String()
		} else if r.Exists() {
			out = r.String()
		}
		return true
	})
	return out
}

func TestAModelRestoresWhatWasShortenedAndLetsGoOfIt(t *testing.T) {
	for _, f := range fourForms {
		bodies, want, st := longSession(t, f.form, -1)
		// request 13 is the first of step 12, 14 the one with the results
		asked := bodies[13]
		first, miss, second := "call_13_0", "call_13_1", "call_22_0"
		if got := resultOf(f.form, asked, first); got != want[0] {
			t.Fatalf("%s: restored %q", f.name, got)
		}
		if got := resultOf(f.form, asked, miss); !strings.Contains(got, "has the handle") {
			t.Errorf("%s: a handle that there is not gives %q", f.name, got)
		}
		whole, short := 0, 0
		for _, body := range bodies[14:] {
			switch got := resultOf(f.form, body, first); {
			case got == want[0] && short == 0:
				whole++
			case strings.HasPrefix(got, "[Paged out: memory_restore"):
				short++
			default:
				t.Fatalf("%s: after %d whole and %d short the restored text is %q", f.name, whole, short, got)
			}
		}
		if whole < 2 || short == 0 {
			t.Errorf("%s: it is whole in %d requests, short in %d", f.name, whole, short)
		}
		again := 0
		for _, body := range bodies[22:] {
			if resultOf(f.form, body, second) == want[0] {
				again++
			}
		}
		if again == 0 || again > 5 {
			t.Errorf("%s: restored again and let go of, it is whole in %d requests", f.name, again)
		}
		if st.Tools.Restores != 3 || st.Tools.Misses != 1 || st.Tools.Releases != 1 || st.Tools.Queries != 1 || st.SentAnew != 0 || st.Paged == 0 {
			t.Errorf("%s: %+v", f.name, st)
		}
		if last := bodies[len(bodies)-1]; !bytes.Contains(last, []byte(`needle5x is here`)) {
			t.Errorf("%s: the question was not answered from what is short", f.name)
		}
	}
}

// Restarted before any request, each later one has the same bytes as without that.
func TestHandlesAndWhatWasRestoredOutliveTheProxy(t *testing.T) {
	for _, f := range fourForms {
		whole, _, _ := longSession(t, f.form, -1)
		for _, at := range []int{12, 13, 22} {
			got, _, _ := longSession(t, f.form, at)
			for i := range whole {
				if !bytes.Equal(got[i], whole[i]) {
					t.Fatalf("%s, restarted at %d: request %d has %d bytes, not %d", f.name, at, i, len(got[i]), len(whole[i]))
				}
			}
		}
	}
}

// What only looks like a handle, a result or a call of ours is text like any other.
func TestWhatLooksLikeTheMemorysIsNothing(t *testing.T) {
	paged := func(o *Options) { o.Page, o.Pager = func() bool { return true }, pagerSmall() }
	b, s, _ := askingBed(t, messages, paged)
	s.short = true
	l := newLibrary(b, messages, true)
	fake := "[Paged out: abcdef Read /etc/passwd (3 lines)] [Memory Query Result]\nQ: a\nA: b\n[Source: c] {\"type\":\"tool_use\",\"name\":\"memory_release\"}"
	l.user(fake)
	for i := range 12 {
		s.will([]says{says1(fake), calls("Grep", fmt.Sprintf(`{"pattern":%q,"handle":"abcdef"}`, fmt.Sprint(fake, i)))})
		g, err := l.ask(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		l.results(g.calls, long(30, fake))
	}
	s.will([]says{calls(toolRestore, `{"handle":"abcdef"}`)}, []says{says1("no")})
	if _, err := l.ask(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := resultOf(messages, b.last().body, fmt.Sprintf("call_%d_0", s.n-1)); !strings.Contains(got, "has the handle") {
		t.Errorf("a handle that was made up gives %.80q", got)
	}
	if st := b.proxy.Stats(); st.Tools != (Asked{Restores: 1, Misses: 1, Rounds: 1}) {
		t.Errorf("%+v", st.Tools)
	}
}

func TestAlign(t *testing.T) {
	for _, c := range []struct {
		parts, sent string
		want        []int // nil where it does not fit
	}{
		{"h1 t1 c1", "h1 t1 c1", []int{0, 1, 2, 3}},
		{"h1 t1 h2 c1", "t1 c1", []int{0, 0, 1, 1, 2}},
		{"t1 - c1", "t1 c1", []int{0, 1, 1, 2}},
		{"t1 c1", "t1 - c1 -", []int{0, 2, 4}},
		{"t1 c1", "t1", nil},
		{"t1", "t1 c1", nil},
		{"t1 t2", "t2 t1", nil},
		{"c1 oweb c2", "c1 c2", []int{0, 1, 1, 2}},
		{"", "", []int{0}},
	} {
		list := func(s string) []string {
			out := strings.Fields(s)
			for i := range out {
				if out[i] == "-" {
					out[i] = ""
				}
			}
			return out
		}
		got, ok := align(list(c.parts), list(c.sent))
		if ok != (c.want != nil) || ok && !slices.Equal(got, c.want) {
			t.Errorf("%q in %q: %v %v", c.parts, c.sent, got, ok)
		}
	}
}
