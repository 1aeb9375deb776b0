package redact

import (
	"regexp"
	"slices"
	"strings"
)

// grammar is what one maker's documents or published programs say of all credentials of one kind: a text that claims to be one and cannot
// be is none. A form is rather too wide than too narrow: what any scanner's rule for the maker takes is taken here too, and what a
// person chose, such as a password behind the maker's name, is never judged.
type grammar struct {
	maker, source string
	prefix        string                // of the token; or
	name          func() *regexp.Regexp // of what the token is assigned to
	forms         []form
}

// form is one form of a credential, of today or of before. Behind a prefix it is that of the rest.
type form struct {
	begins      string
	alphabet    *[256]bool
	least, most int // of all, in bytes
}

// slip is by how many bytes a credential may be too long or too short, and how many may be of another alphabet, so that one that
// was copied or typed with a mistake still counts as one.
const slip = 2

// anyLength is the most of forms whose maker sets no limit.
const anyLength = 1 << 20

var (
	hexBody    = alphabetOf("0123456789abcdefABCDEF")
	base36Body = alphabetOf("0123456789abcdefghijklmnopqrstuvwxyz-")
)

// grammars are all that is known. A Vault token is 24 characters, with its namespace behind a dot, or a message of at least 70 that
// begins with its version; a piece of such a message counts too, because the rest of it may stand elsewhere. Of what Meraki's OAuth gives
// out nothing is published: names that say access or refresh token are not here, and a token may be as long as its ids are, 43. A Twitch
// key without the word before it opens the channel for who knows the word, so it counts when it is as long as today's are.
var grammars = []grammar{
	{maker: "HashiCorp Vault", prefix: "hvs.", source: "developer.hashicorp.com/vault/docs/concepts/tokens; vault/tokens/token.proto",
		forms: []form{{"", alnumBody, 24, 24}, {"CA", baseBody, 2, anyLength}, {"", baseBody, 70, anyLength}}},
	{maker: "HashiCorp Vault", prefix: "hvb.", source: "developer.hashicorp.com/vault/docs/concepts/tokens; vault/barrier_aes_gcm.go",
		forms: []form{{"", alnumBody, 24, 24}, {"AAAA", baseBody, 4, anyLength}, {"", baseBody, 70, anyLength}}},
	{maker: "HashiCorp Vault", prefix: "hvr.", source: "developer.hashicorp.com/vault/docs/concepts/tokens",
		forms: []form{{"", alnumBody, 24, 24}}},
	{maker: "Docker", prefix: "SWMTKN-1-", source: "moby/swarmkit: ca/config.go", forms: []form{{"", base36Body, 76, 76}}},
	{maker: "PyPI", prefix: "pypi-", source: "pypi.org/help#apitoken; warehouse: macaroons of version 2", forms: []form{{"Ag", baseBody, 2, anyLength}}},
	{maker: "Clojars", prefix: "CLOJARS_", source: "clojars-web: src/clojars/db.clj", forms: []form{{"", alnumBody, 60, 60}}},
	{maker: "RubyGems", prefix: "rubygems_", source: "rubygems.org: app/controllers/concerns/api_keyable.rb", forms: []form{{"", alnumBody, 48, 48}}},
	{maker: "crates.io", prefix: "cio", source: "crates.io: src/utils/token.rs", forms: []form{{"", alnumBody, 32, 32}, {"_tp_", wordBody, 36, 36}}},
	{maker: "Cisco Meraki", source: "developer.cisco.com/meraki/api-v1/authorization; PSMeraki: Set-MrkRestApiKey",
		name:  lazyRegexp(`(?i)(^|[^a-z])meraki[-_. ]?(dashboard[-_. ]?)?(api[-_. ]?)?(key|token)$`),
		forms: []form{{"", hexBody, 40, 40}, {"", wordBody, 43, 43}}},
	{maker: "Twitch", source: "dev.twitch.tv/docs/api/reference/#get-stream-key",
		name:  lazyRegexp(`(?i)twitch[-_. ]?(live[-_. ]?)?stream[-_. ]?key$`),
		forms: []form{{"live_", wordBody, 16, anyLength}, {"", wordBody, 39, anyLength}}},
}

// breaksGrammar reports whether the maker whom s[f.from:f.to] names, or whom its name names, gives out nothing like it.
func breaksGrammar(s string, f finding) bool {
	text := strings.Join(strings.Fields(s[f.from:f.to]), "")
	for i := range grammars {
		g := &grammars[i]
		switch {
		case g.prefix != "":
			if body, ok := strings.CutPrefix(text, g.prefix); ok {
				return !g.holds(body)
			}
		case onlyOf(text, wordBody) && g.name().MatchString(nameBefore(s, f.from)):
			return !g.holds(text)
		}
	}
	return false
}

// followsGrammar reports whether body, behind a prefix that no word begins with, is as long and of the letters that its maker says, so that
// it was drawn even where its letters look like words.
func followsGrammar(prefix, body string) bool {
	if len(prefix) < 6 || entropy(body) < 3 {
		return false
	}
	for _, g := range grammars {
		if g.prefix == prefix {
			return slices.ContainsFunc(g.forms, func(f form) bool { return f.least == f.most && f.fits(body, 0) })
		}
	}
	return false
}

// holds reports whether one of the forms is that of text, or of what stands before its last dot.
func (g *grammar) holds(text string) bool {
	head, _, dotted := cutLast(text, ".")
	return slices.ContainsFunc(g.forms, func(f form) bool { return f.holds(text) || dotted && f.holds(head) })
}

// holds reports whether text has this form, or would have it without a slip.
func (f form) holds(text string) bool { return f.fits(text, slip) }

// fits reports whether text has this form with so many slips.
func (f form) fits(text string, slip int) bool {
	if !strings.HasPrefix(text, f.begins) || len(text) < f.least-slip || len(text) > f.most+slip {
		return false
	}
	foreign := 0
	for i := range len(text) {
		if !f.alphabet[text[i]] {
			foreign++
		}
	}
	return foreign <= slip
}

// onlyOf reports whether text has no byte of another alphabet.
func onlyOf(text string, alphabet *[256]bool) bool {
	for i := range len(text) {
		if !alphabet[text[i]] {
			return false
		}
	}
	return true
}

// cutLast is strings.Cut around the last sep.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

func alphabetOf(members string) *[256]bool {
	var set [256]bool
	for i := range len(members) {
		set[members[i]] = true
	}
	return &set
}
