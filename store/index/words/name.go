package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// part is one piece of a run that is held together by joints.
type part struct {
	text  string // case folded, without accents
	exact string // case folded with its accents; empty where it has none
	joint byte   // what stands before it: a joining character, hump for camelCase, 0 at the beginning of the run
}

const hump = 'H'

// name reads the run of joined words that begins at i, emits its terms and returns its end.
func (a *Analyzer) name(text string, i int, emit emitter) int {
	a.parts = a.parts[:0]
	start := i
	joint := byte(0)
	for {
		end := sameClass(text, i, letter)
		word := text[i:end]
		i = end
		if next := a.clitic(text, i, &word); next > i {
			i = next
		}
		i = a.atom(text, i, word, joint, emit)
		next := joined(text, i)
		if next == 0 {
			break
		}
		joint = text[i]
		i = next
	}
	a.leading(text, start, emit)
	a.emitParts(emit)
	return i
}

// joined is where the run goes on after up to three joining characters at i; 0 where it ends.
func joined(text string, i int) int {
	for n := 0; n <= 3 && i < len(text); n++ {
		if n > 0 {
			if r, _ := utf8.DecodeRuneInString(text[i:]); classOf(r) == letter {
				return i
			}
		}
		if !joins(text[i]) {
			return 0
		}
		i++
	}
	return 0
}

// clitic deals with the endings that English hangs on words with an apostrophe: "n't" is written together, 's, 'll, 're,
// 've, 'd and 'm fall away. It returns the end of what it took, or i.
func (a *Analyzer) clitic(text string, i int, word *string) int {
	if i >= len(text) || text[i] != '\'' {
		return i
	}
	end := sameClass(text, i+1, letter)
	switch suffix := strings.ToLower(text[i+1 : end]); suffix {
	case "t":
		if strings.HasSuffix(strings.ToLower(*word), "n") {
			*word += "t"
			return end
		}
	case "s", "ll", "re", "ve", "d", "m":
		return end
	}
	return i
}

// atom adds the parts of one word of letters and digits. A word with ++ or # behind it (C++, C#) is a term with them; the
// end of what was read is returned.
func (a *Analyzer) atom(text string, i int, word string, joint byte, emit emitter) int {
	if len(word) > maxWord {
		word = strings.ToValidUTF8(word[:maxWord], "")
	}
	for _, mark := range []string{"++", "#"} {
		if !strings.HasPrefix(text[i:], mark) || !endsWord(text, i+len(mark)) {
			continue
		}
		a.emit(bare(fold(word))+mark, whole, emit)
		if utf8.RuneCountInString(word) > 1 {
			a.split(word, joint)
		}
		return i + len(mark)
	}
	a.split(word, joint)
	return i
}

func endsWord(text string, i int) bool {
	r, _ := utf8.DecodeRuneInString(text[i:])
	return i >= len(text) || classOf(r) == other && r != '_' || text[i-1] == '+' && '0' <= r && r <= '9'
}

// split cuts a word at the humps of camelCase: before a capital that follows a small letter or digit, and before the last
// capital of several when a small letter follows.
func (a *Analyzer) split(word string, joint byte) {
	before := len(a.parts)
	start := 0
	var prev rune
	for i, r := range word {
		if i > start && unicode.IsUpper(r) {
			next, _ := utf8.DecodeRuneInString(word[i+utf8.RuneLen(r):])
			if !unicode.IsUpper(prev) || unicode.IsLower(next) {
				a.add(word[start:i], joint)
				joint, start = hump, i
			}
		}
		prev = r
	}
	a.add(word[start:], joint)
	if len(a.parts)-before > maxHumps {
		first := a.parts[before].joint
		a.parts = a.parts[:before]
		a.add(word, first)
	}
}

func (a *Analyzer) add(text string, joint byte) {
	exact := fold(text)
	p := part{text: bare(exact), joint: joint}
	if p.text != exact {
		p.exact = exact
	}
	if p.text != "" {
		a.parts = append(a.parts, p)
	}
}

// leading emits what a run is with the characters before it: a name with a leading dot (.NET, .env), a flag (--force), a
// number sign (#123).
func (a *Analyzer) leading(text string, start int, emit emitter) {
	i := start
	for i > 0 && start-i < 2 && strings.IndexByte(".-#", text[i-1]) >= 0 {
		i--
	}
	lead := text[i:start]
	if lead == "" || len(a.parts) == 0 || i > 0 && !opens(text[i-1]) {
		return
	}
	digit := a.parts[0].text[0] >= '0' && a.parts[0].text[0] <= '9'
	switch {
	case lead == "." && !digit:
		a.emit("."+a.parts[0].text, derived, emit)
	case (lead == "-" || lead == "--") && !digit:
		a.emit("--"+joinParts(a.parts, "-"), derived, emit)
	case lead == "#" && digit:
		a.emit("#"+a.parts[0].text, derived, emit)
	}
}

// opens reports whether a name may begin after the byte c.
func opens(c byte) bool { return c <= ' ' || strings.IndexByte("\"'`([{<=,;|*", c) >= 0 }

func joinParts(parts []part, sep string) string {
	var b strings.Builder
	for i, p := range parts {
		if b.Len() > maxWord {
			break
		}
		if i > 0 {
			b.WriteString(sep)
		}
		b.WriteString(p.text)
	}
	return b.String()
}
