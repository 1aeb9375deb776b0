package redact

import (
	"encoding/hex"
	"strings"
)

// standIns are words that stand where a secret would be. A value that consists of them is none.
var standIns = wordSet(`absent access add admin all another any api apikey app auth auto available bad bar basic baz bearer blank bool
	boolean bytes change changed changeit changeme char character characters chars check clear client column compat confirm confirmation correct
	credential credentials current custom data database default demo dev development different disabled docker dummy email empty enabled
	encoded encrypted enter env environment error example expected expired external failed fake false field file fill foo for forgot
	forgotten form from function generate generated get given good guest hash hashed have here hidden hide host hunter2 ignore ignored
	incorrect input insert internal invalid key keychain keyring label length local localhost login long mail main manual mariadb masked
	match matches max maximum me min minimum mismatch missing mock mongo mongodb must my mysql name needed new nil no none not null number
	object off old omitted only optional oracle original other own parameter pass passphrase passwd password passwords phone placeholder
	plain plaintext please postgres postgresql present private prod production prompt prompted property protected provided pwd rabbitmq
	random raw read reader redacted redis remove removed repeat replace replaced required reset root salt same sample save schema secret
	secretkey secrets secure server service session set short show sign simple some stdin stored str string strong strings strip stripped
	submit success super switch template temp temporary test testing text the this to todo token true type unchanged undefined unknown
	unset update updated user username users valid validate validation validator value values var vault verified verify visible weak with
	wrong write xxx yes you your adgangskode contrasena geheim haslo heslo jelszo kennwort lozinka motdepasse parola passwort salasana
	senha sifre wachtwoord`)

// joiners are what may come between stand-ins that are written as one word.
var joiners = wordSet("my is db to in of a an i it no or the")

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// isPlaceholder reports whether v only stands for a value: a variable, a template, a masked or cut-off text, a sample.
func isPlaceholder(v string) bool {
	return strings.Contains(v, placeholderStart) || isVariable(v) || isPattern(v) || isMasked(v) || isSequence(v) || isStandIn(v)
}

// references are how a shell, a template or a format string begins and ends the name of something.
var references = []struct{ open, shut string }{
	{"${", "}"}, {"$(", ")"}, {"{{", "}}"}, {"<%", "%>"}, {"#{", "}"}, {"%{", "}"}, {"%(", ")s"}, {"[%", "%]"}, {"$[[", "]]"},
}

// patternMarks are in regular expressions and in the sequences that colour a terminal.
var patternMarks = []string{"[a-z", "[A-Z", "[a-f", "[A-F", "[0-9", `\d+`, `\w+`, `\S+`, "(?:", "(?i)", `\x1b[`, `\033[`, `\e[`, "\x1b["}

// isPattern reports whether v describes other texts, or is no text.
func isPattern(v string) bool {
	for _, m := range patternMarks {
		if strings.Contains(v, m) {
			return true
		}
	}
	return false
}

// isVariable reports whether v is a reference in a shell, a template or a format string.
func isVariable(v string) bool {
	for _, r := range references {
		if _, rest, ok := strings.Cut(v, r.open); ok && (strings.Contains(rest, r.shut) || isIdentifier(rest)) {
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
	return walks(v, isLetter, 8) || walks(v, isDigit, 8) || len(v) >= 4 && isRun(v) || len(v) >= 16 && isByteRun(v)
}

// isRun reports whether v is nothing but steps of one in one direction: 123456, fedcba.
func isRun(v string) bool {
	for i := 1; i < len(v); i++ {
		if step := int(v[i]) - int(v[i-1]); step != 1 && step != -1 || step != int(v[1])-int(v[0]) {
			return false
		}
	}
	return true
}

// isByteRun reports whether v is bytes in hexadecimal that are equally far from each other, as in the keys of test vectors: 00010203,
// 00112233.
func isByteRun(v string) bool {
	raw, err := hex.DecodeString(v)
	if err != nil {
		return false
	}
	for i := 1; i < len(raw); i++ {
		if raw[i]-raw[i-1] != raw[1]-raw[0] {
			return false
		}
	}
	return true
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
	if strings.ContainsAny(v, "!@#$%^&*") && strings.ContainsAny(v, "0123456789") {
		return false // as one makes a password of a word where a sign and a digit are demanded
	}
	letters, known := 0, 0
	for _, w := range words(v) {
		w, digits := strings.TrimRight(w, "0123456789"), len(w)
		letters += len(w)
		switch {
		case standIns[w], isCompound(w):
			known += len(w)
		case digits > 2:
			return false
		}
	}
	return known*2 >= letters
}

// isCompound reports whether w is stand-ins written as one word: yourpassword, thisismysecret.
func isCompound(w string) bool {
	if len(w) < 6 || len(w) > 40 {
		return false
	}
	var ends [41]bool // ends[i]: w[:i] is such words
	ends[0] = true
	for i := range len(w) {
		for j := i + 1; ends[i] && j <= len(w); j++ {
			piece := w[i:j]
			ends[j] = ends[j] || len(piece) >= 3 && standIns[piece] || joiners[piece]
		}
	}
	return ends[len(w)]
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
