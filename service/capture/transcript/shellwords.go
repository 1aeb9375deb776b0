package transcript

import "strings"

// word is one word of a shell command.
type word struct {
	text     string
	plain    bool   // it means itself: nothing in it is expanded
	redirect string // it is an operator of a redirection, which the next word belongs to
}

// maxCommand is the longest command that is looked into, in bytes.
const maxCommand = 64 << 10

// shellCommands cuts a command line at its operators. What a here-document holds is left out. It never fails: what it does not
// understand becomes words that are not plain.
func shellCommands(line string) [][]word {
	if len(line) > maxCommand {
		line = line[:maxCommand]
	}
	s := splitter{rest: line}
	for s.rest != "" {
		s.next()
	}
	s.endCommand()
	return s.out
}

type splitter struct {
	rest  string
	out   [][]word
	words []word
	text  strings.Builder
	begun bool // a word is under way
	dirty bool // it is not plain
	docs  []string
}

func (s *splitter) next() {
	c := s.rest[0]
	s.rest = s.rest[1:]
	switch c {
	case ' ', '\t', '\r':
		s.endWord()
	case '\n':
		s.endCommand()
		s.skipDocs()
	case ';', '&', '|', '(', ')':
		if c == '&' && s.text.Len() == 0 && strings.HasPrefix(s.rest, ">") { // both outputs
			s.endWord()
			return
		}
		s.endCommand()
	case '#':
		if s.begun {
			s.put(c)
			return
		}
		_, s.rest, _ = cutBefore(s.rest, '\n')
	case '<', '>':
		s.redirect(c)
	case '\'':
		var in string
		in, s.rest, _ = strings.Cut(s.rest, "'")
		s.begun = true
		s.text.WriteString(in)
	case '"':
		s.quoted()
	case '\\':
		if s.rest != "" {
			if s.rest[0] != '\n' {
				s.put(s.rest[0])
			}
			s.rest = s.rest[1:]
		}
	case '$', '`':
		s.expansion(c)
	case '*', '?', '[', '{', '}':
		s.dirty = true
		s.put(c)
	default:
		s.put(c)
	}
}

func (s *splitter) put(c byte) {
	s.begun = true
	s.text.WriteByte(c)
}

func (s *splitter) endWord() {
	if s.begun {
		s.words = append(s.words, word{text: s.text.String(), plain: !s.dirty})
	}
	s.text.Reset()
	s.begun, s.dirty = false, false
}

func (s *splitter) endCommand() {
	s.endWord()
	if len(s.words) > 0 {
		s.out = append(s.out, s.words)
	}
	s.words = nil
}

// redirect takes an operator such as >, 2>&1, < and <<EOF. A number before it belongs to it.
func (s *splitter) redirect(c byte) {
	if strings.Trim(s.text.String(), "0123456789") == "" {
		s.text.Reset()
		s.begun = false
	}
	s.endWord()
	op := string(c)
	for s.rest != "" && strings.IndexByte("<>&-|", s.rest[0]) >= 0 && len(op) < 3 {
		op += s.rest[:1]
		s.rest = s.rest[1:]
	}
	if op == "<<" || op == "<<-" {
		s.rest = strings.TrimLeft(s.rest, " ")
		end := strings.IndexAny(s.rest, " \n;|&)")
		if end < 0 {
			end = len(s.rest)
		}
		s.docs = append(s.docs, strings.Trim(s.rest[:end], `'"\`))
		s.rest = s.rest[end:]
		return
	}
	s.words = append(s.words, word{text: op, redirect: op})
}

// skipDocs leaves out the here-documents that begin after this line.
func (s *splitter) skipDocs() {
	for _, end := range s.docs {
		for s.rest != "" {
			var line string
			line, s.rest, _ = strings.Cut(s.rest, "\n")
			if strings.TrimLeft(line, "\t") == end {
				break
			}
		}
	}
	s.docs = nil
}

// quoted takes a text in double quotes.
func (s *splitter) quoted() {
	s.begun = true
	for s.rest != "" {
		c := s.rest[0]
		s.rest = s.rest[1:]
		switch {
		case c == '"':
			return
		case c == '\\' && s.rest != "":
			if strings.IndexByte("\"\\$`\n", s.rest[0]) < 0 {
				s.text.WriteByte(c)
			}
			s.text.WriteByte(s.rest[0])
			s.rest = s.rest[1:]
		default:
			s.dirty = s.dirty || c == '$' || c == '`'
			s.text.WriteByte(c)
		}
	}
}

// expansion takes a variable or a substitution; of $( ... ) the inside is left out.
func (s *splitter) expansion(c byte) {
	s.begun, s.dirty = true, true
	switch {
	case c == '`':
		_, s.rest, _ = strings.Cut(s.rest, "`")
	case strings.HasPrefix(s.rest, "("):
		depth := 0
		for i := range len(s.rest) {
			switch s.rest[i] {
			case '(':
				depth++
			case ')':
				depth--
			}
			if depth == 0 {
				s.rest = s.rest[i+1:]
				return
			}
		}
		s.rest = ""
	}
}

// cutBefore cuts at a byte and leaves it with the rest.
func cutBefore(s string, at byte) (before, rest string, found bool) {
	if i := strings.IndexByte(s, at); i >= 0 {
		return s[:i], s[i:], true
	}
	return s, "", false
}
