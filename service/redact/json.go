package redact

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"dormouse/store/memory"
)

// JSON replaces the secrets in the strings of raw, member names included, and says how many it replaced. A string is judged by
// itself and by the name that it is given to: {"password": "x"}, {"name": "password", "value": "x"}, ["--password", "x"].
// What holds no secret stays as it is written, byte for byte, and the result is valid JSON. With an error, invalid JSON
// included, the result is nil. Empty raw stays empty.
func (r *Redactor) JSON(raw json.RawMessage) (clean json.RawMessage, found int, err error) {
	defer func() {
		if p := recover(); p != nil {
			clean, found, err = nil, 0, errors.New("redact: a rule failed; the JSON is withheld")
		}
	}()
	if len(raw) == 0 {
		return raw, 0, nil
	}
	if !json.Valid(raw) {
		return nil, 0, errors.New("redact: the JSON is not valid; it is withheld")
	}
	w := &jsonWalk{r: r, raw: raw}
	if err := w.walk(); err != nil {
		return nil, 0, err
	}
	if w.found == 0 {
		return raw, 0, nil
	}
	w.out.Write(raw[w.copied:])
	return w.out.Bytes(), w.found, nil
}

// jsonWalk goes through valid JSON from string to string. It keeps what is open around the string, so that depth costs no stack.
type jsonWalk struct {
	r      *Redactor
	raw    []byte
	out    bytes.Buffer
	copied int // raw[:copied] is in out
	found  int
	open   []container
}

// container is an object or an array that is open.
type container struct {
	object bool
	key    string // the name whose value comes next
	isKey  bool   // the next string is a name
	label  string // the value of "name" or "key" in this object
	last   string // the string before, in an array
}

func (w *jsonWalk) walk() error {
	for i := 0; i < len(w.raw); i++ {
		switch w.raw[i] {
		case '{':
			w.open = append(w.open, container{object: true, isKey: true})
		case '[':
			w.open = append(w.open, container{})
		case '}', ']':
			w.open = w.open[:len(w.open)-1]
		case ',':
			if c := w.top(); c != nil {
				c.isKey = c.object
			}
		case '"':
			end := i + 1
			for w.raw[end] != '"' {
				if w.raw[end] == '\\' {
					end++
				}
				end++
			}
			if err := w.text(i, end+1); err != nil {
				return err
			}
			i = end
		}
	}
	return nil
}

func (w *jsonWalk) top() *container {
	if len(w.open) == 0 {
		return nil
	}
	return &w.open[len(w.open)-1]
}

// text handles the string raw[from:to], quotes included.
func (w *jsonWalk) text(from, to int) error {
	s, err := unquote(w.raw[from:to])
	if err != nil {
		return err
	}
	c := w.top()
	name := ""
	if c != nil {
		if name = c.nameOf(); name == "" && c.object && !c.isKey && strings.EqualFold(c.key, "value") && len(w.open) > 1 {
			name = w.open[len(w.open)-2].key // "password": {"value": "x"}
		}
	}
	isName := c != nil && c.object && c.isKey
	clean, n, err := w.r.named(name, s)
	if err != nil {
		return err
	}
	if n > 0 {
		w.out.Write(w.raw[w.copied:from])
		b, err := memory.Encode(clean)
		if err != nil {
			return fmt.Errorf("redact: write a string back: %w", err)
		}
		w.out.Write(b)
		w.copied = to
		w.found += n
	}
	switch {
	case isName:
		c.key, c.isKey = s, false
	case c != nil && c.object:
		if k := strings.ToLower(c.key); k == "name" || k == "key" {
			c.label = s
		}
	case c != nil:
		c.last = s
	}
	return nil
}

// nameOf is the name that the next string is the value of; "" for none.
func (c *container) nameOf() string {
	switch {
	case c.object && c.isKey:
		return ""
	case c.object && strings.EqualFold(c.key, "value"):
		return c.label
	case c.object:
		return c.key
	case strings.HasPrefix(c.last, "-") && !strings.ContainsAny(c.last, "= "):
		return c.last
	}
	return ""
}

// named is Text for the value of a name. The name can make a secret of a value that is none by itself.
func (r *Redactor) named(name, s string) (string, int, error) {
	clean, n, err := r.Text(s)
	if err != nil || n > 0 || name == "" || len(name) > maxName || len(s) > maxValue {
		return clean, n, err
	}
	level := nameSecrecy(name)
	v := value{to: len(s), quote: '"', closed: true, quotedBy: true, verdict: isVerdict(name)}
	if level == notSecret || !v.secret(s, level) || isSample(r.engine.samples, s) {
		return s, 0, nil
	}
	return r.replace(s, []finding{{to: len(s), family: "assigned"}}), 1, nil
}

// unquote reads a string of valid JSON. Lone surrogates and invalid UTF-8 become the replacement character.
func unquote(b []byte) (string, error) {
	inner := b[1 : len(b)-1]
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner), nil
	}
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return "", errors.New("redact: a string of the JSON cannot be read; it is withheld")
	}
	return s, nil
}
