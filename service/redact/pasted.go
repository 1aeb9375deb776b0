package redact

import (
	"strings"
)

// phraseNames come before the words that open a wallet, in small letters.
var phraseNames = []string{"seed phrase", "recovery phrase", "secret phrase", "seed words", "mnemonic", "wiederherstellungsphrase"}

// findSeedPhrase finds those words where no quotation marks say where they end: a dozen and more, of small letters.
func findSeedPhrase(p *pass, _, end int) {
	s := p.s
	i := skipLead(s, end, " \t\r\n:=\"'`*>", []string{"is", "are", "ist"})
	from, to, n := i, i, 0
	for n < 24 {
		j := i
		for j < len(s) && j-i < 6 && strings.IndexByte(" \t\r\n,.)0123456789", s[j]) >= 0 {
			j++
		}
		k := j
		for k < len(s) && isLower(s[k]) {
			k++
		}
		if k-j < 3 || k-j > 8 {
			break
		}
		i, to = k, k
		n++
	}
	if n >= 12 {
		p.found(from, to, "seed-phrase")
	}
}

// skipLead steps over signs, and over one of the words between them.
func skipLead(s string, i int, signs string, words []string) int {
	for range 3 {
		for n := 0; i < len(s) && n < 8 && strings.IndexByte(signs, s[i]) >= 0; n++ {
			i++
		}
		for _, w := range words {
			if strings.HasPrefix(s[i:], w+" ") || strings.HasPrefix(s[i:], w+":") || strings.HasPrefix(s[i:], w+"\n") {
				i += len(w)
				break
			}
		}
	}
	return i
}

// codeNames come before the codes that let one in where the second factor is lost, in small letters.
var codeNames = []string{"recovery code", "backup code", "scratch code", "wiederherstellungscode", "emergency code"}

// findCodes finds three and more such codes in a row.
func findCodes(p *pass, _, end int) {
	s := p.s
	i := end
	for i < len(s) && i-end < 60 && s[i] != '\n' && s[i] != ':' {
		i++
	}
	from, to, n := -1, i, 0
	for n < 32 {
		j := i
		for j < len(s) && j-i < 8 && strings.IndexByte(" \t\r\n,;:*-|`\"'[]", s[j]) >= 0 {
			j++
		}
		k := j
		for k < len(s) && (isAlnum(s[k]) || s[k] == '-' && k > j) {
			k++
		}
		if t := traitsOf(s[j:k]); k-j < 6 || k-j > 24 || t.digits < 2 {
			break
		}
		if from < 0 {
			from = j
		}
		i, to = k, k
		n++
	}
	if n >= 3 {
		p.found(from, to, "recovery-code")
	}
}

// otpNames come before the seed of one-time codes, in small letters.
var otpNames = []string{"totp secret", "otp secret", "otp seed", "2fa secret", "mfa secret", "setup key", "authenticator key", "totp key", "2fa key", "totp seed"}

// findOTP finds such a seed: base32, whole or in groups.
func findOTP(p *pass, _, end int) {
	s := p.s
	from := skipLead(s, end, " \t\r\n:=\"'`*", []string{"is", "ist", "for 2fa"})
	to, n := from, 0
	for i := from; i < len(s) && i-from < 160; i++ {
		c := s[i] &^ 0x20
		if c >= 'A' && c <= 'Z' || s[i] >= '2' && s[i] <= '7' {
			n++
			to = i + 1
		} else if s[i] != ' ' && s[i] != '-' && s[i] != '=' || !isBase32Group(s, i+1) {
			break
		}
	}
	if text := strings.NewReplacer(" ", "", "-", "").Replace(s[from:to]); n >= 16 && (strings.ContainsAny(text, "234567") || len(text) < to-from) && entropy(text) > 2.8 &&
		(strings.ToUpper(text) == text || strings.ToLower(text) == text) {
		p.found(from, to, "otp")
	}
}

// isBase32Group reports whether four characters of base32 are at s[i].
func isBase32Group(s string, i int) bool {
	if i+4 > len(s) {
		return false
	}
	digits, letters := 0, 0
	for _, c := range []byte(s[i : i+4]) {
		switch {
		case c >= '2' && c <= '7':
			digits++
		case c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z':
			letters++
		}
	}
	return digits+letters == 4 && (i+4 == len(s) || !isAlnum(s[i+4]) || digits > 0)
}

// slashLogins come before a user and a password that a slash parts, up to an at sign or a blank, in small letters.
var slashLogins = []string{"oracle:thin:", "oracle:oci:", "sqlplus ", "sqlplus64 "}

// findSlashLogin finds the password there: jdbc:oracle:thin:bob/x@//db.
func findSlashLogin(p *pass, _, end int) {
	s := p.s
	to := end
	for to < len(s) && to-end < 200 && strings.IndexByte(" \t\r\n\"'`@", s[to]) < 0 {
		to++
	}
	slash := strings.IndexByte(s[end:to], '/')
	if slash <= 0 || to == len(s) || s[to] != '@' {
		return
	}
	if v := (value{from: end + slash + 1, to: to, literal: true}); v.from < v.to && v.secret(s, passName) {
		p.found(v.from, v.to, "assigned")
	}
}

// findKeyData finds the key in a kubeconfig.
func findKeyData(p *pass, _, end int) {
	i, _ := skipQuotes(p.s, end)
	i = skipSpaces(p.s, i)
	if i == len(p.s) || p.s[i] != ':' {
		return
	}
	v, ok := value{shell: true}.read(p.s, skipSpaces(p.s, i+1))
	if ok && v.to-v.from >= minKeyMaterial && !isPlaceholder(p.s[v.from:v.to]) {
		p.found(v.from, v.to, "private-key")
	}
}

// findSetx finds what setx gives to the name of a secret.
func findSetx(p *pass, start, end int) {
	args := arguments(p.s, end, lineEnd(p.s, end, 400))
	if start > 0 && isAlnum(p.s[start-1]) || len(args) < 2 {
		return
	}
	v := args[1]
	v.literal = v.quote == 0
	if level := nameSecrecy(p.s[args[0].from:args[0].to]); level != notSecret && v.secret(p.s, level) {
		p.found(v.from, v.to, "assigned")
	}
}
