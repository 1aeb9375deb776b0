package redact

import (
	"slices"
	"strings"
)

// nameKeywords are what the names of secrets hold. A name with none of them is never looked at.
var nameKeywords = []string{"pass", "pwd", "_pw", "psw", "secret", "token", "key", "credential", "creds", "auth", "mnemonic", "phrase", "salt", "psk",
	"sig", "session", "sessid", "jwt", "bearer"}

// secrecy is how sure a name is to be that of a secret.
type secrecy int

const (
	notSecret  secrecy = iota
	weakName           // a key of some kind: needs a value that a machine drew
	tokenName          // a token: needs a value that a machine drew
	keyName            // a secret or an API key: needs letters and digits, or a value that a machine drew
	phraseName         // the words that open a wallet
	passName           // a password: any value that is not a word of code or prose
)

var (
	passWords   = wordSet("password passwd passphrase psk pwd pw psw pswd pass passcode userpass dbpass")
	secretWords = wordSet("secret secrets credential credentials creds secretkey clientsecret appsecret apisecret")
	keyWords    = wordSet("apikey accesskey authkey privatekey secretkey apitoken authtoken accesstoken accountkey sharedkey signingkey masterkey")
	tokenWords  = wordSet("token jwt authtoken apitoken accesstoken refreshtoken sessiontoken bearer auth authorization pat sessionid sessid phpsessid jsessionid")
	// keyKinds are words before "key" that make it a secret.
	keyKinds = wordSet(`access account activation admin aes api app application auth authentication bot client consumer data deploy
		deployment dev developer ec encrypt encryption ed25519 enc function gpg hash hmac host ingest ingestion instrumentation integration
		internal jwt license live machine management master merchant partner personal pgp private prod production product project
		registration root rsa secret security server service session shared sign signing ssh ssl storage stream subscription team
		test tls tunnel user webhook wallet write`)
	// notBefore are words that make a key or a token something else, if they come before it.
	notBefore = wordSet(`public pub primary foreign sort partition cache hot idx index natural schema sequence map dict object route
		group row column event query list lookup unique composite idempotency translation i18n locale arrow keyboard registry
		next page continuation csrf xsrf authenticity antiforgery verification nonce cancellation cancel syntax lexer lex parse parser input output prompt completion max min
		total cached bpe eos bos pad unk special start end current prev previous num per reasoning read creation field property
		attribute json yaml label metadata tag item entry element node state param bucket s3 file path cookie header config
		setting record doc document message content sitemap site recaptcha publishable anon dedupe dedup hotkey short socket websocket blob incorrect`)
	// notBeforePass are words that make a password a text about one.
	notBeforePass = wordSet(`ask bad check compare empty forgot forgotten generate hide incorrect invalid lost missing need needs no
		prompt require required requires show toggle validate verify wrong`)
	// notAfter are words that make a name that of something about a secret.
	notAfter = wordSet(`id ids name names type types length len size count counts limit limits usage used file files filename path paths dir
		url uri endpoint host port hint label field fields format prefix suffix version expires expiry expiration expired ttl age at on mismatch
		index policy strength reset page form placeholder regex pattern store manager provider service handler helper util utils error
		errors status state kind class validator generator rotation alias algorithms board code frame press pressed ring algorithm alg arn ref
		reference enabled required budget cost price rate percent window total tokens map set list array bytes num max min scope scopes
		issuer audience method methods mode model models group groups schema table column data info details description docs example
		examples test tests spec check checks checker exists valid invalid missing changed updated created builder factory parser
		interceptor middleware guard router config configuration settings options option params param header headers cookie response
		request callback event events listener source sources target space usages user users username email domain action actions
		through word words text title body payload query
		go py js ts tsx jsx rb rs java kt php cpp md txt yml yaml toml html css xml vue key-id keyid stats detail summary level levels command cmd script hook hooks`)
)

// digestWords are what a digest of a secret is called, which opens nothing. That of a password can be guessed from.
var digestWords = wordSet("hash digest checksum fingerprint integrity etag md5 sha1 sha256 sha384 sha512 thumbprint")

// nameSecrecy judges a name.
func nameSecrecy(name string) secrecy {
	w := words(name)
	for i := len(w) - 1; i >= 0; i-- {
		s := wordSecrecy(w, i)
		if s == notSecret {
			continue
		}
		if i+1 < len(w) && (notAfter[w[i+1]] || notAfter[w[len(w)-1]]) {
			return notSecret
		}
		if i+1 < len(w) && s != passName && digestWords[w[len(w)-1]] {
			return notSecret
		}
		if i > 0 && (s <= tokenName && notBefore[w[i-1]] || s == passName && notBeforePass[w[i-1]]) {
			return notSecret
		}
		if s == tokenName && i > 1 && w[i-1] == "key" && w[i-2] == "public" {
			return notSecret // of a .NET assembly
		}
		if rest := w[i+1:]; s <= keyName && (slices.Contains(rest, "pub") || slices.Contains(rest, "public")) {
			return notSecret
		}
		return s
	}
	return notSecret
}

func wordSecrecy(w []string, i int) secrecy {
	switch word := w[i]; {
	case word == "mnemonic", word == "phrase" && i > 0 && (w[i-1] == "seed" || w[i-1] == "recovery"):
		return phraseName
	case passWords[word]:
		return passName
	case secretWords[word], keyWords[word]:
		return keyName
	case word == "key" || word == "keys":
		return keySecrecy(w[:i])
	case tokenWords[word], word == "salt":
		return tokenName
	}
	return compoundSecrecy(w[i])
}

// compoundSecrecy judges a word that ends in the name of a secret: dbpassword, jwtsecret.
func compoundSecrecy(word string) secrecy {
	for _, e := range wordEnds {
		if len(word) > len(e.end) && strings.HasSuffix(word, e.end) && !strings.HasPrefix(word, "no") {
			return e.secrecy
		}
	}
	return notSecret
}

// wordEnds are the ends of words that are written together.
var wordEnds = []struct {
	end     string
	secrecy secrecy
}{
	{"password", passName}, {"passwd", passName}, {"passphrase", passName}, {"secret", keyName}, {"apikey", keyName},
	{"secretkey", keyName}, {"token", tokenName},
}

// keySecrecy judges "key" by the words before it.
func keySecrecy(before []string) secrecy {
	if len(before) == 0 {
		return notSecret
	}
	switch last := before[len(before)-1]; {
	case keyKinds[last], slices.Contains(before, "api"), slices.Contains(before, "secret"):
		return keyName
	case notBefore[last]:
		return notSecret
	}
	return weakName
}
