package memory

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// statedBefore reads a value whose role is said behind it: "x as the password", "x is the root password", "nimm x als Passwort".
// The name begins at s[start].
func statedBefore(s string, start int) (Stated, bool) {
	at := start
	for at > 0 && start-at < maxQualifier && (isWordByte(s[at-1]) || s[at-1] == '-' || s[at-1] == '_') {
		at-- // root-password, Datenbankpasswort
	}
	at = skipArticles(s, at)
	role := wordBefore(s, at)
	asian := strings.HasSuffix(s[:at], "作为") || strings.HasSuffix(s[:at], "當作") || strings.HasSuffix(s[:at], "当")
	if !roleWords[role] && !asian {
		return Stated{}, false
	}
	to := trimBlank(s, at)
	if asian {
		to -= len("当")
		if strings.HasSuffix(s[:at], "作为") || strings.HasSuffix(s[:at], "當作") {
			to = at - len("作为")
		}
	} else {
		to = trimBlank(s, to-len(role))
	}
	return backStated(s, to, role)
}

// backStated reads the value that ends at s[to], before a word of its role.
func backStated(s string, to int, role string) (Stated, bool) {
	v := Stated{To: to, Sign: false, Clause: true}
	if to == 0 {
		return v, false
	}
	if c := s[to-1]; c == '"' || c == '\'' || c == '`' {
		from := strings.LastIndexByte(s[max(0, to-1-maxStatedValue):to-1], c)
		if from < 0 {
			return v, false
		}
		v.From, v.To, v.Quoted = max(0, to-1-maxStatedValue)+from+1, to-1, true
		return v, v.To > v.From && strings.IndexByte(s[v.From:v.To], '\n') < 0
	}
	from := to
	for from > 0 && to-from < maxStatedValue && s[from-1] > ' ' && s[from-1] < utf8.RuneSelf {
		from--
	}
	for from < to && strings.IndexByte("\"'`(*", s[from]) >= 0 {
		from++
	}
	v.From = from
	if from == to || isReference(s[from:to]) || isOrdinary(s, to, s[from:to]) {
		return v, false
	}
	if begins := trimBlank(s, from); role != "as" && role != "als" && role != "comme" && role != "como" && begins > 0 &&
		strings.IndexByte(".,;:!?\n\"'(", s[begins-1]) < 0 {
		v.Beside = true // "the problem is the password"
	}
	return v, true
}

// statedLogin reads the password behind a user and a sign: "login with bob / x", "creds: bob:x". The word for it ends at s[i].
func statedLogin(s string, i int) (Stated, bool) {
	for n := 0; i < len(s) && n < 4 && isWordByte(s[i]); n++ {
		i++
	}
	if i == len(s) || strings.IndexByte(" \t:=(", s[i]) < 0 && s[i] < utf8.RuneSelf {
		return Stated{}, false
	}
	words := 0
	for words < 8 {
		i = skipBlank(s, i)
		for i < len(s) && strings.IndexByte(":=(", s[i]) >= 0 || strings.HasPrefix(s[min(i, len(s)):], "：") {
			_, n := utf8.DecodeRuneInString(s[i:])
			i = skipBlank(s, i+n)
		}
		from, to, _, ok := readStated(s, i)
		if !ok {
			return Stated{}, false
		}
		user := s[from:to]
		if n := strings.IndexAny(user, ":/"); n > 0 {
			return joinedLogin(s, i, from+n, to)
		}
		if !isUser(user) {
			return Stated{}, false
		}
		if j := skipBlank(s, to); j > to && j+2 < len(s) && (s[j] == '/' || s[j] == '|') && s[j+1] == ' ' {
			return pairedWith(s, user, j+1)
		}
		if to < len(s) && s[to] == '\n' || to == len(s) {
			return Stated{}, false
		}
		if to == i {
			to++
		}
		i = to
		words++
	}
	return Stated{}, false
}

// joinedLogin is the password in a user and a password that the sign at s[at] parts: "creds: bob:x". They begin at s[i] and end at s[to].
func joinedLogin(s string, i, at, to int) (Stated, bool) {
	v := Stated{From: at + 1, To: to, Sign: true, Clause: true}
	text := s[v.From:v.To]
	leads := signBefore(s, i) || s[at] == ':' && roleOrCue(wordBefore(s, i)) || hasDigit(text) && roleOrCue(wordBefore(s, i))
	return v, leads && len(text) > 2 && !strings.ContainsAny(text, "/:") && !isReference(text) && !isOrdinary(s, to, text)
}

func roleOrCue(w string) bool { return roleWords[w] || cueWords[w] || stateWords[w] }

// isUser reports whether text can be a user, or a word on the way to one.
func isUser(text string) bool {
	for i := range len(text) {
		if c := text[i]; !isWordByte(c) && c < utf8.RuneSelf && strings.IndexByte("@._-+", c) < 0 {
			return false
		}
	}
	return true
}

// signBefore reports whether a colon or an equals sign leads to s[i].
func signBefore(s string, i int) bool {
	i = trimBlank(s, i)
	return i > 0 && (s[i-1] == ':' || s[i-1] == '=') || strings.HasSuffix(s[:i], "：")
}

// pairedWith is the password behind the sign that ends at s[i], of a user.
func pairedWith(s, user string, i int) (Stated, bool) {
	from, to, quoted, ok := readStated(s, skipBlank(s, i))
	if !ok || !quoted && (isReference(s[from:to]) || isOrdinary(s, to, s[from:to])) {
		return Stated{}, false
	}
	first, _ := utf8.DecodeRuneInString(user)
	word := s[from:to]
	if unicode.IsUpper(first) && onlyLetters(word) {
		return Stated{}, false // Google / GitHub
	}
	return Stated{From: from, To: to, Quoted: quoted, Sign: true, Clause: true}, true
}

// quotePairs are marks around a value.
var quotePairs = []struct{ open, shut string }{
	{"**", "**"}, {"\\\"", "\\\""}, {"\"", "\""}, {"'", "'"}, {"```", "```"}, {"`", "`"}, {"“", "”"}, {"„", "“"}, {"„", "”"}, {"«", "»"}, {"‘", "’"}, {"‚", "‘"}, {"「", "」"}, {"『", "』"},
}

// readStated reads the value at s[i]: what is in quotation marks, else up to the next space.
func readStated(s string, i int) (from, to int, quoted, ok bool) {
	for _, q := range quotePairs {
		if !strings.HasPrefix(s[i:], q.open) {
			continue
		}
		begin := i + len(q.open)
		rest := s[begin:min(len(s), begin+maxStatedValue)]
		if n := strings.Index(rest, q.shut); n > 0 {
			inner := strings.Trim(rest[:n], " \n")
			if inner == "" || strings.Contains(inner, "\n") || isReference(inner) {
				return 0, 0, true, false
			}
			begin += strings.Index(rest, inner)
			return begin, begin + len(inner), true, true
		}
	}
	for i < len(s) && strings.IndexByte("\"'`(*[", s[i]) >= 0 {
		i++
	}
	to = i
	for to < len(s) && to-i < maxStatedValue {
		c, n := utf8.DecodeRuneInString(s[to:])
		if c <= ' ' || c == '"' || c == '`' || c == '<' && to > i || n == 3 && isAsian(c) || c == '…' || c == '”' || c == '»' || unicode.IsSpace(c) {
			break
		}
		if c == '\\' && to+1 < len(s) && strings.IndexByte("nrt\"", s[to+1]) >= 0 {
			break
		}
		to += n
	}
	for to > i && strings.IndexByte(".,;:)]'*", s[to-1]) >= 0 {
		to--
	}
	return i, to, false, to > i
}

// isAsian reports whether c is of a script without spaces, or one of its marks.
func isAsian(c rune) bool {
	return c >= 0x3000 && c <= 0x9fff || c >= 0xac00 && c <= 0xd7ff || c >= 0xff00 && c <= 0xffef
}

// endsClause reports whether the sentence, or a part of it, ends at s[i].
func endsClause(s string, i int) bool {
	i = min(i, len(s))
	for i < len(s) && strings.IndexByte("\"'`*)]", s[i]) >= 0 {
		i++
	}
	rest := strings.TrimLeft(s[i:min(len(s), i+12)], " ")
	if rest == "" {
		return true
	}
	c, _ := utf8.DecodeRuneInString(rest)
	return strings.ContainsRune(".,;:!?\n\r\\)|。，；", c)
}

func skipBlank(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	return i
}

// skipLineEnd is skipBlank that steps over the end of a line and a blank one too.
func skipLineEnd(s string, i int) int {
	lines := 0
	for i < len(s) && (s[i] == ' ' || s[i] == '\t' || s[i] == '\r' || s[i] == '\n' && lines < 2) {
		if s[i] == '\n' {
			lines++
		}
		i++
	}
	return i
}

// skipNameMarks steps over what closes the marks around a name.
func skipNameMarks(s string, i int) int {
	for n := 0; i < len(s) && n < 4 && strings.IndexByte("*_`\"'\\", s[i]) >= 0; n++ {
		i++
	}
	if strings.HasPrefix(s[i:], "”") {
		i += len("”")
	}
	return i
}

func trimBlank(s string, i int) int {
	for i > 0 && (s[i-1] == ' ' || s[i-1] == '\t') {
		i--
	}
	return i
}

// wordAt is the word of letters that begins at s[i].
func wordAt(s string, i int) string {
	j := i
	for j < len(s) && j-i < 24 {
		c, n := utf8.DecodeRuneInString(s[j:])
		if !unicode.IsLetter(c) {
			break
		}
		j += n
	}
	return s[i:j]
}

// wordBefore is the word of letters that ends at s[i], blanks aside, in small letters.
func wordBefore(s string, i int) string {
	i = trimBlank(s, i)
	j := i
	for j > 0 && i-j < 24 {
		c, n := utf8.DecodeLastRuneInString(s[:j])
		if !unicode.IsLetter(c) {
			break
		}
		j -= n
	}
	return strings.ToLower(s[j:i])
}

// skipArticles is where the articles and the like before s[i] begin.
func skipArticles(s string, i int) int {
	for range 4 {
		w := wordBefore(s, i)
		if !articleWords[w] {
			break
		}
		i = trimBlank(s, i) - len(w)
	}
	return i
}
