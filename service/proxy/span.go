package proxy

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf8"
)

// span is a value of a JSON document and where it stands there, so that one can be replaced while all other bytes stay.
type span struct {
	kind    byte // '{', '[', '"', 't', 'f', 'n', or '0' for a number
	at, end int
	keys    []string // of an object
	kids    []span   // of an object or array
}

// maxDepth is how deep values may lie in each other.
const maxDepth = 200

var (
	errJSON  = errors.New("no JSON")
	errTwice = errors.New("a field twice")
)

// spansOf reads a document: JSON in UTF-8, in which no object has a field twice, since who reads it may take either.
func spansOf(doc []byte) (span, error) {
	if !utf8.Valid(doc) {
		return span{}, errJSON
	}
	r := spanner{doc: doc}
	r.space()
	v, err := r.value(0)
	if err != nil {
		return span{}, err
	}
	if r.space(); r.i != len(doc) {
		return span{}, errJSON
	}
	return v, nil
}

type spanner struct {
	doc []byte
	i   int
}

func (r *spanner) space() {
	for r.i < len(r.doc) {
		switch r.doc[r.i] {
		case ' ', '\t', '\n', '\r':
			r.i++
		default:
			return
		}
	}
}

func (r *spanner) peek() byte {
	if r.i < len(r.doc) {
		return r.doc[r.i]
	}
	return 0
}

func (r *spanner) value(depth int) (v span, err error) {
	v = span{kind: r.peek(), at: r.i}
	switch {
	case depth > maxDepth:
		err = errJSON
	case v.kind == '{':
		err = r.object(&v, depth)
	case v.kind == '[':
		err = r.array(&v, depth)
	case v.kind == '"':
		err = r.text()
	case v.kind == 't':
		err = r.word("true")
	case v.kind == 'f':
		err = r.word("false")
	case v.kind == 'n':
		err = r.word("null")
	default:
		v.kind = '0'
		err = r.number()
	}
	v.end = r.i
	return v, err
}

func (r *spanner) object(v *span, depth int) error {
	seen := map[string]bool{}
	return r.list('}', func() error {
		at := r.i
		if r.peek() != '"' {
			return errJSON
		}
		if err := r.text(); err != nil {
			return err
		}
		key, ok := textOf(r.doc[at:r.i])
		if !ok {
			return errJSON
		}
		if seen[key] {
			return errTwice
		}
		seen[key] = true
		if r.space(); r.peek() != ':' {
			return errJSON
		}
		r.i++
		r.space()
		kid, err := r.value(depth + 1)
		v.keys, v.kids = append(v.keys, key), append(v.kids, kid)
		return err
	})
}

func (r *spanner) array(v *span, depth int) error {
	return r.list(']', func() error {
		kid, err := r.value(depth + 1)
		v.kids = append(v.kids, kid)
		return err
	})
}

// list reads what stands between brackets, parted by commas.
func (r *spanner) list(end byte, one func() error) error {
	r.i++
	r.space()
	if r.peek() == end {
		r.i++
		return nil
	}
	for {
		if err := one(); err != nil {
			return err
		}
		r.space()
		switch r.peek() {
		case end:
			r.i++
			return nil
		case ',':
			r.i++
			r.space()
		default:
			return errJSON
		}
	}
}

// text goes over a string.
func (r *spanner) text() error {
	for r.i++; r.i < len(r.doc); r.i++ {
		switch c := r.doc[r.i]; {
		case c == '"':
			r.i++
			return nil
		case c < ' ':
			return errJSON
		case c == '\\':
			if err := r.escape(); err != nil {
				return err
			}
		}
	}
	return errJSON
}

func (r *spanner) escape() error {
	r.i++
	switch r.peek() {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return nil
	case 'u':
		for range 4 {
			r.i++
			if c := r.peek() | 0x20; (c < '0' || c > '9') && (c < 'a' || c > 'f') || r.peek() < '0' {
				return errJSON
			}
		}
		return nil
	}
	return errJSON
}

func (r *spanner) word(w string) error {
	if r.i+len(w) > len(r.doc) || string(r.doc[r.i:r.i+len(w)]) != w {
		return errJSON
	}
	r.i += len(w)
	return nil
}

func (r *spanner) number() error {
	at := r.i
	for r.i < len(r.doc) {
		c := r.doc[r.i]
		if (c < '0' || c > '9') && c != '-' && c != '+' && c != '.' && c != 'e' && c != 'E' {
			break
		}
		r.i++
	}
	if !json.Valid(r.doc[at:r.i]) {
		return errJSON
	}
	return nil
}

// field is a field of an object; one that is not there has the kind 0.
func (v span) field(name string) span {
	for i, k := range v.keys {
		if k == name {
			return v.kids[i]
		}
	}
	return span{}
}

// raw are the bytes of a value in its document.
func (v span) raw(doc []byte) []byte { return doc[v.at:v.end] }

// text is a string of a document; "" for what is none.
func (v span) text(doc []byte) string {
	if v.kind != '"' {
		return ""
	}
	s, _ := textOf(v.raw(doc))
	return s
}

// textOf is what a string in quotes says.
func textOf(raw []byte) (string, bool) {
	for _, c := range raw {
		if c == '\\' {
			var s string
			err := json.Unmarshal(raw, &s)
			return s, err == nil
		}
	}
	return string(raw[1 : len(raw)-1]), true
}

// quote is a text as JSON, without the escapes that only pages need.
func quote(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a text
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
