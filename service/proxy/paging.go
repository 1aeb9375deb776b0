package proxy

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"dormouse/service/pager"
)

// longestCache is how long a provider's cache may live that does not tell.
const longestCache = time.Hour

// maxTalks is how many conversations are held; the one that was silent longest goes first.
const maxTalks = 32

// KeptTalk is what of a conversation outlives the proxy. It holds nothing of what was said: a request brings that itself.
type KeptTalk struct {
	Tail string     `json:"tail"` // the sum of the conversation so far
	Said int        `json:"said"` // messages
	Kept pager.Kept `json:"kept"`
}

// paging decides what requests carry. Its methods may be called from several goroutines.
type paging struct {
	options pager.Options
	now     func() time.Time
	keep    func(name string, k *KeptTalk) // nil k: it is over

	mu    sync.Mutex
	talks map[digest]*conversation // by each message of theirs
	live  []*conversation
	kept  map[digest]KeptTalk // of an earlier proxy, by their tails
}

// conversation is one that is being held.
type conversation struct {
	name            string
	client          string
	upstream, model string
	engine          *pager.Engine
	chain           []digest       // up to each of its messages
	forms           map[int]string // by block
	used            time.Time
	refused         bool // the provider did not take what was shortened
}

// outcome is what became of a request.
type outcome struct {
	body  []byte
	saved int   // bytes
	short bool  // something of it is shown in short
	doubt doubt // why it passes as it is; empty where nothing hinders
	talk  *conversation
}

// page is a request as it is to go out. from tells clients and models apart.
func (p *paging) page(f form, from string, doc []byte) outcome {
	t, err := talkOf(f, doc)
	if err != nil {
		var d doubt
		errors.As(err, &d)
		return outcome{body: doc, doubt: d}
	}
	t.form = f
	chain := chainOf(fmt.Sprintf("%d\x00%s\x00%s", f, from, t.model), t.said)
	p.mu.Lock()
	defer p.mu.Unlock()
	c, why := p.find(t, chain)
	c.used, c.model = p.now(), t.model
	c.client, c.upstream, _ = strings.Cut(from, "\x00")
	if c.refused {
		return outcome{body: doc, doubt: doubtRefused}
	}
	body := t.replaced(doc, c.forms)
	return outcome{body: body, saved: len(doc) - len(body), short: len(c.forms) > 0, doubt: why, talk: c}
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

// find is the conversation that a request goes on with, after this request. The doubt says why nothing was decided.
func (p *paging) find(t *talk, chain []digest) (*conversation, doubt) {
	for n := len(chain); n > 0; n-- {
		c := p.talks[chain[n-1]]
		if c == nil {
			if k, ok := p.kept[chain[n-1]]; ok && k.Said == n {
				return p.resume(t, chain, n, k), ""
			}
			continue
		}
		if len(c.chain) == n {
			return p.goOn(c, t, chain), ""
		}
		return p.fork(c, t, chain, n), "" // a part of it: another client goes on from there, or this one took something back
	}
	return p.begin(t, chain)
}

// goOn takes the messages that a request adds to its conversation. One that adds none is a retry, and carries what the last one did.
func (p *paging) goOn(c *conversation, t *talk, chain []digest) *conversation {
	if len(chain) > len(c.chain) {
		p.extend(c, t, chain, len(c.chain))
		c.decide(p.now())
	}
	return c
}

// extend adds the messages of a request from one on to a conversation.
func (p *paging) extend(c *conversation, t *talk, chain []digest, from int) {
	for i := from; i < len(t.said); i++ {
		c.engine.Add(t.message(i))
	}
	for _, d := range chain[len(c.chain):] {
		p.talks[d] = c
	}
	c.chain = append(c.chain, chain[len(c.chain):]...)
}

func (c *conversation) decide(now time.Time) {
	for _, e := range c.engine.Request(now) {
		c.forms[e.Block] = e.Text
	}
}

// begin takes a conversation that is not known. One that is under way passes as it is this time: the provider's cache may hold it so.
func (p *paging) begin(t *talk, chain []digest) (*conversation, doubt) {
	c := p.open(t, chain)
	p.extend(c, t, chain, 0)
	users := 0
	for _, s := range t.said {
		if s.User {
			users++
		}
	}
	if users > 1 {
		c.engine.Pass(p.now())
		return c, doubtJoined
	}
	c.decide(p.now())
	return c, ""
}

// resume goes on with a conversation of which the first n messages were seen by an earlier proxy.
func (p *paging) resume(t *talk, chain []digest, n int, k KeptTalk) *conversation {
	return p.open(t, chain).again(p, t, chain, n, k.Kept)
}

// fork goes on from the first n messages of a conversation that has more.
func (p *paging) fork(of *conversation, t *talk, chain []digest, n int) *conversation {
	c := p.open(t, chain)
	k := of.engine.Keep()
	c.refused = of.refused
	return c.again(p, t, chain, n, k)
}

// again takes over the forms of the blocks of the first n messages, and then the rest of a request.
func (c *conversation) again(p *paging, t *talk, chain []digest, n int, k pager.Kept) *conversation {
	c.engine.Reset()
	for i := range n {
		c.engine.Add(t.message(i))
	}
	for _, e := range c.engine.Resume(k) {
		c.forms[e.Block] = e.Text
	}
	c.chain = append([]digest(nil), chain[:n]...)
	for _, d := range c.chain {
		p.talks[d] = c
	}
	if n == len(chain) { // as it was sent before
		return c
	}
	return p.goOn(c, t, chain)
}

// open makes room for a conversation more.
func (p *paging) open(t *talk, chain []digest) *conversation {
	c := &conversation{name: hex.EncodeToString(chain[len(chain)-1][:]), engine: pager.New(pagerFor(t.form, p.options)), forms: map[int]string{}, used: p.now()}
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
	skip := p.keep == nil || len(c.forms) == 0 || c.refused
	k := KeptTalk{Tail: hex.EncodeToString(c.chain[len(c.chain)-1][:]), Said: len(c.chain), Kept: c.engine.Keep()}
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
	p := &paging{options: o.Pager, now: o.Now, keep: o.Keep, talks: map[digest]*conversation{}, kept: map[digest]KeptTalk{}}
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
	out := p.paging.page(at.form, at.client+"\x00"+at.upstream, body)
	if out.doubt != "" {
		p.untouched(out.doubt)
	}
	if out.short {
		at.original, at.talk = body, out.talk
		p.count(func(s *Stats) {
			s.Paged++
			s.Saved += int64(out.saved)
		})
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(out.body)), int64(len(out.body))
	r.GetBody = nil
	return nil
}

// untouched counts a request that passes as it is, for a reason.
func (p *Proxy) untouched(why doubt) {
	p.count(func(s *Stats) {
		if s.Untouched == nil {
			s.Untouched = map[string]int64{}
		}
		s.Untouched[string(why)]++
	})
}

// original sends a request anew as its client made it, where the provider refuses the shortened one. What is wrong with the client's own
// the provider then says of that.
type original struct {
	p    *Proxy
	next http.RoundTripper
}

func (o original) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := o.next.RoundTrip(r)
	at := routeOf(r.Context())
	if err != nil || at == nil || at.talk == nil || resp.StatusCode != http.StatusBadRequest {
		return resp, err
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 64<<10)) // so that the connection can be used again
	_ = resp.Body.Close()
	o.p.paging.refuse(at.talk)
	o.p.count(func(s *Stats) { s.SentAnew++ })
	o.p.o.Log.Warn("a provider refused a shortened request; it is sent as it was", "upstream", at.upstream)
	again := r.Clone(r.Context())
	again.Body, again.ContentLength = io.NopCloser(bytes.NewReader(at.original)), int64(len(at.original))
	return o.next.RoundTrip(again)
}
