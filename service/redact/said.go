package redact

import (
	"strings"

	"dormouse/store/memory"
)

// findSaid finds the secrets that sentences state: "use the password x", "password for bob: x", 密码是x. Its places are those of
// memory.EachStated; what stands there must look like a secret to go, since here the text is all there is and prose about passwords is common.
func findSaid(p *pass) {
	memory.EachStated(p.s, func(v memory.Stated) {
		if saidSecret(p.s, v) {
			p.found(v.From, v.To, "assigned")
		}
	})
}

// saidSecret reports whether a stated value looks like a secret.
func saidSecret(s string, v memory.Stated) bool {
	text := s[v.From:v.To]
	if len(text) < 5 || isPlaceholder(text) || isCutOff(s, v.To) || isLocation(text) || isDate(text) || isPattern(text) || isNumber(text) || isTypeName(text) {
		return false
	}
	if v.Inner && (v.Key || v.Sign || v.Beside) {
		return false // a program's name, which findAssigned judges
	}
	if v.Quoted && strings.ContainsAny(text, " \t") || strings.ContainsAny(text, "(){}[]<>;|") || strings.Contains(text, "::") {
		return false
	}
	r, t := randomness(text), traitsOf(text)
	switch {
	case v.Key:
		return !v.Beside && saidKey(text, r, t)
	case v.Short && (v.Beside && !v.Cued || v.Sign):
		return false // code: pass: x
	}
	return saidPassword(text, r, t, v)
}

// saidKey reports whether text, of randomness r, looks like a key or a token.
func saidKey(text string, r int, t traits) bool {
	switch {
	case isUUID(text), isOddHex(text), isCode(text), isCodeName(text):
		return false
	case r == random:
		return len(text) >= 10
	}
	return r == mixed && len(text) >= 8 && t.turns >= 3 && !isHash(text)
}

// algorithms are words with digits that sentences about passwords have.
var algorithms = wordSet(`oauth oauth2 oidc saml2 sha sha1 sha256 sha512 md5 md4 bcrypt bcrypt2 argon2 argon2i argon2id argon2d pbkdf2 scrypt base64 base32
	utf8 utf16 ascii 2fa mfa totp hs256 rs256 es256 aes256 aes128 rsa2048 ed25519 x509 pkcs1 pkcs8 pkcs12 http2 1password keepass2 ntlmv2 crypt3 blake2b
	crc32 ipv4 ipv6 python3 log4j web3 auth0 route53 s3 k8s`)

// saidPassword reports whether text, of randomness r, looks like a password that a person chose.
func saidPassword(text string, r int, t traits, v memory.Stated) bool {
	signs := strings.ContainsAny(strings.Trim(text, "!?.*_-&"), "!@#$%^&*+=?~") || len(text) > 1 && strings.HasSuffix(text, "!") && t.digits > 0
	low := strings.ToLower(text)
	switch {
	case algorithms[low], isCode(text), segments(text) && t.hex:
		return false
	case v.Beside && !v.Cued && !v.Quoted:
		return t.letters > 0 && t.digits > 0 && (signs || r == random || t.turns > 1) && !isCodeName(text)
	case t.letters > 0 && t.digits > 0:
		return !isCodeName(text) || v.Quoted || t.digits > 1
	case t.letters == 0:
		return !v.Beside && t.digits >= 6 && t.others < t.digits
	case signs, isJumble(text, t):
		return true
	case v.Beside:
		return v.Quoted && v.Cued && isPassword(text)
	case v.Quoted:
		return isPassword(text) && len(text) >= 6
	}
	return v.Clause && len(text) >= 6 && isLower(text[0]) && isPassword(text) && !adverb(low)
}

// adverb reports whether a word, by its end, is likely one that says how something is.
func adverb(word string) bool {
	for _, e := range []string{"ly", "ed", "ing", "able", "ible", "ive", "less", "ful", "ous", "ent", "ant", "al", "ic", "lich", "bar", "ig"} {
		if strings.HasSuffix(word, e) {
			return true
		}
	}
	return false
}
