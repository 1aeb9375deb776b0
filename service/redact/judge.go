package redact

import (
	"slices"
	"strconv"
	"strings"
)

// secret reports whether the value is one, given how sure its name is to be that of a secret.
func (v value) secret(s string, name secrecy) bool {
	text := s[v.from:v.to]
	if strings.Contains(text, `\u`) {
		text = unescapeUnicode(text)
	}
	if v.quote != 0 && strings.ContainsAny(text, " \t") && !joinedLines(text) {
		return name == phraseName && isSeedPhrase(text) || name == passName && v.closed && v.phrase && isPhrase(text)
	}
	if v.argument && v.closed && !endsCall(s, v.to) {
		return false // one of several arguments, and the name does not say which
	}
	if v.listed && randomness(text) != random && !(v.paired && endsCall(s, v.to)) {
		return false
	}
	if len(text) < 4 || isPlaceholder(text) || isOddHex(text) || isCutOff(s, v.to) || isLocation(text) || v.code(s, text) {
		return false
	}
	r := randomness(text)
	drawn := r == random && len(text) >= 16 && !isUUID(text)
	switch {
	case v.prose && (v.quote == 0 && !v.stated || name < keyName):
		return drawn && !holdsHash(text)
	case v.quote != 0 && !v.closed && (r != random || name <= tokenName):
		return false
	case name == passName:
		return v.password(text, r)
	case name == keyName:
		return len(text) >= 8 && r >= mixed && !isDate(text)
	case name == tokenName:
		return r == random && len(text) >= 12 && !isUUID(text)
	}
	return drawn && !holdsHash(text)
}

// password reports whether text, of randomness r, can be a password: with digits and letters; or letters that are no word; or, at
// a place where nothing but a literal can stand, a word that does not stand for something else.
func (v value) password(text string, r int) bool {
	t := traitsOf(text)
	switch {
	case r == random || t.digits > 0 && t.letters > 0:
		return len(text) >= 5 && !isDate(text) && !isTypeName(text)
	case t.letters == 0:
		return t.digits > 0 && len(text) >= 6 && (v.quote != 0 || v.literal || v.setting)
	case len(text) < 6:
		return false
	case isJumble(text, t), v.stated && t.letters >= 8 && (fluency(text) < fluentStated || t.turns > 1):
		return true
	case v.quote != 0 && strings.ContainsAny(text, "!@#$%^&*+=?~") && !strings.ContainsAny(text, "(){}<>"):
		return true
	}
	return !v.verdict && (v.quote != 0 && (!v.prose || v.stated) && !v.listed || v.literal || v.setting) && isPassword(text)
}

// isPassword reports whether letters that a person may have chosen are a password: not the name of something, nor a text for
// people to read.
func isPassword(text string) bool {
	for i := range len(text) {
		if c := text[i]; !isLetter(c) && strings.IndexByte("-_!@#$%^&*+=?~", c) < 0 {
			return false
		}
	}
	all := words(text)
	for _, w := range all {
		if standIns[w] {
			return false
		}
	}
	return len(all) > 0 && !isTypeName(text)
}

// code reports whether a bare value is an expression: a name, a member, a call, an index, a type, a number that a program has.
func (v value) code(s, text string) bool {
	if v.quote != 0 {
		return strings.HasPrefix(text, ".$") // of PHP: what follows the quote is joined to it
	}
	if isCode(text) || isNumber(text) || isPattern(text) {
		return true
	}
	if v.literal || v.stated {
		return false
	}
	open := v.to < len(s) && (s[v.to] == '(' || s[v.to] == '[' || s[v.to] == '{')
	return open || isExpression(text) || isCodeName(text) && !v.setting
}

// isCode reports whether an unquoted value is an expression: a name, a member of something, a type, a keyword.
func isCode(text string) bool {
	if strings.ContainsAny(text, "(){}[]<>$*") && !strings.ContainsAny(text, "0123456789") {
		return true
	}
	if isTypeName(text) || strings.Contains(text, "()") || strings.Contains(text, "::") || strings.Contains(text, "?.") {
		return true
	}
	text = strings.TrimRight(text, "!?")
	if dot := strings.IndexByte(text, '.'); dot >= 0 && dot < len(text)-1 && isIdentifier(text) {
		head, tail := text[:dot], text[dot+1:]
		return randomness(head) == plain && (randomness(tail) != random || isWordy(tail))
	}
	return false
}

// isExpression reports whether text begins like a call, an index or a type: a.Sum(x, os.Args[4], []byte{1.
func isExpression(text string) bool {
	if strings.HasPrefix(text, "[]") || strings.HasPrefix(text, "[") && strings.Contains(text, "]") {
		return true
	}
	open := strings.IndexAny(text, "([{")
	if open <= 0 || strings.Trim(text[:open], "!?&*") == "" {
		return false
	}
	name := strings.Trim(text[:open], "!?&*")
	return isIdentifier(name) && !isDigit(name[0]) && (text[open] == '(' || isWordy(name) || randomness(name) == plain)
}

// isCodeName reports whether text is the name of something in a program: words in camel or snake case and few digits.
func isCodeName(text string) bool {
	digits := 0
	for i := range len(text) {
		switch c := text[i]; {
		case isDigit(c):
			digits++
		case !isLetter(c) && c != '_' && c != '.':
			return false
		}
	}
	parts := words(text)
	return digits*3 <= len(text) && len(parts) > 1 && (isWordy(text) || slices.ContainsFunc(parts, isSecretWord))
}

// isSecretWord reports whether w is what a secret is called, which a program's name for one holds and no secret does.
func isSecretWord(w string) bool {
	return w == "key" || w == "keys" || w == "token" || secretWords[w] || w == "password"
}

// isNumber reports whether text is a number as programs have it: in hexadecimal, of at most 64 bits, or with a point or exponent.
func isNumber(text string) bool {
	if digits, ok := strings.CutPrefix(strings.ToLower(text), "0x"); ok {
		return len(digits) <= 17 && isHex(strings.ReplaceAll(digits, "_", ""))
	}
	if strings.Trim(text, "0123456789.eE+-") != "" || !strings.ContainsAny(text, ".eE") {
		return false
	}
	_, err := strconv.ParseFloat(text, 64)
	return err == nil
}

// endsCall reports whether the string that ends before s[i] is the last argument of a call, or the last of a list.
func endsCall(s string, i int) bool {
	i, _ = skipQuotes(s, i)
	i = skipBlanks(s, i)
	return i == len(s) || s[i] == ')' || s[i] == ']' || s[i] == '}'
}

// unescapeUnicode puts a letter in the place of each \uXXXX, so that what is written in another alphabet is not taken for digits.
func unescapeUnicode(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if i+6 <= len(text) && text[i] == '\\' && text[i+1] == 'u' && isHex(text[i+2:i+6]) {
			if text[i+2:i+4] == "00" && text[i+4] < '8' {
				b.WriteByte('&') // ASCII, which JSON escapes where it is a sign
			} else {
				b.WriteRune('é')
			}
			i += 5
			continue
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// joinedLines reports whether the only white space in text is a line break in a token, with its indentation.
func joinedLines(text string) bool {
	return strings.Count(text, "\n") > 0 && len(strings.Fields(text)) == strings.Count(text, "\n")+1
}

// isPhrase reports whether text is words that a person chose to be a passphrase: four and more, of small letters alone.
func isPhrase(text string) bool {
	fields := strings.Fields(text)
	for _, w := range fields {
		if strings.Trim(w, "abcdefghijklmnopqrstuvwxyz-") != "" {
			return false
		}
	}
	return len(fields) >= 4 && !isPlaceholder(text)
}

// isSeedPhrase reports whether text is the words that open a wallet: a dozen or more, of small letters.
func isSeedPhrase(text string) bool {
	fields := strings.Fields(text)
	for _, w := range fields {
		if len(w) < 3 || len(w) > 8 || strings.Trim(w, "abcdefghijklmnopqrstuvwxyz") != "" {
			return false
		}
	}
	return len(fields) == 12 || len(fields) == 15 || len(fields) == 18 || len(fields) == 21 || len(fields) == 24
}

// isLocation reports whether text is a path or a URL without credentials.
func isLocation(text string) bool {
	if strings.HasPrefix(text, "/") || strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../") || strings.HasPrefix(text, "~/") || len(text) > 2 && text[1] == ':' && text[2] == '\\' {
		return (strings.Count(text, "/")+strings.Count(text, "\\") > 1 || randomness(text) != random) && !isKeyInBase64(text)
	}
	if i := strings.Index(text, "://"); i > 0 {
		return true // findURL judges those
	}
	return false
}

// isKeyInBase64 reports whether text, which begins like a path, is base64 that begins with a slash: of 32 bytes or more, without
// words or digests between the slashes.
func isKeyInBase64(text string) bool {
	text = strings.TrimRight(text, "=")
	if len(text) < 40 || isWordy(text) {
		return false
	}
	for _, part := range strings.FieldsFunc(text, func(c rune) bool { return c == '/' || c == '+' }) {
		if strings.Trim(part, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != "" || len(part) >= 7 && isHex(part) {
			return false
		}
	}
	return true
}

// isDate reports whether text is a date or a time.
func isDate(text string) bool {
	return len(text) >= 8 && len(text) <= 35 && isDigit(text[0]) && isDigit(text[3]) && strings.Count(text, "-")+strings.Count(text, ":") >= 2 && !isUUID(text)
}
