package main

import (
	"encoding/base64"
	"fmt"
	"strings"

	"dormouse/service/redact"
)

// generatedCases makes n secrets, each in a place where one stands, and n harmless texts: the same for the same seed. Makers' forms
// are as they publish them, and no rule of the product is asked.
func generatedCases(n int, seed uint64) []redact.Case {
	d := newDrawn(seed)
	var out []redact.Case
	for i := range n {
		c := d.secretCase()
		c.ID = fmt.Sprintf("s%d", i)
		out = append(out, c)
	}
	for i := range n {
		kind := harmlessKinds[i%len(harmlessKinds)]
		out = append(out, redact.Case{ID: fmt.Sprintf("h%d", i), Family: kind, Harmless: true, Text: d.fill(d.pick(harmlessForms[kind]))})
	}
	return out
}

// secretCase draws a secret: half of them keys and tokens, a third passwords, the rest in blocks, encoded or broken.
func (d drawn) secretCase() redact.Case {
	switch d.IntN(6) {
	case 0, 1, 2:
		m := makers[d.IntN(len(makers))]
		places := keyPlaces
		if m.bare && d.IntN(3) == 0 {
			places = barePlaces
		}
		s := d.fill(m.form)
		return redact.Case{Family: m.family, Text: place(d.pick(places), s), Secret: s}
	case 3, 4:
		p := passwordForms[d.IntN(len(passwordForms))]
		places := passwordPlaces
		if !strings.Contains(p.form, "{s") && !strings.Contains(p.form, "!") && d.IntN(2) == 0 {
			places = plainPlaces
		}
		s := d.fill(p.form)
		return redact.Case{Family: p.family, Text: place(d.pick(places), s), Secret: s}
	}
	return d.blockCase()
}

func place(where, secret string) string { return strings.Replace(where, "%s", secret, 1) }

// blockCase draws a secret that is more than a word: a private key in one of the ways that it is written, a file in base64, a token that
// a line's end cuts.
func (d drawn) blockCase() redact.Case {
	lines := []string{d.fill("{B64}"), d.fill("{B64}"), d.fill("{B64}"), d.fill("{B40}==")}
	pem := func(sep string) string {
		return "-----BEGIN PRIVATE KEY-----" + sep + strings.Join(lines, sep) + sep + "-----END PRIVATE KEY-----"
	}
	switch d.IntN(7) {
	case 0:
		return redact.Case{Family: "key block", Text: "$ cat key.pem\n" + pem("\n") + "\n", Secret: lines[1]}
	case 1:
		return redact.Case{Family: "key block, escaped", Text: `{"private_key": "` + pem(`\n`) + `\n"}`, Secret: lines[1]}
	case 2:
		return redact.Case{Family: "key block, indented", Text: "tls:\n  key: |\n    " + pem("\n    ") + "\n", Secret: lines[2]}
	case 3:
		s := base64.StdEncoding.EncodeToString([]byte(d.fill("HOST=db\nDB_PASSWORD={P}{d4}x!\nACME_TOKEN={A32}\n")))
		return redact.Case{Family: "base64 of .env", Text: "echo " + s + " | base64 -d > .env", Secret: s}
	case 4:
		s := base64.StdEncoding.EncodeToString([]byte(d.fill("{P}{d4}x")))
		return redact.Case{Family: "kubernetes", Text: "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  pw: " + s + "\n", Secret: s}
	case 5:
		s := d.fill("{A36}")
		cut := 10 + d.IntN(16)
		return redact.Case{Family: "cut by a line's end", Text: "remote: ghp_" + s[:cut] + "\n" + s[cut:] + "\ndone", Secret: s[:cut]}
	}
	s := base64.StdEncoding.EncodeToString([]byte(d.fill("bob:{P}{d4}x")))
	return redact.Case{Family: "basic login", Text: "Authorization: Basic " + s + "\n", Secret: s}
}
