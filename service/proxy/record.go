package proxy

import (
	"net/http"
	"time"

	"dormouse/service/pager"
)

// Seen is a request to a model as its client made it.
type Seen struct {
	Client, Upstream string
	At               time.Time
	Body             []byte
	form             form
}

// Added is what a request adds to what a recorder has of its conversation.
type Added struct {
	Talk     int // which conversation, from 1
	Messages []pager.Message
}

// maxRecorded is how many conversations a recorder goes on with; of others it begins anew.
const maxRecorded = 1000

// Recorder takes out of each request what it adds to its conversation, since requests repeat all that was said before. A conversation that
// a client changes, shortens or goes on with from its middle is a new one. It is not safe for use by several goroutines at once.
type Recorder struct {
	talks map[digest]*recorded // by the sum of all of it
	order []digest
	n     int
}

type recorded struct {
	talk int
	last time.Time // of its last request
}

// Take reads a request. One that adds nothing is a retry and gives no messages; an error says why one cannot be read. A message of the
// person's side has the time of the request that brought it, one of the model's that of the request which it answers; other times are not
// known.
func (r *Recorder) Take(s Seen) (Added, error) {
	t, err := talkOf(s.form, s.Body)
	if err != nil {
		return Added{}, err
	}
	chain := chainOf(s.Client+"\x00"+s.Upstream, t.said)
	if r.talks == nil {
		r.talks = map[digest]*recorded{}
	}
	n := len(chain)
	for n > 0 && r.talks[chain[n-1]] == nil {
		n--
	}
	c := &recorded{}
	if n > 0 {
		c = r.talks[chain[n-1]]
		delete(r.talks, chain[n-1])
	} else {
		r.n++
		c.talk = r.n
	}
	out := Added{Talk: c.talk}
	for i := n; i < len(chain); i++ {
		m := t.message(i)
		switch {
		case m.User && i == len(chain)-1:
			m.Time = s.At
		case !m.User && i == n:
			m.Time = c.last
		}
		out.Messages = append(out.Messages, m)
	}
	c.last = s.At
	r.keep(chain[len(chain)-1], c)
	return out, nil
}

func (r *Recorder) keep(at digest, c *recorded) {
	r.talks[at] = c
	r.order = append(r.order, at)
	for len(r.order) > 4*maxRecorded || len(r.talks) > maxRecorded {
		if r.order[0] != at {
			delete(r.talks, r.order[0])
		}
		r.order = r.order[1:]
	}
}

// recorded shows a request to who records, when all of it was read. What records may not hold it up.
func (p *Proxy) recorded(at *route, r *http.Request) {
	if p.o.Record == nil || r.Body == nil || r.Header.Get("Content-Encoding") != "" {
		return
	}
	to := p.o.Record()
	if to == nil {
		return
	}
	now := p.o.Now()
	r.Body = &whole{src: r.Body, done: func(body []byte) { to(Seen{at.client, at.upstream, now, body, at.form}) }}
}
