package cline

import (
	"errors"
	"io/fs"
	"strings"

	"dormouse/service/capture/document"
	"dormouse/service/capture/share"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// request is a call of the provider, as the list of shown messages tells of it.
type request struct {
	ms    int64
	usage memory.Usage
}

// shown reads the list of shown messages: what was typed, and the tokens of each call of the provider.
func (t *task) shown(path string) error {
	in, err := share.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer in.Close() //nolint:errcheck // opened for reading
	return document.Source{In: in}.Elements(nil, func(string, []byte) {}, func(raw []byte) error {
		m := gjson.ParseBytes(raw)
		switch m.Get("say").String() {
		case "user_feedback", "user_feedback_diff", "task":
			t.typed[hash(strings.TrimSpace(m.Get("text").String()))] = true
		case "api_req_started":
			if u := tokens(gjson.Parse(m.Get("text").String())); u != (memory.Usage{}) {
				t.requests = append(t.requests, request{m.Get("ts").Int(), u})
			}
		}
		return nil
	})
}

// tokens are those of one call. Providers in the shape of OpenAI count what came from a cache as input too.
func tokens(r gjson.Result) memory.Usage {
	u := memory.Usage{Input: r.Get("tokensIn").Int(), Output: r.Get("tokensOut").Int(), CacheRead: r.Get("cacheReads").Int(), CacheWrite: r.Get("cacheWrites").Int()}
	if r.Get("apiProtocol").String() == "openai" {
		u.Input = max(u.Input-u.CacheRead-u.CacheWrite, 0)
	}
	return u
}

// spent are the tokens of a message, in milliseconds since 1970: those of the calls since the message before it. A message without
// a time has those of one call, and its time in seconds.
func (t *task) spent(ms int64) (u *memory.Usage, when int64) {
	for len(t.requests) > 0 {
		r := t.requests[0]
		if ms > 0 && r.ms > ms || ms == 0 && u != nil {
			break
		}
		t.requests = t.requests[1:]
		if u == nil {
			u = &memory.Usage{}
		}
		u.Input, u.Output = u.Input+r.usage.Input, u.Output+r.usage.Output
		u.CacheRead, u.CacheWrite = u.CacheRead+r.usage.CacheRead, u.CacheWrite+r.usage.CacheWrite
		when = r.ms / 1000
	}
	return u, when
}
