package redact

import (
	"encoding/base64"
	"fmt"
	"testing"
)

// secretPlaces are places where a secret stands that few look at. Each is given a password or key that a machine drew.
var secretPlaces = map[string]string{
	"short name":                     "ID: bob, PW: %s\n",
	"short name, JSON":               `{"id": "bob", "pw": "%s"}`,
	"German":                         "Das Passwort: %s, bitte nicht weitergeben.",
	"Spanish":                        "La contraseña es %s.",
	"Russian":                        "Пароль: %s\n",
	"Chinese":                        "密码：%s\n",
	"Korean":                         "비밀번호: %s\n",
	"default of a shell":             "PASS=${DB_PASSWORD:-%s}\n",
	"default of a placeholder":       "spring.datasource.password=${db.password:%s}\n",
	"fallback, JavaScript":           "const password = process.env.DB_PASSWORD || '%s';",
	"fallback, Python":               "PASSWORD = os.environ.get('DB_PASSWORD') or \"%s\"",
	"fallback, second argument":      "os.getenv(\"DB_PASSWORD\", \"%s\")",
	"fallback, PHP":                  "$password = getenv('DB_PASSWORD') ?: '%s';",
	"constant of a library":          "curl_easy_setopt(curl, CURLOPT_PASSWORD, \"%s\");",
	"SQL, bare":                      "create user app identified by %s;",
	"HTML":                           "<p>password: &quot;%s&quot;</p>",
	"coloured":                       "\x1b[93mDB_PASSWORD=%s\x1b[0m\n",
	"form":                           `form.append("password", "%s")`,
	"definition":                     "define('DB_PASSWORD', '%s');",
	"member of a key":                `{"kty": "oct", "kid": "a1", "k": "%s"}`,
	"colour before a maker's prefix": "\x1b[93msk-%s\x1b[0m",
}

func TestSecretsInUnusualPlacesAreReplaced(t *testing.T) {
	r := newTestRedactor(t)
	for name, place := range secretPlaces {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(20) {
				secret := newDraw(seed).alnum(24)
				if text := fmt.Sprintf(place, secret); !gone(t, r, text, secret) {
					t.Fatalf("%q is left", text)
				}
			}
		})
	}
}

func TestSecretsThatALineBreakCutsAreReplaced(t *testing.T) {
	r := newTestRedactor(t)
	for _, sep := range []string{"\n", "\r\n", "\n  ", "\\\n", "\n> ", "\n+"} {
		for seed := range uint64(30) {
			text, pieces := brokenToken(newDraw(seed), sep)
			for _, p := range pieces {
				if !gone(t, r, text, p) {
					t.Errorf("%q: %q is left", text, p)
				}
			}
		}
	}
}

func TestSecretsWrappedInBase64AreReplaced(t *testing.T) {
	r := newTestRedactor(t)
	for seed := range uint64(30) {
		d := newDraw(seed)
		for _, inner := range []string{"GITHUB_TOKEN=ghp_" + d.alnum(36), `{"api_key":"` + d.alnum(32) + `"}`, "postgres://app:" + d.alnum(12) + "@db/app"} {
			for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.RawURLEncoding} {
				whole := enc.EncodeToString([]byte(inner))
				if !gone(t, r, "echo "+whole+" | base64 -d", whole) {
					t.Errorf("%q in base64 is left", inner)
				}
			}
		}
	}
}

func TestKeysOverManyLinesAreReplaced(t *testing.T) {
	r := newTestRedactor(t)
	for _, sep := range []string{"\n", "\r\n", `\n`, `\\n`, "\n    ", "\n> ", "\n2026-04-26 12:36:01 ", "\n12\t", "\n|  "} {
		for seed := range uint64(10) {
			text, pieces := pemShape(sep)(newDraw(seed))
			for _, p := range pieces {
				if !gone(t, r, text, p) {
					t.Errorf("%q: %q is left", sep, p)
				}
			}
		}
	}
}

// TestAReadOfAnEnvFileIsClean takes what an agent sees when it reads such a file: plain, with line numbers, as a diff, in JSON.
func TestAReadOfAnEnvFileIsClean(t *testing.T) {
	r := newTestRedactor(t)
	for seed := range uint64(20) {
		d := newDraw(seed)
		secrets := []string{d.password(), d.of("abcdefghijklmnopqrstuvwxyz", 12), d.alnum(32), d.hex(40)}
		for _, form := range []string{
			"HOST=db\nDB_PASSWORD=%s\nSMTP_PASS=%s\nACME_API_KEY=%s\nSESSION_SECRET=%s\n",
			"     1\tDB_PASSWORD=%s\n     2\tSMTP_PASS=%s\n     3\tACME_API_KEY=%s\n     4\tSESSION_SECRET=%s\n",
			"     1→DB_PASSWORD=%s\n     2→SMTP_PASS=%s\n     3→ACME_API_KEY=%s\n     4→SESSION_SECRET=%s\n",
			"+DB_PASSWORD=\"%s\"\n+SMTP_PASS='%s'\n+export ACME_API_KEY=%s\n+SESSION_SECRET=%s # new\n",
			`{"stdout":"DB_PASSWORD=%s\nSMTP_PASS=%s\nACME_API_KEY=%s\nSESSION_SECRET=%s\n","exit":0}`,
			".env:1:DB_PASSWORD=%s\n.env:2:SMTP_PASS=%s\n.env:3:ACME_API_KEY=%s\n.env:4:SESSION_SECRET=%s\n",
		} {
			text := fmt.Sprintf(form, secrets[0], secrets[1], secrets[2], secrets[3])
			for _, s := range secrets {
				if !gone(t, r, text, s) {
					t.Errorf("%q is left in\n%s", s, text)
				}
			}
		}
	}
}
