package session

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"dormouse/store/gitrepo"
)

// Peek is the beginning of a node.
type Peek struct {
	Turn       int
	Name, Text string
}

// peekBytes is how much of a node's file is read for a beginning beside the text: what stands before it, arguments of calls included.
const peekBytes = 1 << 10

// Peek reads the beginnings of nodes: about size bytes of each one's text. Of a long list it takes a fraction of the time that the
// nodes would. What is not there, or cannot be read, is empty.
func (x *Session) Peek(ids []string, size int) ([]Peek, error) {
	v, err := x.look(false)
	if err != nil {
		return nil, err
	}
	r := v.repo.Reader()
	defer r.Close() //nolint:errcheck // opened for reading
	out := make([]Peek, len(ids))
	for i, id := range ids {
		place, ok := v.byID(id)
		if !ok || place >= len(v.entries) {
			continue
		}
		whole := !v.linked || v.entries[place].hot
		if !whole {
			out[i], whole = v.peek(r, place, size)
		}
		if whole {
			out[i] = v.peekWhole(r, place, size)
		}
	}
	return out, nil
}

func (v *view) peek(r *gitrepo.Reader, place, size int) (p Peek, unclear bool) {
	data, err := r.Start(v.entries[place].oid, size+peekBytes)
	if err != nil {
		return p, false
	}
	p.Turn = int(v.bonds.list[place].turn)
	var ok bool
	p.Name, p.Text, ok = startOf(data, size)
	return p, !ok
}

func (v *view) peekWhole(r *gitrepo.Reader, place, size int) (p Peek) {
	n, err := readNode(v.repo, r, &v.entries[place])
	if err != nil {
		return p
	}
	return Peek{Turn: n.Metadata.Turn, Name: n.Name, Text: cutText(n.Output, size)}
}

// startOf reads name and text from the beginning of a node's file, as it is written; ok is false when that does not tell.
func startOf(data []byte, size int) (name, text string, ok bool) {
	_, rest, ok := bytes.Cut(data, []byte(`,"name":`)) // only the id, the number and the role come before
	n := valueLen(rest)
	if !ok || n == 0 || json.Unmarshal(rest[:n], &name) != nil {
		return "", "", false
	}
	rest, ok = bytes.CutPrefix(rest[n:], []byte(`,"input":`))
	if n = valueLen(rest); !ok || n == 0 {
		return "", "", false
	}
	rest, ok = bytes.CutPrefix(rest[n:], []byte(`,"output":"`))
	if !ok {
		return "", "", false
	}
	text, ok = startOfString(rest, size)
	return name, text, ok
}

// valueLen is the length of the JSON value that data begins with; 0 when it does not end there.
func valueLen(data []byte) int {
	depth, quoted := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
			if !quoted && depth == 0 {
				return i + 1
			}
		case quoted:
		case c == '{' || c == '[':
			depth++
		case depth > 0 && (c == '}' || c == ']'):
			if depth--; depth == 0 {
				return i + 1
			}
		case depth == 0 && (c == ',' || c == '}'):
			return i
		}
	}
	return 0
}

// startOfString is the beginning of a string in JSON, whose quote was read. The string may be cut off anywhere.
func startOfString(data []byte, size int) (string, bool) {
	end, plain := 0, true
	for end < min(len(data), size) && data[end] != '"' {
		step := 1
		if data[end] == '\\' {
			step, plain = 2, false
			if end+1 < len(data) && data[end+1] == 'u' {
				step = 6
			}
		}
		if end+step > len(data) {
			break
		}
		end += step
	}
	if plain {
		return cutText(string(data[:end]), size), true
	}
	var s string
	if json.Unmarshal(append(append([]byte{'"'}, data[:end]...), '"'), &s) != nil {
		return "", false
	}
	return cutText(s, size), true
}

// cutText is the first bytes of a text, without a part of a character at its end.
func cutText(s string, size int) string {
	s = s[:min(len(s), size)]
	for n := 1; n < utf8.UTFMax && n <= len(s); n++ {
		if at := s[len(s)-n:]; utf8.RuneStart(at[0]) {
			if !utf8.FullRuneInString(at) {
				s = s[:len(s)-n]
			}
			break
		}
	}
	return s
}
