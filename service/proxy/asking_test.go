package proxy

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"dormouse/service/proxy/proxytest"
)

var fourForms = []struct {
	name string
	form form
}{{"Messages", messages}, {"Chat Completions", chat}, {"Responses", responses}, {"generateContent", generate}}

// eachWay runs a test for each form, as streams in pieces of several lengths and as documents.
func eachWay(t *testing.T, test func(t *testing.T, f form, stream bool, piece int)) {
	for _, f := range fourForms {
		for _, piece := range []int{1, 5, 1000, 0} {
			name := fmt.Sprintf("%s in pieces of %d", f.name, piece)
			if piece == 0 {
				name = f.name + " whole"
			}
			t.Run(name, func(t *testing.T) { test(t, f.form, piece > 0, max(1, piece)) })
		}
	}
}

// want are the parts of an answer that a client is to see.
func want(f form, rounds ...[]says) (parts []string) {
	text := ""
	for _, r := range rounds {
		for _, x := range r {
			switch {
			case x.kind == "text" && f == chat:
				text += x.text
			case x.kind == "text" && f == generate:
				parts = joinText(parts, x.text)
			case x.kind == "text":
				parts = append(parts, "text "+x.text)
			case x.kind == "think" && (f == messages || f == generate):
				parts = append(parts, "think "+x.text)
			case x.kind == "think" && f == responses:
				parts = append(parts, "think "+proxytest.Sign(x.text))
			case x.kind == "call" && !isOurs(x.name) && f == generate:
				parts = append(parts, "call "+x.name+" "+geminiCallID(x)+" "+x.args)
			case x.kind == "call" && !isOurs(x.name):
				parts = append(parts, "call "+x.name+" "+x.id+" "+x.args)
			}
		}
	}
	if text != "" {
		parts = append([]string{"text " + text}, parts...)
	}
	return parts
}

// step is what a person says, what the model answers to it and to the results of its calls, round by round.
type step struct {
	name   string
	rounds [][]says
}

var steps = []step{
	{"a question, and an answer", [][]says{{thinks("hm"), says1("Let me see. "), asks("which port?")}, {says1("It is 8443.")}}},
	{"nothing is asked", [][]says{{says1("Fine.")}}},
	{"mixed with real calls", [][]says{{thinks("two things"), says1("I look. "), calls("Read", `{"path":"a"}`), asks("which port?"), calls("Read", `{"path":"b"}`)}}},
	{"and after them a question", [][]says{{asks("what else about the port?")}, {says1("Done. ")}}},
	{"several at once, one of them a miss", [][]says{{asks("which port?"), calls(toolRestore, `{"handle":"abc"}`), asks("the weather?")}, {says1("So it is.")}}},
	{"two rounds, and the second is mixed", [][]says{{asks("a port?")}, {thinks("more"), says1("Hm. "), asks("a port again?")}, {says1("Now. "), calls("Read", `{}`), asks("and a port?")}}},
	{"a mixed call alone", [][]says{{calls("Read", `{"path":"c"}`), calls(toolRelease, `{"handle":"abc"}`)}}},
	{"a tool whose name begins alike", [][]says{{calls("memory_query_log", `{"n":1}`), says1("")}}},
	{"an answer that ends with the question", [][]says{{says1("I ask and say no more."), asks("which port?")}, {}}},
	{"three rounds", [][]says{{asks("port 1")}, {asks("port 2")}, {asks("port 3")}, {says1("At last.")}}},
	{"text after the calls", [][]says{{asks("port 4"), says1("Wait. ")}, {thinks("x"), says1("So.")}}},
	{"the end", [][]says{{says1("Bye.")}}},
}

func TestModelsAskTheMemoryUnseen(t *testing.T) {
	eachWay(t, func(t *testing.T, f form, stream bool, piece int) {
		b, s, k := askingBed(t, f)
		s.piece, s.split = piece, piece < 1000
		l := newLibrary(b, f, stream)
		l.user("please look into it")
		for i, st := range steps {
			s.will(st.rounds...)
			before := s.n
			g, err := l.ask(t.Context())
			if err != nil {
				t.Fatalf("%s: %v", st.name, err)
			}
			if s.n-before != len(st.rounds) {
				t.Fatalf("%s: %d rounds, not %d", st.name, s.n-before, len(st.rounds))
			}
			if w := want(f, st.rounds...); !reflect.DeepEqual(g.parts, w) && (len(w) > 0 || len(g.parts) > 0) {
				t.Fatalf("%s: the client has %q, not %q", st.name, g.parts, w)
			}
			if in := int64(100); f == messages && g.in != 115*int64(len(st.rounds)) || f != messages && g.in != in*int64(len(st.rounds)) || g.out != 7*int64(len(st.rounds)) {
				t.Errorf("%s: the client is told of %d tokens in and %d out", st.name, g.in, g.out)
			}
			if len(g.calls) > 0 {
				l.results(g.calls, fmt.Sprint("result ", i))
			} else {
				l.user(fmt.Sprint("go on ", i))
			}
		}
		st := b.proxy.Stats()
		if st.Tools != (Asked{Queries: 13, Restores: 1, Releases: 1, Misses: 3, Rounds: 10}) || st.SentAnew != 0 || st.Offered != int64(len(steps)) || len(st.Untouched)+len(st.Unoffered) > 0 {
			t.Errorf("%+v", st)
		}
		calls := b.metered(s.n)
		ids := map[string]bool{}
		for _, c := range calls {
			ids[c.ID] = true
			if !c.Told || c.Output != 7 || c.CacheRead != 10 {
				t.Errorf("metered %+v", c)
			}
		}
		if len(ids) != s.n {
			t.Errorf("%d of %d rounds were metered", len(ids), s.n)
		}
		if len(k.asked) != 13 || k.asked[0].Client != "agent" || k.asked[0].Text != "which port?" {
			t.Errorf("asked %+v", k.asked)
		}
		if all := strings.Join(s.flat, "\n"); !strings.Contains(all, `[Memory Query Result]\nQ: which port?\nA: The port is 8443.\n[Source: session s1, turn 4]`) ||
			!strings.Contains(all, `nothing is known of this`) || !strings.Contains(all, "has the handle") {
			t.Errorf("the model was not told: %s", all)
		}
	})
}
