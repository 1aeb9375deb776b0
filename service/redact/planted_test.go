package redact

import (
	"fmt"
	"strings"
	"testing"
)

// plantedPlaces are where secrets were found to pass. %s is the place of one that a machine drew.
// secretPlace is a text that %s stands in, and what makes it.
type secretPlace struct {
	place string
	make  func(d draw) string
}

// replacesAll asks of many secrets of each place that nothing of them is left.
func replacesAll(t *testing.T, places map[string]secretPlace) {
	r := newTestRedactor(t)
	for name, c := range places {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(20) {
				secret := c.make(newDraw(seed))
				if text := fmt.Sprintf(c.place, secret); !gone(t, r, text, secret) {
					t.Fatalf("%q is left", text)
				}
			}
		})
	}
}

var plantedPlaces = map[string]secretPlace{
	"npmrc, UUID":       {"//registry.npmjs.org/:_authToken=%s\n", draw.uuid},
	"npmrc, login":      {"//npm.acme.io/:_auth=%s\n", func(d draw) string { return d.alnum(24) + "==" }},
	"coloured name":     {"\x1b[32mAPI_KEY\x1b[0m=\x1b[33m%s\x1b[0m\n", func(d draw) string { return d.alnum(32) }},
	"coloured, escaped": {`{"out":"\u001b[36mAPI_KEY\u001b[0m=%s\u001b[0m"}`, func(d draw) string { return d.alnum(32) }},
	"coloured, grep":    {"\x1b[1;31mDB_PASSWORD\x1b[m\x1b[K=%s\n", func(d draw) string { return d.alnum(14) }},
	"shadow":            {"root:$6$%s:19000:0:99999:7:::\n", func(d draw) string { return d.alnum(16) + "$" + d.alnum(86) }},
	"shadow, yescrypt":  {"bob:$y$j9T$%s:19000:0:99999:7:::\n", func(d draw) string { return d.alnum(22) + "$" + d.alnum(43) }},
	"htpasswd":          {"bob:$apr1$%s\n", func(d draw) string { return d.alnum(8) + "$" + d.alnum(22) }},
	"salt":              {"SALT=%s\n", func(d draw) string { return d.alnum(32) }},
	"salt, WordPress":   {"define('AUTH_SALT', '%s');", func(d draw) string { return d.alnum(64) }},
	"passphrase":        {"PASSPHRASE=%s\n", func(d draw) string { return d.alnum(12) }},
	"passphrase, words": {"PASSPHRASE=\"%s\"\n", func(d draw) string { return d.of("bcdfglmnprst", 6) + " river " + d.of("aeioulmn", 7) + " candle" }},
	"Slack without scheme": {"post to hooks.slack.com/services/%s please", func(d draw) string {
		return "T0" + d.of("ABCDEFGH123", 7) + "/B0" + d.of("ABCDEFGH123", 8) + "/" + d.alnum(24)
	}},
	"Discord":    {"discord.com/api/webhooks/%s", func(d draw) string { return "1" + d.of("0123456789", 17) + "/" + d.alnum(68) }},
	"here it is": {"here it is: %s", func(d draw) string { return d.alnum(40) }},
	"token":      {"token:\n%s\n", func(d draw) string { return d.alnum(40) }},
	"token, hex": {"the token: %s", func(d draw) string { return d.hex(40) }},
}

func TestPlantedSecretsAreReplaced(t *testing.T) {
	replacesAll(t, plantedPlaces)
}

func TestATokenWithInvisibleCharactersIsReplaced(t *testing.T) {
	r := newTestRedactor(t)
	for _, veil := range []string{"\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad"} {
		secret := newDraw(3).alnum(36)
		text := "my key gh" + "p_" + secret[:11] + veil + secret[11:20] + veil + secret[20:] + " works"
		clean, _, err := r.Text(text)
		if err != nil || strings.Contains(clean, secret[:9]) || strings.Contains(clean, secret[12:19]) || strings.Contains(clean, secret[24:]) || !strings.HasSuffix(clean, " works") {
			t.Errorf("%q: %q, %v", veil, clean, err)
		}
	}
	if text := "zero\u200bwidth and soft\u00adhyphen"; !stays(t, r, text) {
		t.Errorf("%q was changed", text)
	}
}

func stays(t *testing.T, r *Redactor, text string) bool {
	t.Helper()
	clean, _, err := r.Text(text)
	return err == nil && clean == text
}

func TestTheTailOfAKeyIsReplaced(t *testing.T) {
	r := newTestRedactor(t)
	for _, sep := range []string{"\n", "\r\n", `\n`, "\n    ", "\n> "} {
		d := newDraw(5)
		lines := []string{d.of(base64All, 64), d.of(base64All, 64), d.of(base64All, 30) + "=="}
		text := "Output too long, showing the end:" + sep + strings.Join(lines, sep) + sep + "-----END RSA PRIVATE KEY-----" + sep + "done"
		for _, l := range lines {
			if !gone(t, r, text, l) {
				t.Errorf("%q: %q is left", sep, l)
			}
		}
		if clean, _, _ := r.Text(text); !strings.HasPrefix(clean, "Output too long, showing the end:") || !strings.HasSuffix(clean, "done") {
			t.Errorf("too much is gone: %q", clean)
		}
	}
	if text := "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n-----END PRIVATE KEY-----"; !stays(t, r, text) {
		t.Errorf("%q was changed", text)
	}
}
