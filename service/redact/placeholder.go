package redact

import "strings"

// standIns are words that stand where a secret would be. A value that consists of them is none.
var standIns = wordSet(`access admin any api apikey app auth bar basic baz bearer bool boolean change changeit changeme clear client
	credential credentials default demo disabled dummy empty enabled example fake false foo generate get guest hidden here in insert
	invalid key localhost login main masked me missing mock my name nil no none null number object omitted optional pass passphrase
	passwd password placeholder postgres private prompt pwd read redacted removed replace required root sample secret secretkey some
	str string super test testing text the this to todo token true type undefined unset user username value var vault xxx yes you your`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// isPlaceholder reports whether v only stands for a value: a variable, a template, a masked or cut-off text, a sample.
func isPlaceholder(v string) bool {
	return strings.Contains(v, placeholderStart) || isVariable(v) || isMasked(v) || isSequence(v) || isStandIn(v)
}

// isVariable reports whether v is a reference in a shell, a template or a format string.
func isVariable(v string) bool {
	for _, open := range []string{"${", "$(", "{{", "<%", "#{", "%{", "%(", "[%", "$[["} {
		if strings.Contains(v, open) {
			return true
		}
	}
	if v == "" {
		return false
	}
	first, last := v[0], v[len(v)-1]
	switch {
	case first == '<' && last == '>', first == '{' && last == '}', first == '[' && last == ']',
		first == '%' && last == '%' && len(v) > 2, first == '@' && last == '@' && len(v) > 2:
		return true
	case first == '$' && len(v) > 1 && (isLetter(v[1]) || v[1] == '_' || isDigit(v[1]) && len(v) == 2):
		return isIdentifier(v[1:])
	case first == '%' && len(v) <= 3:
		return true
	}
	return false
}

func isIdentifier(v string) bool {
	for i := range len(v) {
		if c := v[i]; !isAlnum(c) && c != '_' && c != '.' && c != '-' && c != ':' {
			return false
		}
	}
	return true
}

// isMasked reports whether v is blanked out or cut off: ****, xxxx, 000000, abc...
func isMasked(v string) bool {
	if strings.Contains(v, "...") || strings.Contains(v, "…") || strings.Contains(v, "***") || strings.Contains(v, "••") {
		return true
	}
	run, longest := 1, 1
	for i := 1; i < len(v); i++ {
		if v[i] == v[i-1] {
			run++
			longest = max(longest, run)
		} else {
			run = 1
		}
	}
	if longest < 4 {
		return false
	}
	low := strings.ToLower(v)
	distinct := map[byte]bool{}
	for i := range len(low) {
		if isAlnum(low[i]) {
			distinct[low[i]] = true
		}
	}
	return longest*2 >= len(v) || strings.Contains(low, "xxxxx") || len(distinct) <= 2
}

// isSequence reports whether v walks along the alphabet or the digits, as made-up values do: abcdefgh, a1b2c3d4, 12345678.
func isSequence(v string) bool {
	return walks(v, isLetter, 8) || walks(v, isDigit, 8)
}

// walks reports whether the characters of one kind in v hold a run of steps of one in one direction, of the given length, or
// half consist of steps of one: in a random string one step in thirteen is such. Where most letters are hexadecimal it is one
// in four, so that there three of four must be.
func walks(v string, kind func(byte) bool, least int) bool {
	last, hex, count, steps, run, longest := byte(0), 0, 0, 0, 1, 1
	direction := 0
	for i := range len(v) {
		if !kind(v[i]) {
			continue
		}
		c := v[i] | 0x20
		if c <= 'f' {
			hex++
		}
		step := int(c) - int(last)
		switch {
		case count == 0 || step != 1 && step != -1:
			run = 1
		case step == direction:
			steps++
			run++
		default:
			steps++
			run = 2
		}
		longest, direction = max(longest, run), step
		last = c
		count++
	}
	if isDigit(last) || hex*4 >= count*3 {
		return longest >= least || count >= 2*least && steps*4 >= count*3
	}
	return longest >= least || count >= least && steps*2 >= count
}

// isStandIn reports whether v consists of words that stand for a value, with numbers and punctuation between.
func isStandIn(v string) bool {
	low := strings.ToLower(v)
	if strings.Contains(low, "example") || strings.Contains(low, "placeholder") || strings.Contains(low, "your-") || strings.Contains(low, "your_") {
		return true
	}
	for _, w := range words(v) {
		if !standIns[strings.TrimRight(w, "0123456789")] && len(w) > 2 {
			return false
		}
	}
	return true
}

// words splits an identifier in any notation into words in lower case: APIKey_v2 is api, key, v2.
func words(v string) []string {
	var out []string
	begin := 0
	cut := func(end int) {
		if end > begin {
			out = append(out, strings.ToLower(v[begin:end]))
		}
	}
	for i := range len(v) {
		c := v[i]
		switch {
		case !isAlnum(c):
			cut(i)
			begin = i + 1
		case i > begin && isUpper(c) && (!isUpper(v[i-1]) || i+1 < len(v) && isLower(v[i+1])):
			cut(i)
			begin = i
		}
	}
	cut(len(v))
	return out
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
