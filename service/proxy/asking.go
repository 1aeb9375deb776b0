package proxy

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// Bounds of what a model may ask.
const (
	maxRounds = 3               // requests of the proxy's own in one answer
	askTime   = 5 * time.Second // for the memory to answer
	maxQuery  = 2000            // bytes of a question
)

// enough is what a client is told in place of an answer, where its model asked the memory alone again and again.
const enough = "[Dormouse: the model asked the memory again and again and came to no answer. Ask anew, or switch the memory's tools off: tools = false under [proxy].]"

// asking is an answer in which a model may ask the memory, over one or more rounds.
type asking struct {
	sent   []byte // the request of this round
	own    *talk  // the client's request
	said   int    // its messages
	parts  []string
	rounds []AsideRound // that are over and asked
	usage  []byte       // of the rounds before, in the provider's form
	id     string       // of the first round's answer
}

// heard is one round as it was read.
type heard struct {
	calls   []AsideCall // of the memory's tools
	real    int         // calls of the client's
	tools   bool        // it ended for its calls' sake
	strange bool        // it holds something that could not be given back
	shown   int         // parts that the client was shown up to its end
	text    int         // in Chat Completions: bytes of text up to its end, and of what was thought
	thought int
}

// verdict is what becomes of a round.
type verdict uint8

const (
	itPasses verdict = iota // the client gets its end
	itNotes                 // and before it a note, and that nothing is called
	itGoesOn                // another round follows
)

// judge answers what a round asks the memory.
func (p *Proxy) judge(ctx context.Context, at *route, h heard) verdict {
	a := at.asks
	round := AsideRound{Calls: h.calls, End: h.shown, Text: h.text, Thought: h.thought, Open: h.real > 0}
	switch {
	case len(h.calls) == 0 || !h.tools:
		p.remember(at)
		return itPasses
	case h.real == 0 && (len(a.rounds) == maxRounds || h.strange):
		return itNotes
	}
	for i := range round.Calls {
		p.answer(ctx, at, &round.Calls[i])
	}
	a.rounds = append(a.rounds, round)
	if round.Open {
		p.remember(at)
		return itPasses
	}
	return itGoesOn
}

// remember keeps what was asked in an answer, so that it can be put back.
func (p *Proxy) remember(at *route) {
	a := at.asks
	if len(a.rounds) == 0 {
		return
	}
	p.paging.mu.Lock()
	ok := at.talk.remember(Aside{Said: a.said, Parts: a.parts, Rounds: a.rounds})
	p.paging.mu.Unlock()
	if !ok {
		p.count(func(s *Stats) { s.Tools.Forgotten++ })
	}
}

// answer answers a call of one of the memory's tools. A miss is an answer, too, and a final one.
func (p *Proxy) answer(ctx context.Context, at *route, c *AsideCall) {
	arguments := c.Input
	if !gjson.ValidBytes(arguments) || !gjson.ParseBytes(arguments).IsObject() {
		c.Input = json.RawMessage("{}")
	}
	hit := false
	switch c.Tool {
	case toolQuery:
		c.Text, hit = p.query(ctx, at, gjson.GetBytes(c.Input, "question").String())
		p.count(func(s *Stats) { s.Tools.Queries++ })
	case toolRestore:
		hit = p.restore(at, c)
		p.count(func(s *Stats) { s.Tools.Restores++ })
	case toolRelease:
		c.Text, hit = p.release(at, gjson.GetBytes(c.Input, "handle").String())
		p.count(func(s *Stats) { s.Tools.Releases++ })
	}
	if !hit {
		p.count(func(s *Stats) { s.Tools.Misses++ })
	}
}

// query answers a question out of what the conversation shows in short and out of the memory.
func (p *Proxy) query(ctx context.Context, at *route, question string) (string, bool) {
	question = strings.Join(strings.Fields(question), " ")
	if len(question) > maxQuery {
		question = strings.ToValidUTF8(question[:maxQuery], "")
	}
	if question == "" {
		return queryResult("", []string{"there was no question: it goes into \"question\"."}, nil), false
	}
	p.paging.mu.Lock()
	passages := at.talk.engine.Passages(question)
	p.paging.mu.Unlock()
	var lines, sources []string
	for _, x := range passages {
		lines, sources = append(lines, x.Text), append(sources, strings.Trim(strings.TrimPrefix(x.Stub, "[Paged out: "), "[]"))
	}
	if p.o.Memory != nil {
		ctx, cancel := context.WithTimeout(ctx, askTime)
		defer cancel()
		found, err := p.o.Memory.Query(ctx, Question{Text: question, Client: at.client, Session: at.session})
		if err != nil {
			p.o.Log.Warn("the memory did not answer a model", "error", err)
			lines = append(lines, "(the memory itself could not be asked just now)")
		}
		lines, sources = append(lines, found.Lines...), append(sources, found.Sources...)
	}
	if len(sources) == 0 {
		return queryResult(question, append(lines, "nothing is known of this. Asking again will find nothing either."), nil), false
	}
	return queryResult(question, lines, sources), true
}

func queryResult(question string, lines, sources []string) string {
	if len(sources) == 0 {
		sources = []string{"none"}
	}
	return fmt.Sprintf("[Memory Query Result]\nQ: %s\nA: %s\n[Source: %s]", question, strings.Join(lines, "\n"), strings.Join(sources, "; "))
}

// restore finds what a handle stands for. What comes back are the bytes of the client's own request, which it brings each time.
func (p *Proxy) restore(at *route, c *AsideCall) bool {
	handle := gjson.GetBytes(c.Input, "handle").String()
	p.paging.mu.Lock()
	f, ok := at.talk.engine.Find(handle)
	p.paging.mu.Unlock()
	switch {
	case !ok:
		c.Text = noHandle(handle)
		return false
	case !f.Short:
		c.Text = "It stands in this conversation in full; there is nothing to restore."
		return false
	case f.Stands:
		c.Text = "It was restored before, and stands there in full; there is nothing more to restore."
		return false
	}
	c.Of, c.OfCall = f.ID, f.Call
	o := p.paging.options
	if asked := gjson.GetBytes(c.Input, "about").String() != ""; len(f.Text) > o.RestoreWhole || asked && len(f.Text) > o.RestoreBytes {
		c.Part = o.RestoreBytes
	}
	return true
}

func (p *Proxy) release(at *route, handle string) (string, bool) {
	p.paging.mu.Lock()
	f, ok := at.talk.engine.Find(handle)
	p.paging.mu.Unlock()
	switch {
	case !ok:
		return noHandle(handle), false
	case !f.Stands:
		return "Nothing that was restored of it stands in full, so that there is nothing to release.", false
	}
	return "Released: it goes back to its short form.", true
}

func noHandle(handle string) string {
	if r := []rune(handle); len(r) > 60 {
		handle = string(r[:60]) + "…"
	}
	return fmt.Sprintf("No short form in this conversation has the handle %q; nothing was done, and asking again will not change that. Handles stand after \"Paged out:\".", handle)
}

// again sends the next round's request: that of the round before, what it was answered, and the results.
func (p *Proxy) again(r *http.Request, at *route, entries []byte) (*http.Response, error) {
	a := at.asks
	results, err := a.own.results(a.rounds[len(a.rounds)-1].Calls)
	if err != nil {
		return nil, err
	}
	root, err := spansOf(a.sent)
	if err != nil {
		return nil, err
	}
	list := root.field(at.form.listName())
	with := bytes.Join([][]byte{nil, entries, at.form.resultEntries(results)}, []byte(","))
	if list.kind == '"' { // Responses: the prompt alone
		a.sent = edited(a.sent, []edit{{list.at, list.end, fmt.Appendf(nil, `[{"role":"user","content":%s}%s]`, list.raw(a.sent), with)}})
	} else {
		a.sent = edited(a.sent, []edit{{list.end - 1, list.end - 1, with}})
	}
	p.meter(at)
	at.call = &call{Call: Call{Client: at.client, Upstream: at.upstream}, form: at.form, streamed: at.call.streamed, sequence: at.call.sequence}
	p.count(func(s *Stats) { s.Tools.Rounds++ })
	again := r.Clone(r.Context())
	again.Body, again.ContentLength = io.NopCloser(bytes.NewReader(a.sent)), int64(len(a.sent))
	resp, err := p.o.Transport.RoundTrip(again)
	if err == nil {
		at.call.Status = resp.StatusCode
	}
	return resp, err
}

// partsName is the field of an entry that holds its parts.
func (f form) partsName() string {
	if f == generate {
		return "parts"
	}
	return "content"
}

// listName is the field of a request that holds what was said.
func (f form) listName() string {
	switch f {
	case responses:
		return "input"
	case generate:
		return "contents"
	}
	return "messages"
}

// readable says whether an answer is one that can be read, as a stream or as a whole.
func readable(r *http.Response) (kind string, ok bool) {
	if e := r.Header.Get("Content-Encoding"); e != "" && e != "identity" {
		return "", false
	}
	kind, _, _ = mime.ParseMediaType(r.Header.Get("Content-Type"))
	return kind, kind == "text/event-stream" || kind == "application/json"
}

// sessionOf is the session of the agent that a request names as its own: Claude Code in its metadata, Codex in a header.
func sessionOf(t *talk, h http.Header) string {
	if t.form == messages {
		return userSession(t.root.field("metadata").field("user_id").text(t.doc))
	}
	for _, name := range []string{"Session_id", "Session-Id", "Conversation_id"} {
		if v := h.Get(name); sessionName.MatchString(v) {
			return v
		}
	}
	if v := t.root.field("prompt_cache_key").text(t.doc); sessionName.MatchString(v) {
		return v
	}
	return ""
}

var sessionName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{7,79}$`)

// userSession reads "user_..._session_ID", or the same as JSON.
func userSession(user string) string {
	v := gjson.Get(user, "session_id").String()
	if i := strings.LastIndex(user, "_session_"); v == "" && i >= 0 {
		v = user[i+len("_session_"):]
	}
	if !sessionName.MatchString(v) {
		return ""
	}
	return v
}

// sumUsage adds up what two rounds took: numbers are added, all else is the second's.
func sumUsage(a, b []byte) []byte {
	x, y := object(a), object(b)
	switch {
	case x == nil:
		return b
	case y == nil:
		return a
	}
	out, err := json.Marshal(sumOfUsages(x, y))
	if err != nil {
		return b
	}
	return out
}

func object(raw []byte) (m map[string]any) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&m) != nil {
		return nil
	}
	return m
}

func sumOfUsages(x, y map[string]any) map[string]any {
	for k, v := range x {
		switch v := v.(type) {
		case json.Number:
			w, _ := y[k].(json.Number)
			i, err1 := v.Int64()
			j, err2 := w.Int64()
			if err1 == nil && (err2 == nil || y[k] == nil) {
				y[k] = json.Number(fmt.Sprint(i + j))
			}
		case map[string]any:
			if w, ok := y[k].(map[string]any); ok {
				y[k] = sumOfUsages(v, w)
			} else if y[k] == nil {
				y[k] = v
			}
		default:
			if _, there := y[k]; !there {
				y[k] = v
			}
		}
	}
	return y
}

// errRound is what is said of a round whose answer makes no sense.
var errRound = errors.New("the provider's answer to what the memory said cannot be read")
