package memory

import (
	"strconv"
	"unicode/utf8"
)

// scan reads JSON in the shapes in which records and decisions are written, without looking their types over anew. What it takes it takes as
// encoding/json does; what it does not take (a member that it does not know or that comes twice, a name in other letters, a value of another
// type, half a pair of surrogates, damage) is left to that. So it need not know everything that JSON may be.
type scan struct {
	b     []byte
	i     int
	names *names // where texts are kept; nil makes each anew
	own   bool   // texts of one record alone are kept together
	lines *Lines // of a log's line
}

// maxDepth bounds how deep a value is nested that is passed over here.
const maxDepth = 64

func (s *scan) space() {
	for s.i < len(s.b) && (s.b[s.i] == ' ' || s.b[s.i] == '\n' || s.b[s.i] == '\t' || s.b[s.i] == '\r') {
		s.i++
	}
}

// eat takes the next character where it is c.
func (s *scan) eat(c byte) bool {
	s.space()
	if s.i < len(s.b) && s.b[s.i] == c {
		s.i++
		return true
	}
	return false
}

// word takes a literal.
func (s *scan) word(w string) bool {
	s.space()
	if len(s.b)-s.i >= len(w) && string(s.b[s.i:s.i+len(w)]) == w {
		s.i += len(w)
		return true
	}
	return false
}

func (s *scan) null() bool { return s.word("null") }

// end reports whether nothing is left.
func (s *scan) end() bool {
	s.space()
	return s.i == len(s.b)
}

// object reads an object; member reads the value of a name.
func (s *scan) object(member func(name string) bool) bool {
	if !s.eat('{') {
		return false
	}
	if s.eat('}') {
		return true
	}
	for {
		name, ok := s.name()
		if !ok || !s.eat(':') || !member(name) {
			return false
		}
		if !s.eat(',') {
			return s.eat('}')
		}
	}
}

// name reads the name of a member, which has no escapes where it is one of ours.
func (s *scan) name() (string, bool) {
	if !s.eat('"') {
		return "", false
	}
	from := s.i
	for ; s.i < len(s.b); s.i++ {
		switch c := s.b[s.i]; {
		case c == '"':
			s.i++
			return known(s.b[from : s.i-1]), true
		case c == '\\' || c < ' ' || c >= utf8.RuneSelf:
			return "", false
		}
	}
	return "", false
}

// once reports whether a member comes for the first time, and notes it.
func once(seen *uint32, bit uint) bool {
	is := *seen>>bit&1 == 0
	*seen |= 1 << bit
	return is
}

// text reads a string.
func (s *scan) text(to *string) bool { return s.textAs(to, known) }

// shared reads a string that many records have.
func (s *scan) shared(to *string) bool {
	if s.names == nil {
		return s.text(to)
	}
	return s.textAs(to, s.names.read)
}

// kept reads a string that one record alone has.
func (s *scan) kept(to *string) bool {
	if s.names == nil || !s.own {
		return s.text(to)
	}
	return s.textAs(to, s.names.keep)
}

// textAs reads a string; as makes it of its bytes.
func (s *scan) textAs(to *string, as func([]byte) string) bool {
	if !s.eat('"') {
		return false
	}
	from, high := s.i, byte(0)
	for ; s.i < len(s.b); s.i++ {
		c := s.b[s.i]
		switch {
		case c == '"':
			raw := s.b[from:s.i]
			s.i++
			if high >= utf8.RuneSelf && !utf8.Valid(raw) {
				return false
			}
			*to = as(raw)
			return true
		case c == '\\':
			return s.escaped(from, to, as)
		case c < ' ':
			return false
		}
		high |= c
	}
	return false
}

// unescaped are the characters that a letter behind a backslash stands for.
var unescaped = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escaped reads a string that begins at from and has an escape here.
func (s *scan) escaped(from int, to *string, as func([]byte) string) bool {
	var room [256]byte
	out := append(room[:0], s.b[from:s.i]...)
	for s.i < len(s.b) {
		c := s.b[s.i]
		switch {
		case c == '"':
			s.i++
			if !utf8.Valid(out) {
				return false
			}
			*to = as(out)
			return true
		case c < ' ':
			return false
		case c != '\\':
			out = append(out, c)
			s.i++
			continue
		}
		if s.i+1 >= len(s.b) {
			return false
		}
		if s.b[s.i+1] == 'u' {
			r, ok := s.point()
			if !ok || r >= 0xd800 && r < 0xe000 {
				return false
			}
			out = utf8.AppendRune(out, r)
			continue
		}
		plain := unescaped[s.b[s.i+1]]
		if plain == 0 {
			return false
		}
		out = append(out, plain)
		s.i += 2
	}
	return false
}

// point reads an escape with four hex digits.
func (s *scan) point() (rune, bool) {
	if s.i+6 > len(s.b) {
		return 0, false
	}
	r := rune(0)
	for _, c := range s.b[s.i+2 : s.i+6] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	s.i += 6
	return r, true
}

// number passes over a number.
func (s *scan) number() (lit []byte, ok bool) {
	s.space()
	from := s.i
	digits := func() bool {
		at := s.i
		for s.i < len(s.b) && s.b[s.i] >= '0' && s.b[s.i] <= '9' {
			s.i++
		}
		return s.i > at
	}
	next := func(c byte) bool {
		if s.i < len(s.b) && s.b[s.i] == c {
			s.i++
			return true
		}
		return false
	}
	next('-')
	if !next('0') && !digits() {
		return nil, false
	}
	if next('.') && !digits() {
		return nil, false
	}
	if next('e') || next('E') {
		_ = next('+') || next('-')
		if !digits() {
			return nil, false
		}
	}
	return s.b[from:s.i], true
}

// whole reads a whole number.
func (s *scan) whole(to *int64) bool {
	lit, ok := s.number()
	if !ok || len(lit) > 18 {
		return false
	}
	n, negative := int64(0), false
	for i, c := range lit {
		switch {
		case c == '-' && i == 0:
			negative = true
		case c < '0' || c > '9':
			return false
		default:
			n = n*10 + int64(c-'0')
		}
	}
	if negative {
		n = -n
	}
	*to = n
	return true
}

// natural reads a whole number that has no sign.
func (s *scan) natural(to *uint64) bool {
	s.space()
	var n int64
	if s.i < len(s.b) && s.b[s.i] == '-' || !s.whole(&n) {
		return false
	}
	*to = uint64(n)
	return true
}

// real reads a number.
func (s *scan) real(to *float64) bool {
	lit, ok := s.number()
	if !ok {
		return false
	}
	n, err := strconv.ParseFloat(string(lit), 64)
	*to = n
	return err == nil
}

func (s *scan) truth(to *bool) bool {
	switch {
	case s.word("true"):
		*to = true
	case s.word("false"):
		*to = false
	default:
		return false
	}
	return true
}

// optional reads a whole number or null.
func (s *scan) optional(to **int64) bool { return s.optionalIn(to, nil) }

// optionalIn is optional with room for the number.
func (s *scan) optionalIn(to **int64, n *int64) bool {
	if s.null() {
		*to = nil
		return true
	}
	if n == nil {
		n = new(int64)
	}
	*to = n
	return s.whole(n)
}

// ref reads an id or null, which leaves it as it is.
func (s *scan) ref(to *Ref) bool { return s.null() || s.text((*string)(to)) }

// texts reads a list of strings or null.
func (s *scan) texts(to *[]string) bool { return s.list(to, nil, s.text) }

// list reads a list of strings or null, into room where there is enough of it; text reads one.
func (s *scan) list(to *[]string, room []string, text func(*string) bool) bool {
	if s.null() {
		*to = nil
		return true
	}
	if !s.eat('[') {
		return false
	}
	if s.eat(']') {
		*to = []string{}
		return true
	}
	out := room
	for {
		var t string
		if !text(&t) {
			return false
		}
		out = append(out, t)
		if !s.eat(',') {
			*to = out
			return s.eat(']')
		}
	}
}

// raw reads any value as it stands.
func (s *scan) raw(to *[]byte) bool {
	s.space()
	from := s.i
	if !s.skip(0) {
		return false
	}
	*to = append([]byte(nil), s.b[from:s.i]...)
	return true
}

// skip passes over any value, and over nothing that is none.
func (s *scan) skip(depth int) bool {
	s.space()
	if s.i == len(s.b) || depth > maxDepth {
		return false
	}
	switch s.b[s.i] {
	case '{', '[':
		return s.skipAll(depth)
	case '"':
		return s.skipText()
	case 't':
		return s.word("true")
	case 'f':
		return s.word("false")
	case 'n':
		return s.null()
	}
	_, ok := s.number()
	return ok
}

func (s *scan) skipAll(depth int) bool {
	object := s.b[s.i] == '{'
	closing := s.b[s.i] + 2 // of both kinds of brackets
	s.i++
	if s.eat(closing) {
		return true
	}
	for {
		if object {
			if s.space(); s.i == len(s.b) || s.b[s.i] != '"' || !s.skipText() || !s.eat(':') {
				return false
			}
		}
		if !s.skip(depth + 1) {
			return false
		}
		if !s.eat(',') {
			return s.eat(closing)
		}
	}
}

// passText passes over a string, and over nothing else.
func (s *scan) passText() bool {
	s.space()
	return s.i < len(s.b) && s.b[s.i] == '"' && s.skipText()
}

func (s *scan) skipText() bool {
	for s.i++; s.i < len(s.b); {
		switch c := s.b[s.i]; {
		case c == '"':
			s.i++
			return true
		case c < ' ':
			return false
		case c != '\\':
			s.i++
		case s.i+1 < len(s.b) && s.b[s.i+1] == 'u':
			if _, ok := s.point(); !ok {
				return false
			}
		case s.i+1 < len(s.b) && unescaped[s.b[s.i+1]] != 0:
			s.i += 2
		default:
			return false
		}
	}
	return false
}

// usual are texts that nearly every line has: names of members, and values.
var usual = map[string]string{}

func init() {
	for _, list := range [][]string{decisionNames, proposalNames, eventNames, entityNames, edgeNames, provenanceNames} {
		for _, t := range list {
			usual[t] = t
		}
	}
	for _, t := range []string{"decision", "run", "type", "salt", "digest", "claim", PolicyVersion, ByRule, ByModel, ByPerson,
		string(ActionAdd), string(ActionSupersede), string(ActionEdit), string(RecordEvent), string(RecordEntity), string(RecordEdge), string(RecordFact), string(RecordSegment),
		string(KindWork), string(KindDecision), string(KindLearning), string(KindEvent),
		string(TrustPerson), string(TrustObserved), string(TrustAgent), string(TrustQuoted), string(Global), TypeFile, TypeCommit, TypeCommand} {
		usual[t] = t
	}
}

// known is a text, without making it anew where it is a usual one.
func known(raw []byte) string {
	if len(raw) < 20 {
		if t, ok := usual[string(raw)]; ok {
			return t
		}
	}
	return string(raw)
}
