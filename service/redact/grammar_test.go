package redact

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// grammarCase has texts with tokens that a maker gives out, or gave out, and with tokens that it never did: expressions that
// texts are drawn from.
type grammarCase struct {
	maker      string
	given      []string
	impossible []string
}

const (
	upperLower = `[a-zA-Z0-9]`
	urlSafe    = `[a-zA-Z0-9_-]`
)

var grammarCases = []grammarCase{
	{"HashiCorp Vault", []string{
		"vault_token=hvs[.]" + upperLower + "{24}",                     // root, and tokens that are not consistent over servers
		"export VAULT_TOKEN=hvs[.]" + upperLower + `{24}\.[a-zA-Z]{5}`, // of a namespace
		"VAULT_TOKEN: hvs[.]CAESI" + urlSafe + "{86}",                  // signed message
		"token: hvs[.]CAISI" + urlSafe + "{50}",                        // a piece of one, and of a later version
		"token: hvs[.]" + urlSafe + "{92}",
		"apikey: hvb[.]AAAAAQ[a-zA-Z0-9]{170}",
		"token: hvb[.]" + urlSafe + "{140}",
		"token: hvr[.]" + upperLower + "{24}",
		"token: hvr[.]" + upperLower + "{25}", // copied with a letter too many
	}, []string{
		"apikey: hvs[.][D-Z][a-z][0-9][A-Z]" + upperLower + "{33}",
		"apikey: hvb[.][b-z][A-Z][0-9][A-Z]" + upperLower + "{33}",
		"apikey: hvr[.]" + upperLower + "{45}",
	}},
	{"Docker", []string{
		"docker swarm join --token SWMTKN-1-[0-9a-z]{50}-[0-9a-z]{25} 192[.]0[.]2[.]4:2377",
	}, []string{"docker swarm join --token SWMTKN-1-[0-9A-Z]{50}-[0-9A-Z]{45} 192[.]0[.]2[.]4:2377"}},
	{"PyPI", []string{"password = pypi-AgEIcHlwaS5vcmc" + urlSafe + "{150}", "pypi-AgENdGVzdC5weXBpLm9yZw" + urlSafe + "{120}"},
		[]string{"upload with pypi-[B-Z]" + urlSafe + "{90} and wait"}},
	{"Clojars", []string{"CLOJARS_TOKEN=CLOJARS_[0-9a-f]{60}"}, []string{"use CLOJARS_" + upperLower + "{52} and wait"}},
	{"RubyGems", []string{":rubygems_api_key: rubygems_[0-9a-f]{48}"}, []string{"use rubygems_" + upperLower + "{58} and wait"}},
	{"crates.io", []string{"token = \"cio" + upperLower + "{32}\"", "token: cio_tp_" + upperLower + "{32}"},
		[]string{"see cio" + upperLower + "{44} there"}},
	{"Cisco Meraki", []string{
		"X-Cisco-Meraki-API-Key: [0-9a-f]{40}",
		"meraki_key = '[0-9a-f]{40}'",
		"meraki_token: " + urlSafe + "{43}",                 // of OAuth
		"MERAKI_DASHBOARD_API_KEY=[0-9a-f]{39}",             // a digit is missing
		"meraki_access_token = " + upperLower + "{60}",      // its form is not known
		"MERAKI_PASSWORD=" + upperLower + "{14}",            // a person's
		"meraki_webhook_secret: \"" + upperLower + "{30}\"", // chosen by who sets it up
		"MERAKI_API_KEY=Bearer:[0-9a-f]{40}",
	}, []string{"meraki_token = [0-9a-f]{60}[S-Z][0-9][S-Z]", "meraki_api_key: '[g-z0-9]{32}'"}},
	{"Twitch", []string{
		"TWITCH_STREAM_KEY=live_[1-9][0-9]{7}_[a-z]{2}[0-9]{2}[a-z]{4}[0-9][a-z]{4}[0-9]{2}[a-z]", // as long as that of the documents
		"twitch_stream_key: live_[1-9][0-9]{8}_" + upperLower + "{30}",
		"TWITCH_STREAM_KEY=[1-9][0-9]{8}_" + upperLower + "{30}", // what follows live_ is enough for who knows it
		"TWITCH_PASSWORD=" + upperLower + "{12}",
	}, []string{"TWITCH_STREAM_KEY = \"[1-9][0-9]{8}_" + upperLower + "{22}\""}},
}

func TestWhatAMakerGivesOutGoesAndWhatItCannotStays(t *testing.T) {
	r := newTestRedactor(t)
	draw := rand.New(rand.NewPCG(7, 11))
	for _, c := range grammarCases {
		t.Run(c.maker, func(t *testing.T) {
			for range 20 {
				for _, expr := range c.given {
					text := drawFrom(t, expr, draw)
					if clean, n, err := r.Text(text); err != nil || n == 0 || strings.Contains(clean, lastToken(text)) {
						t.Errorf("%q is left as %q (%v)", text, clean, err)
					}
				}
				for _, expr := range c.impossible {
					text := drawFrom(t, expr, draw)
					if clean, _, err := r.Text(text); err != nil || clean != text {
						t.Errorf("%q becomes %q (%v)", text, clean, err)
					}
				}
			}
		})
	}
}

// lastToken is the last long word of a text.
func lastToken(text string) string {
	last := ""
	for _, w := range strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(" =:\"'", c) }) {
		if len(w) >= 12 {
			last = w
		}
	}
	return last
}

func TestEveryGrammarHasASourceAndBothKindsOfCases(t *testing.T) {
	cases := map[string]grammarCase{}
	for _, c := range grammarCases {
		cases[c.maker] = c
	}
	for _, g := range grammars {
		c := cases[g.maker]
		if g.source == "" || (g.prefix == "") == (g.name == nil) || len(g.forms) == 0 {
			t.Errorf("the grammar of %s %s is not complete", g.maker, g.prefix)
		}
		for kind, texts := range map[string][]string{"given out": c.given, "impossible": c.impossible} {
			if len(texts) == 0 || g.prefix != "" && !strings.Contains(strings.ReplaceAll(strings.Join(texts, "\n"), "[.]", "."), g.prefix) {
				t.Errorf("%s: no case of what is %s behind %q", g.maker, kind, g.prefix)
			}
		}
	}
}
