package embed

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// Reason says why an endpoint gave no vector.
type Reason string

// The reasons.
const (
	Slow        Reason = "slow"        // no answer in time
	Unreachable Reason = "unreachable" // no connection, or one that broke off
	Busy        Reason = "busy"        // it allows no more for now
	Down        Reason = "down"        // it failed
	Key         Reason = "key"         // no key, or one that is not accepted
	Missing     Reason = "missing"     // it has no such model, or is at another address
	Refused     Reason = "refused"     // it does not take the request, for example because the text is too long
	Broken      Reason = "broken"      // what it gave is no vector of this model
)

// Failure is an error of an endpoint.
type Failure struct {
	Reason Reason
	Status int    // of HTTP; 0 where there was none
	Detail string // one line, without text and key
	model  string
}

// Error says what failed and what helps, in a line for people.
func (f *Failure) Error() string {
	text := "the embedding model " + f.model + " " + map[Reason]string{
		Slow: "does not answer in time", Unreachable: "cannot be reached: see whether its program runs and embed.base_url is right",
		Busy: "allows no more for now", Down: "failed", Key: "does not accept the key: see embed.key_file or embed.key_env",
		Missing: "is not there: see embed.model and embed.base_url", Refused: "does not take the request", Broken: "gave no vector that can be used",
	}[f.Reason]
	if f.Status != 0 {
		text += fmt.Sprintf(" (HTTP %d)", f.Status)
	}
	if f.Detail != "" {
		text += ": " + f.Detail
	}
	return text
}

// Passing reports whether the same call may go well a moment later.
func (f *Failure) Passing() bool {
	switch f.Reason {
	case Slow, Unreachable, Busy, Down:
		return true
	}
	return false
}

// status is how chromem-go tells that an endpoint answered with an error; it tells no more of the answer.
var status = regexp.MustCompile(`error response from the embedding API: (\d{3})\b`)

// failure reads an error of chromem-go.
func failure(err error, model, key string) *Failure {
	f := &Failure{Reason: Unreachable, model: model}
	if m := status.FindStringSubmatch(err.Error()); m != nil {
		f.Status, _ = strconv.Atoi(m[1])
		f.Reason = reason(f.Status)
		return f
	}
	var u *url.Error
	if errors.As(err, &u) {
		f.Detail = line(u.Err.Error(), key) // its own text shows the address
		return f
	}
	f.Detail = line(err.Error(), key)
	if text := err.Error(); strings.Contains(text, "unmarshal") || strings.Contains(text, "no embeddings found") {
		f.Reason = Broken
	}
	return f
}

func reason(status int) Reason {
	switch {
	case status == 401, status == 403:
		return Key
	case status == 404, status == 405, status >= 300 && status < 400:
		return Missing
	case status == 408, status == 425, status == 429:
		return Busy
	case status >= 500:
		return Down
	}
	return Refused
}

// line is a text of others on one line, bounded and without the key.
func line(s, key string) string {
	if len(key) >= 6 {
		s = strings.ReplaceAll(s, key, "[key]")
	}
	return clip(strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " "), 300)
}

// finite reports whether a vector has a direction.
func finite(v []float32) bool {
	some := false
	for _, x := range v {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return false
		}
		some = some || x != 0
	}
	return some
}
