package memory

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Stated is a value that a text gives to the name of a secret in words: "the password is x", "password for bob: x", "use x as the
// password", 密码是x. The value is the text's bytes From to To.
type Stated struct {
	From, To int
	Quoted   bool // in quotation marks of some kind
	Key      bool // of a key or a token, which a machine made, else of a password, which may be any word
	Beside   bool // nothing but a space joins name and value: "password x"
	Cued     bool // Beside, behind a word that says that it is used: "with password x"
	Short    bool // the name has other meanings: "pass: x"
	Sign     bool // a sign joins name and value, not a word
	Clause   bool // what the sentence says ends behind the value
	Inner    bool // the name is the end of a longer word or in quotation marks, as in programs: nextPageToken
}

// The most bytes of what says which password is meant, and of a value.
const (
	maxQualifier   = 64
	maxStatedValue = 200
)

// EachStated calls found for every value that s states. Values may overlap.
func EachStated(s string, found func(Stated)) {
	for i := 0; i+1 < len(s); i++ {
		list := nameIndex.list[pairOf(s, i)]
		if list == 0 {
			continue
		}
		n, ok := nameAt(nameIndex.all[list], s, i)
		switch {
		case !ok:
		case n.class != loginName:
			statedAround(s, i, i+len(n.word), n.class, found)
		default:
			if v, ok := statedLogin(s, i+len(n.word)); ok {
				found(v)
			}
		}
	}
}

var nameIndex = tableOf(secretNames, loginWords)

func lowered(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c | 0x20
	}
	return c
}

func isWordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// nameAt is the name of a list that s has at i.
func nameAt(list []secretName, s string, i int) (*secretName, bool) {
	for j := range list {
		n := &list[j]
		end := i + len(n.word)
		if end > len(s) || !foldEqual(s[i:end], n.word) {
			continue
		}
		if !n.inner && i > 0 && isWordByte(s[i-1]) {
			continue
		}
		return n, true
	}
	return nil, false
}

// foldEqual is strings.EqualFold for a word in small letters, of which only ASCII is folded.
func foldEqual(s, word string) bool {
	for i := range len(s) {
		if small[s[i]] != word[i] {
			return false
		}
	}
	return true
}

// statedAround finds what is said of the name s[start:end] behind it, and before it.
func statedAround(s string, start, end int, class nameClass, found func(Stated)) {
	if v, ok := statedBefore(s, start); ok && class != shortPass && class != pinName {
		v.Key, v.Inner = class == keyName, isInner(s, start)
		found(v)
	}
	for end < len(s) && (lowered(s[end]) == 's' || lowered(s[end]) == 'e') && class == passName && s[end-1] < utf8.RuneSelf && end-start < 40 {
		end++ // plurals, genitives
	}
	if end < len(s) && s[end-1] < utf8.RuneSelf && (isWordByte(s[end]) || s[end] == '_') {
		return
	}
	v, ok := statedBehind(s, end)
	if !ok && strings.HasSuffix(s[start:end], "phrase") {
		v, ok = phraseBehind(s, end)
	}
	if !ok || lowered(s[start]) == 'p' && end-start == 4 && v.Sign && !v.Quoted && !hasDigit(s[v.From:v.To]) || // pass: the verdict of a test
		class == pinName && !isPin(s[v.From:v.To]) {
		return
	}
	v.Key, v.Short, v.Inner = class == keyName, class == shortPass, isInner(s, start)
	if v.Short && strings.IndexByte(s[end:v.From], '=') < 0 && len(strings.Fields(s[end:v.From])) > 2 {
		return // to pass the value to x
	}
	if v.Beside {
		v.Cued = v.Cued || isCued(s, start)
	} else if w, ok := secondOfTwo(s, start, v); ok {
		found(w)
	}
	if v.Beside && !v.Quoted && nounsBehind[strings.ToLower(s[v.From:v.To])] {
		return
	}
	found(v)
}

// phraseBehind reads a phrase of which the first word could be one that sentences go on with: "the passphrase is correct horse battery".
func phraseBehind(s string, i int) (Stated, bool) {
	j, ok := joinAt(s, i)
	if !ok {
		return Stated{}, false
	}
	from := skipBlank(s, j.at)
	to, odd := from, 0
	for range 12 {
		at := skipBlank(s, to)
		w := wordAt(s, at)
		low := strings.ToLower(w)
		if w == "" || ofWords[low] || stateWords[low] || joinsSentence[low] {
			break
		}
		if !ordinaryWords[low] {
			odd++
		}
		to = at + len(w)
	}
	return Stated{From: from, To: to, Clause: true, Sign: j.sign}, odd > 1
}

// isPin reports whether text is the number of a card or a door.
func isPin(text string) bool {
	return len(text) >= 4 && len(text) <= 12 && strings.Trim(text, "0123456789") == ""
}

// isInner reports whether the name at s[start] is the end of a longer word, or in quotation marks.
func isInner(s string, start int) bool {
	return start > 0 && (isWordByte(s[start-1]) || strings.IndexByte("_.$\"'", s[start-1]) >= 0)
}

// isCued reports whether the name at s[start] is of a password that is used, or follows a user.
func isCued(s string, start int) bool {
	at := skipArticles(s, start)
	if cueWords[wordBefore(s, at)] || strings.HasSuffix(s[:start], "用") {
		return true
	}
	before := strings.ToLower(s[max(0, start-48):start])
	before = before[strings.LastIndexByte(before, '\n')+1:]
	for _, w := range []string{"user ", "username ", "login ", "log in ", "logged in ", "benutzer "} {
		if i := strings.LastIndex(before, w); i >= 0 && (i == 0 || !isWordByte(before[i-1])) {
			return true
		}
	}
	return false
}

// secondOfTwo is the password where v is the user: "username and password are bob and x".
func secondOfTwo(s string, start int, v Stated) (Stated, bool) {
	at := skipArticles(s, start)
	if w := wordBefore(s, at); !andWords[w] && !strings.HasSuffix(s[:at], "/") {
		return v, false
	}
	if !strings.Contains(strings.ToLower(s[max(0, at-24):at]), "user") && !strings.Contains(strings.ToLower(s[max(0, at-24):at]), "login") {
		return v, false
	}
	i := skipBlank(s, v.To)
	if w := wordAt(s, i); andWords[strings.ToLower(w)] {
		i += len(w)
	} else if i < len(s) && strings.IndexByte("/,", s[i]) >= 0 {
		i++
	} else {
		return v, false
	}
	return statedValue(s, i, joint{sign: true})
}

// statedBehind reads what follows a name that ends at s[i].
func statedBehind(s string, i int) (Stated, bool) {
	i = skipNameMarks(s, i)
	if j, ok := joinAt(s, i); ok {
		return statedValue(s, j.at, j)
	}
	j := skipBlank(s, i)
	if j < len(s) && s[j] == '[' {
		if n := strings.IndexAny(s[j:min(len(s), j+maxQualifier)], "]\n"); n > 0 && s[j+n] == ']' {
			if k, ok := joinAt(s, j+n+1); ok {
				return statedValue(s, k.at, k)
			}
		}
		return Stated{}, false
	}
	if j < len(s) && s[j] == '(' {
		if n := strings.IndexAny(s[j:min(len(s), j+maxQualifier)], ")\n"); n > 0 && s[j+n] == ')' {
			if k, ok := joinAt(s, j+n+1); ok {
				if v, ok := statedValue(s, k.at, k); ok {
					return v, true
				}
			}
			if strings.ContainsAny(s[j:j+n], " \t") {
				return Stated{}, false
			}
		}
		v, ok := statedValue(s, j+1, joint{beside: true})
		v.Cued = true
		return v, ok
	}
	if w := strings.ToLower(wordAt(s, j)); w == "from" || w == "von" {
		v, ok := statedValue(s, j+len(w), joint{beside: true})
		v.Cued = ok && strings.HasPrefix(s[v.To:], " to ") || strings.HasPrefix(s[v.To:], " auf ")
		return v, ok
	}
	if ofWords[strings.ToLower(wordAt(s, j))] {
		return statedQualified(s, j)
	}
	if j == i && (j >= len(s) || s[j] >= utf8.RuneSelf || !isWordByte(s[j])) {
		return Stated{}, false
	}
	return statedValue(s, j, joint{beside: true})
}

// statedQualified reads what follows a name and what says which one it is: password for bob: x, password of the server is x.
func statedQualified(s string, i int) (Stated, bool) {
	stop := min(len(s), i+maxQualifier)
	for i < stop && strings.IndexByte("\n.;!?", s[i]) < 0 || i < stop && s[i] == '.' && i+1 < stop && s[i+1] > ' ' {
		for i < stop && s[i] > ' ' && !signAt(s, i) {
			i++
		}
		if j, ok := joinAt(s, i); ok {
			return statedValue(s, j.at, j)
		}
		next := skipBlank(s, i)
		if next == i {
			return Stated{}, false
		}
		i = next
	}
	return Stated{}, false
}

// joint is what joins a name and its value.
type joint struct {
	at     int // where the value may begin
	sign   bool
	beside bool
}

// signs join a name and its value; what is longer comes first.
var joinSigns = []string{"：", "→", "—", "–", "->", "=>", ":=", "==", "=", ":"}

// foreignJoins do so in languages that have no spaces between words.
var foreignJoins = []string{"就是", "设为", "設為", "设置为", "改为", "改成", "应该是", "是", "为", "為", "は", "는", "은", "이"}

// signAt reports whether a sign that ends a name is at s[i]: a colon with a space behind, an equals sign.
func signAt(s string, i int) bool {
	return s[i] == '=' || s[i] == ':' && (i+1 == len(s) || s[i+1] <= ' ') || strings.HasPrefix(s[i:], "：")
}

// joinAt reads what joins a name that ends at s[i] and its value.
func joinAt(s string, i int) (joint, bool) {
	j := skipBlank(s, i)
	for _, w := range joinSigns {
		if strings.HasPrefix(s[j:], w) {
			return joint{at: skipLineEnd(s, j+len(w)), sign: true}, true
		}
	}
	if j > i && j+2 < len(s) && s[j] == '-' && s[j+1] == ' ' {
		return joint{at: j + 2, sign: true}, true
	}
	for _, w := range foreignJoins {
		if strings.HasPrefix(s[j:], w) {
			return joint{at: j + len(w)}, true
		}
	}
	if strings.HasPrefix(s[i:], "'s ") || strings.HasPrefix(s[i:], "’s ") {
		return joint{at: i + strings.IndexByte(s[i:], ' ')}, true
	}
	if j == i {
		return joint{}, false
	}
	word := strings.ToLower(wordAt(s, j))
	if stateWords[word] && !ofWords[word] || word == "to" {
		return joint{at: j + len(word)}, true
	}
	return joint{}, false
}

// statedValue reads the value at s[i], behind words that only lead to it.
func statedValue(s string, i int, how joint) (Stated, bool) {
	v := Stated{Beside: how.beside, Sign: how.sign}
	i = skipBlank(s, i)
	led := false
	for range 4 {
		w := wordAt(s, i)
		low := strings.ToLower(w)
		next := i + len(w)
		if next < len(s) && s[next] == ':' {
			next++
		}
		if w == "" || how.beside || next == len(s) || s[next] > ' ' {
			break
		}
		if stateFillers[low] {
			i = skipLineEnd(s, next)
			continue
		}
		if (low == "the" || low == "das" || low == "le") && stateFillers[strings.ToLower(wordAt(s, skipBlank(s, next)))] {
			i, led = skipBlank(s, next), true
			continue
		}
		break
	}
	var ok bool
	if v.From, v.To, v.Quoted, ok = readStated(s, i); !ok {
		return v, false
	}
	v.Clause = endsClause(s, v.To)
	if v.Quoted {
		return v, true
	}
	text := s[v.From:v.To]
	if isReference(text) || isOrdinary(s, v.To, text) || led && !hasDigit(text) {
		return v, false
	}
	return v, true
}

// isOrdinary reports whether text, which ends at s[to], is a word that a sentence about a secret goes on with.
func isOrdinary(s string, to int, text string) bool {
	low := strings.ToLower(strings.Trim(text, "*_.,;:!?)]"))
	if low == "" || ordinaryWords[low] {
		return true
	}
	for _, e := range endings {
		if strings.HasSuffix(low, e) && len(low) > len(e)+2 && onlyLetters(low) {
			return true
		}
	}
	// A participle with what it takes: hashed with, stored in.
	return strings.HasSuffix(low, "ed") && len(low) > 5 && onlyLetters(low) && ofWords[strings.ToLower(wordAt(s, skipBlank(s, to)))]
}

// isReference reports whether text names a value and is none: a variable, a template, a placeholder, stars.
func isReference(text string) bool {
	switch {
	case strings.Contains(text, "[redacted"), strings.HasPrefix(text, "redacted:"), strings.Contains(text, "${"), strings.Contains(text, "{{"),
		strings.Contains(text, "$("), strings.HasPrefix(text, "--"):
		return true
	case text[0] == '<' || text[0] == '$' && len(text) > 1 && (isWordByte(text[1]) && !(text[1] >= '0' && text[1] <= '9') || text[1] == '_'):
		return !hasDigit(text)
	}
	return strings.Trim(text, "*•.…xX#_-/\\|=>)(&+") == ""
}

func onlyLetters(s string) bool {
	for _, c := range s {
		if !unicode.IsLetter(c) {
			return false
		}
	}
	return s != ""
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }
