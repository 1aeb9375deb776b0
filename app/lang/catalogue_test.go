package lang

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

var update = flag.Bool("update", false, "write en.json from what the sources ask for")

// asked are all texts that are asked for, by their English form, and whether they are about a number.
func asked(t *testing.T) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	_, all := sources(t)
	for _, s := range all {
		for _, u := range s.uses {
			if was, ok := out[u.text]; ok && was != u.plural {
				t.Errorf("%s: %q is asked for with a number and without one", u.at, u.text)
			}
			out[u.text] = u.plural
			if named := names(u.text); u.args >= 0 {
				want := len(named)
				if u.plural && slices.Contains(named, "{n}") {
					want--
				}
				if want != u.args {
					t.Errorf("%s: %q names %d arguments, but gets %d", u.at, u.text, want, u.args)
				}
			}
		}
	}
	return out
}

// TestTheEnglishCatalogueIsWhatIsAskedFor keeps en.json, from which translators work, in step with the sources: -update writes it.
func TestTheEnglishCatalogueIsWhatIsAskedFor(t *testing.T) {
	texts := asked(t)
	en, err := load("en")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{}
	for text, counts := range texts {
		m := en.messages[text]
		switch {
		case !counts && m.text != "":
			want[text] = m.text // differs from its key where one text has several meanings
		case !counts:
			want[text] = text
		case m.forms != nil:
			want[text] = m.forms
		default:
			want[text] = map[string]string{"one": "", "other": text}
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(want); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("en.json", b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got, err := files.ReadFile("en.json"); err != nil || !bytes.Equal(got, b.Bytes()) {
		t.Errorf("en.json is not what the sources ask for (%v): go test ./app/lang -run EnglishCatalogue -update", err)
	}
}

// TestEveryCatalogueIsWhole looks that each language has every text, no other ones, the same arguments in each, and all forms of number that it tells apart.
func TestEveryCatalogueIsWhole(t *testing.T) {
	texts := asked(t)
	for _, id := range Tags {
		s, err := load(id)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range slices.Sorted(maps.Keys(texts)) {
			m, ok := s.messages[text]
			switch {
			case !ok:
				t.Errorf("%s lacks %q", id, text)
			case texts[text]:
				checkForms(t, s, text, m)
			case m.forms != nil || m.text == "":
				t.Errorf("%s: %q has forms, or no text, but is about no number", id, text)
			default:
				sameNames(t, id, text, m.text, false)
			}
		}
		for text := range s.messages {
			if _, ok := texts[text]; !ok {
				t.Errorf("%s has %q, for which nobody asks", id, text)
			}
		}
	}
}

// checkForms looks that there are all forms of a number that a language has, by CLDR, and no others.
func checkForms(t *testing.T, s *speech, text string, m message) {
	t.Helper()
	want := formsOf(s.tag)
	for form := range want {
		if m.forms[form] == "" {
			t.Errorf("%s: %q lacks its form for %s", s.id, text, form)
		}
		sameNames(t, s.id, text, m.forms[form], form == "one")
	}
	for form := range m.forms {
		if !want[form] {
			t.Errorf("%s: %q has a form for %q, which the language does not tell apart", s.id, text, form)
		}
	}
}

// formsOf are the forms that a language tells apart among whole numbers.
func formsOf(tag language.Tag) map[string]bool {
	out := map[string]bool{}
	for n := range 1000 {
		out[formNames[plural.Cardinal.MatchPlural(tag, n, 0, 0, 0, 0)]] = true
	}
	return out
}

// sameNames looks that a translation names the arguments of the English text. The form for one may leave the number out.
func sameNames(t *testing.T, id, english, text string, one bool) {
	t.Helper()
	want, got := names(english), names(text)
	slices.Sort(want)
	slices.Sort(got)
	if one && !slices.Contains(got, "{n}") {
		want = slices.DeleteFunc(want, func(n string) bool { return n == "{n}" })
	}
	if !slices.Equal(want, got) {
		t.Errorf("%s: %q names %v, and %q %v", id, english, want, text, got)
	}
}

func TestFormsOfANumberAreThoseOfTheLanguage(t *testing.T) {
	for tag, want := range map[string]string{"en": "one other", "de": "one other", "zh": "other", "pl": "few many one"} {
		if got := strings.Join(slices.Sorted(maps.Keys(formsOf(language.Make(tag)))), " "); got != want {
			t.Errorf("%s: %s", tag, got)
		}
	}
}
