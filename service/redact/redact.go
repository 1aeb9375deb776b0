package redact

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"regexp"
	"slices"
	"strings"
)

// Options says how to redact.
type Options struct {
	// Key makes the placeholders: HMAC-SHA256 of a secret under it. It has to be the same from run to run, and secret. It must
	// not be empty.
	Key []byte
	// Extra are the user's own expressions, in the syntax of Go's regexp. Where one has groups, the first that matches is the
	// secret, else the whole match is.
	Extra []string
	// Found, which may be nil, is told of each secret that is replaced, on the goroutine that asked.
	Found func(Found)
}

// Found is a secret that was replaced. It does not hold the secret.
type Found struct {
	Family      string
	Bytes       int // how long the secret is
	Line        int // of the text that was looked at, from 1; of a JSON document, of the string in it
	Placeholder string
}

// Redactor takes secrets out of text. It is safe for concurrent use.
type Redactor struct {
	engine *engine
	extra  []*regexp.Regexp
	key    []byte
	found  func(Found)
}

// New prepares the rules. An error names the expression of Options.Extra that is wrong.
func New(o Options) (*Redactor, error) {
	if len(o.Key) == 0 {
		return nil, errors.New("redact: a key for the placeholders is needed")
	}
	r := &Redactor{key: slices.Clone(o.Key), found: o.Found}
	for _, x := range o.Extra {
		re, err := regexp.Compile(x)
		if err != nil {
			return nil, fmt.Errorf("redact: your pattern %q: %w", x, err)
		}
		r.extra = append(r.extra, re)
	}
	rules, global, samples, err := parseRules(gitleaksTOML)
	if err != nil {
		return nil, err
	}
	r.engine, err = newEngine(rules, global, samples, ownRules())
	return r, err
}

// maxRounds is how often a text is looked at again after something was replaced in it. A replacement can uncover another
// finding; two rounds are usual.
const maxRounds = 16

// Text replaces the secrets in s by placeholders and says how many it replaced. With an error the text is empty.
func (r *Redactor) Text(s string) (clean string, found int, err error) {
	if s == "" {
		return "", 0, nil
	}
	defer func() {
		if p := recover(); p != nil {
			// What panicked may hold a piece of the text, so it is not told.
			clean, found, err = "", 0, errors.New("redact: a rule failed; the text is withheld")
		}
	}()
	clean = s
	for range maxRounds {
		spans := r.spans(clean)
		if len(spans) == 0 {
			return clean, found, nil
		}
		found += len(spans)
		clean = r.replace(clean, spans)
	}
	return "", 0, fmt.Errorf("redact: still finding secrets after %d rounds; the text is withheld", maxRounds)
}

// spans returns what is to be replaced in s: in order, without overlap, and without what is a placeholder already.
func (r *Redactor) spans(s string) []finding {
	var all []finding
	add := func(f finding) { all = append(all, f) }
	r.engine.secrets(s, add)
	r.engine.veiled(s, add)
	r.engine.encoded(s, add)
	for _, re := range r.extra {
		for _, m := range re.FindAllStringSubmatchIndex(s, -1) {
			from, to := m[0], m[1]
			for i := 2; i < len(m); i += 2 {
				if m[i] >= 0 {
					from, to = m[i], m[i+1]
					break
				}
			}
			if to > from {
				all = append(all, finding{from: from, to: to, family: "custom"})
			}
		}
	}
	return withoutPlaceholders(s, merged(all))
}

// merged joins overlapping findings; the longest of them gives the family.
func merged(all []finding) []finding {
	slices.SortStableFunc(all, func(a, b finding) int {
		if a.from != b.from {
			return a.from - b.from
		}
		return b.to - a.to
	})
	var out []finding
	longest := 0
	for _, f := range all {
		if n := len(out); n > 0 && f.from < out[n-1].to {
			if f.to-f.from > longest {
				longest = f.to - f.from
				out[n-1].family = f.family
			}
			out[n-1].to = max(out[n-1].to, f.to)
			continue
		}
		longest = f.to - f.from
		out = append(out, f)
	}
	return out
}

// placeholderStart begins every placeholder.
const placeholderStart = "[redacted:"

var placeholderForm = lazyRegexp(`\[redacted:[a-z0-9-]{1,40}:[0-9a-f]{6}\]`)

// withoutPlaceholders drops the findings that touch a placeholder.
func withoutPlaceholders(s string, spans []finding) []finding {
	if !strings.Contains(s, placeholderStart) {
		return spans
	}
	marks := placeholderForm().FindAllStringIndex(s, -1)
	i := 0
	return slices.DeleteFunc(spans, func(f finding) bool {
		for i < len(marks) && marks[i][1] <= f.from {
			i++
		}
		// A private span goes with the placeholders in it.
		return i < len(marks) && marks[i][0] < f.to && !(f.family == "private" && f.to-f.from > marks[i][1]-marks[i][0])
	})
}

// replace puts a placeholder in the place of each span.
func (r *Redactor) replace(s string, spans []finding) string {
	var b strings.Builder
	b.Grow(len(s))
	mac := hmac.New(sha256.New, r.key)
	last := 0
	for _, f := range spans {
		b.WriteString(s[last:f.from])
		mark := placeholder(mac, f.family, s[f.from:f.to])
		b.WriteString(mark)
		if r.found != nil {
			r.found(Found{Family: f.family, Bytes: f.to - f.from, Line: 1 + strings.Count(s[:f.from], "\n"), Placeholder: mark})
		}
		last = f.to
	}
	b.WriteString(s[last:])
	return b.String()
}

// placeholder is what stands for secret: the same for the same secret. mac is HMAC-SHA256 under the redactor's key.
func placeholder(mac hash.Hash, family, secret string) string {
	mac.Reset()
	mac.Write([]byte(secret))
	return placeholderStart + family + ":" + hex.EncodeToString(mac.Sum(nil)[:3]) + "]"
}
