package proxy

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"dormouse/service/pager"
)

// longestCache is how long a provider's cache may live that does not tell.
const longestCache = time.Hour

// maxTalks is how many conversations are held; the one that was silent longest goes first.
const maxTalks = 32

// KeptTalk is what of a conversation outlives the proxy. It holds nothing of what the client and the model said: a request brings that
// itself. What the model asked the memory, and was answered, no request of the client brings: that is there.
type KeptTalk struct {
	Tail   string     `json:"tail"` // the sum of the conversation so far
	Said   int        `json:"said"` // messages
	Kept   pager.Kept `json:"kept"`
	Tools  bool       `json:"tools,omitempty"` // its model is offered the memory's tools
	Asides []Aside    `json:"asides,omitempty"`
}

// paging decides what requests carry. Its methods may be called from several goroutines.
type paging struct {
	options pager.Options
	window  func(model string, long bool) int
	short   func() bool // results are shortened
	tools   func() bool // models are offered the memory's tools
	now     func() time.Time
	keep    func(name string, k *KeptTalk) // nil k: it is over

	mu    sync.Mutex
	talks map[digest]*conversation // by each message of theirs
	live  []*conversation
	kept  map[digest]KeptTalk // of an earlier proxy, by their tails
}

// conversation is one that is being held.
type conversation struct {
	name                    string
	client, upstream, model string
	engine                  *pager.Engine
	chain                   []digest       // up to each of its messages
	fed                     int            // messages that the engine has, with what was put back
	forms                   map[int]string // by block
	used                    time.Time
	tools                   bool // its model is offered the memory's tools, since its first request
	asides                  []Aside
	refused                 bool // the provider did not take what was changed
}

// outcome is what became of a request.
type outcome struct {
	body  []byte
	saved int   // bytes
	short bool  // something of it is shown in short
	doubt doubt // why it passes as it is; empty where nothing hinders
	unfit unfit // why its model is not offered the memory's tools, where they are switched on
	tools bool  // it is
	talk  *conversation
	own   *talk // the request as the client made it
}

// page is a request as it is to go out. from tells clients and models apart.
func (p *paging) page(f form, from string, doc []byte) outcome {
	t, err := talkOf(f, doc)
	if err != nil {
		return doubtful(doc, err)
	}
	t.named(from)
	chain := chainOf(fmt.Sprintf("%d\x00%s\x00%s", f, from, t.model), t.said)
	p.mu.Lock()
	defer p.mu.Unlock()
	c, x, why, err := p.take(t, chain)
	if err != nil {
		return doubtful(doc, err)
	}
	c.used, c.model = p.now(), t.model
	c.client, c.upstream, _ = strings.Cut(from, "\x00")
	c.upstream, _, _ = strings.Cut(c.upstream, "\x00")
	if c.refused {
		return outcome{body: doc, doubt: doubtRefused}
	}
	out := outcome{talk: c, own: t, tools: c.tools, doubt: why}
	forms := c.forms
	if !p.short() {
		forms = nil
	}
	var more []edit
	switch {
	case c.tools:
		more = []edit{x.offered()}
	case p.tools():
		out.unfit = t.why(c)
	}
	out.body, out.short = x.replaced(x.doc, forms, more...), len(forms) > 0
	out.saved = len(x.doc) - len(out.body)
	for _, e := range more {
		out.saved += len(e.with)
	}
	return out
}

// doubtful is a request that passes as it is.
func doubtful(doc []byte, err error) outcome {
	var d doubt
	errors.As(err, &d)
	return outcome{body: doc, doubt: d}
}

// chainOf are the sums of a conversation up to each of its messages.
func chainOf(from string, list []said) []digest {
	last := sha256.Sum256([]byte(from))
	out := make([]digest, len(list))
	for i, s := range list {
		last = sha256.Sum256(append(last[:16:16], s.digest[:]...))
		copy(out[i][:], last[:])
	}
	return out
}

// find is a conversation of which a request has messages: all of them, or the first n; or what an earlier proxy kept of it.
func (p *paging) find(chain []digest) (c *conversation, k *KeptTalk, n int) {
	for n := len(chain); n > 0; n-- {
		if c := p.talks[chain[n-1]]; c != nil {
			return c, nil, n
		}
		if k, ok := p.kept[chain[n-1]]; ok && k.Said == n && (!k.Tools || p.tools()) {
			return nil, &k, n
		}
	}
	return nil, nil, 0
}

// take is the conversation that a request goes on with, after this request, and the request with what was asked aside put back. The
// doubt says why nothing was decided; an error is a doubt that has the request pass as it is.
func (p *paging) take(t *talk, chain []digest) (*conversation, *talk, doubt, error) {
	c, k, n := p.find(chain)
	var tools bool
	var asides []Aside
	switch {
	case c != nil:
		tools, asides = c.tools, asidesUpTo(c.asides, n)
	case k != nil:
		tools, asides = k.Tools, asidesUpTo(k.Asides, n)
	}
	if tools && t.unfitting() != "" {
		return nil, nil, "", doubtTools
	}
	x, upto, err := t.with(asides)
	if err != nil {
		return nil, nil, "", err
	}
	switch {
	case c == nil && k == nil:
		return p.begin(t, chain)
	case c != nil && len(c.chain) == n:
		if c.fed != upto[n-1] {
			return nil, nil, "", doubtShape
		}
		p.goOn(c, x, chain)
		return c, x, "", nil
	case c != nil: // a part of it: another client goes on from there, or this one took something back
		refused := c.refused
		kept := c.engine.Keep()
		c = p.open(t, chain, tools, asides)
		c.refused = refused
		p.again(c, x, chain, n, upto[n-1], kept)
		return c, x, "", nil
	}
	c = p.open(t, chain, tools, asides)
	p.again(c, x, chain, n, upto[n-1], k.Kept)
	return c, x, "", nil
}

// goOn takes the messages that a request adds to its conversation. One that adds none is a retry, and carries what the last one did.
func (p *paging) goOn(c *conversation, x *talk, chain []digest) {
	if len(chain) > len(c.chain) {
		p.extend(c, x, chain)
		p.decide(c)
	}
}

// extend adds the messages of a request to a conversation that it does not have yet.
func (p *paging) extend(c *conversation, x *talk, chain []digest) {
	c.feed(x, len(x.said))
	for _, d := range chain[len(c.chain):] {
		p.talks[d] = c
	}
	c.chain = append(c.chain, chain[len(c.chain):]...)
}

func (c *conversation) feed(x *talk, to int) {
	for ; c.fed < to; c.fed++ {
		c.engine.Add(x.message(c.fed))
	}
}

func (p *paging) decide(c *conversation) {
	if !p.short() {
		c.engine.Pass(p.now())
		return
	}
	for _, e := range c.engine.Request(p.now()) {
		c.forms[e.Block] = e.Text
	}
}

// begin takes a conversation that is not known. One that is under way passes as it is this time: the provider's cache may hold it so.
func (p *paging) begin(t *talk, chain []digest) (*conversation, *talk, doubt, error) {
	joined := t.joined()
	c := p.open(t, chain, p.tools() && !joined && t.chooses() && t.unfitting() == "", nil)
	p.extend(c, t, chain)
	if joined {
		c.engine.Pass(p.now())
		return c, t, doubtJoined, nil
	}
	p.decide(c)
	return c, t, "", nil
}

// joined says whether a conversation is under way.
func (t *talk) joined() bool {
	users := 0
	for _, s := range t.said {
		if s.User {
			users++
		}
	}
	return users > 1
}

// why says why the model of a conversation is not offered the tools.
func (t *talk) why(c *conversation) unfit {
	switch u := t.unfitting(); {
	case u != "":
		return u
	case len(c.chain) == 1 && !t.chooses():
		return unfitChoice
	}
	return unfitJoined
}

// again takes over the forms of the blocks of the first n messages, which are fed messages of the engine, and then the rest of a request.
func (p *paging) again(c *conversation, x *talk, chain []digest, n, fed int, k pager.Kept) {
	c.feed(x, fed)
	for _, e := range c.engine.Resume(k) {
		c.forms[e.Block] = e.Text
	}
	c.chain = append([]digest(nil), chain[:n]...)
	for _, d := range c.chain {
		p.talks[d] = c
	}
	p.goOn(c, x, chain)
}

// open makes room for a conversation more.
func (p *paging) open(t *talk, chain []digest, tools bool, asides []Aside) *conversation {
	o := pagerFor(t.form, p.options)
	if p.window != nil {
		o.Budget = p.window(t.model, t.long)
	}
	o.Handles = tools
	c := &conversation{name: hex.EncodeToString(chain[len(chain)-1][:]), engine: pager.New(o), forms: map[int]string{}, used: p.now(), tools: tools, asides: asides}
	p.live = append(p.live, c)
	if len(p.live) > maxTalks {
		oldest := 0
		for i, x := range p.live {
			if x.used.Before(p.live[oldest].used) {
				oldest = i
			}
		}
		p.drop(oldest)
	}
	return c
}

func (p *paging) drop(i int) {
	c := p.live[i]
	for _, d := range c.chain {
		if p.talks[d] == c {
			delete(p.talks, d)
		}
	}
	p.live = append(p.live[:i], p.live[i+1:]...)
}

// save has what is to outlive the proxy kept.
func (p *paging) save(c *conversation) {
	p.mu.Lock()
	skip := p.keep == nil || len(c.forms) == 0 && !c.tools || c.refused
	k := KeptTalk{Tail: hex.EncodeToString(c.chain[len(c.chain)-1][:]), Said: len(c.chain), Kept: c.engine.Keep(), Tools: c.tools, Asides: slices.Clone(c.asides)}
	p.mu.Unlock()
	if !skip {
		p.keep(c.name, &k) // to a disk: no other request waits for it
	}
}

// refuse notes that a provider did not take a conversation with what was shortened. It passes as it is from then on.
func (p *paging) refuse(c *conversation) {
	p.mu.Lock()
	c.refused = true
	p.mu.Unlock()
	if p.keep != nil {
		p.keep(c.name, nil)
	}
}

// newPaging takes up what an earlier proxy kept.
func newPaging(o Options) *paging {
	p := &paging{options: o.Pager, window: o.Window, short: o.Page, tools: o.Tools, now: o.Now, keep: o.Keep, talks: map[digest]*conversation{}, kept: map[digest]KeptTalk{}}
	if p.short == nil {
		p.short = func() bool { return true }
	}
	if p.tools == nil {
		p.tools = func() bool { return false }
	}
	for _, k := range o.Kept {
		var d digest
		if b, err := hex.DecodeString(k.Tail); err == nil && len(b) == len(d) {
			copy(d[:], b)
			p.kept[d] = k
		}
	}
	return p
}

// pagedRequest reads a request and puts in its place what is to go out.
func (p *Proxy) pagedRequest(at *route, r *http.Request) error {
	if r.Header.Get("Content-Encoding") != "" {
		p.untouched(doubtEncoded)
		return nil
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxRead+1))
	if err != nil {
		return err
	}
	if len(body) > maxRead {
		p.untouched(doubtLong)
		r.Body = struct {
			io.Reader
			io.Closer
		}{io.MultiReader(bytes.NewReader(body), r.Body), r.Body}
		return nil
	}
	out := p.paging.page(at.form, at.from(r), body)
	if out.doubt != "" {
		p.untouched(out.doubt)
	}
	if out.unfit != "" {
		p.count(func(s *Stats) { s.Unoffered = oneMore(s.Unoffered, string(out.unfit)) })
	}
	if out.short || out.tools {
		at.original, at.talk = body, out.talk
		p.count(func(s *Stats) {
			if out.short {
				s.Paged++
				s.Saved += int64(out.saved)
			}
			if out.tools {
				s.Offered++
			}
		})
	}
	if out.tools {
		at.session = sessionOf(out.own, r.Header)
		at.asks = &asking{sent: out.body, own: out.own, said: len(out.own.said)}
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(out.body)), int64(len(out.body))
	r.GetBody = nil
	return nil
}

// untouched counts a request that passes as it is, for a reason.
func (p *Proxy) untouched(why doubt) {
	p.count(func(s *Stats) { s.Untouched = oneMore(s.Untouched, string(why)) })
}

func oneMore(m map[string]int64, why string) map[string]int64 {
	if m == nil {
		m = map[string]int64{}
	}
	m[why]++
	return m
}

// original sends a request anew as its client made it, where the provider refuses the changed one, or gives an answer to it that cannot be
// read though the client must not see all of it. What is wrong with the client's own the provider then says of that.
type original struct {
	p    *Proxy
	next http.RoundTripper
}

// refusals are the answers by which a provider says that it does not take a request as it is.
var refusals = []int{http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity}

func (o original) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := o.next.RoundTrip(r)
	at := routeOf(r.Context())
	if err != nil || at == nil || at.talk == nil {
		return resp, err
	}
	_, read := readable(resp)
	if !slices.Contains(refusals, resp.StatusCode) && (at.asks == nil || resp.StatusCode != http.StatusOK || read) {
		return resp, nil
	}
	if resp.StatusCode != http.StatusOK {
		_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 64<<10)) // so that the connection can be used again
	}
	_ = resp.Body.Close()
	o.p.paging.refuse(at.talk)
	at.asks = nil
	o.p.count(func(s *Stats) { s.SentAnew++ })
	o.p.o.Log.Warn("a provider refused a changed request; it is sent as it was", "upstream", at.upstream)
	again := r.Clone(r.Context())
	again.Body, again.ContentLength = io.NopCloser(bytes.NewReader(at.original)), int64(len(at.original))
	return o.next.RoundTrip(again)
}
