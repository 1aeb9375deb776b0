package words

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// matches reports whether every term of the query is among those of the text; a query without a term matches nothing.
func matches(a *Analyzer, query, text string) bool {
	have := map[string]bool{}
	a.Text(text, func(term string, _ bool) { have[term] = true })
	terms := a.Query(query)
	for _, t := range terms {
		if !have[t] {
			return false
		}
	}
	return len(terms) > 0
}

func TestWhatIsWrittenOneWayIsFoundAnother(t *testing.T) {
	for _, c := range []struct{ topic, query, text string }{
		{"decomposed accents", "cafe\u0301 ole\u0301", "le caf\u00e9 ol\u00e9"},
		{"accents left out", "Muller", "Frau Müller hat angerufen"},
		{"accents added", "naïve", "a naive plan"},
		{"sharp s", "GROSSE", "eine große Datei"},
		{"dotted capital I", "izmir", "İZMİR ofisi"},
		{"final sigma", "ΟΔΟΣ", "στην οδός"},
		{"full width", "HTTP2", "ＨＴＴＰ２ を使う"},
		{"half-width kana", "ﾃﾞｰﾀ", "データを消す"},
		{"hiragana for katakana", "てすと", "テストが落ちる"},
		{"ligature", "office", "the oﬃce network"},
		{"soft hyphen", "database", "data\u00adbase"},
		{"yo", "ещё", "еще раз"},
		{"Russian endings", "таблицами", "таблица пользователей"},
		{"Arabic points", "كتاب", "كِتَاب جديد"},
		{"Arabic article", "الملف", "ملف مفقود"},
		{"Hebrew points", "שלום", "שָׁלוֹם"},
		{"Hindi", "दस्तावेज़", "नया दस्तावेज़ जोड़ा"},
		{"Thai inside a run", "ฐานข้อมูล", "ย้ายฐานข้อมูลแล้ว"},
		{"a short Thai word", "ไป", "ไป"},
		{"Chinese", "缓存失效", "昨天修复了缓存失效的问题"},
		{"one Chinese character", "缓", "缓存失效"},
		{"rare Chinese character", "𠮷", "𠮷田さん"},
		{"Chinese and English run together", "redis缓存", "把Redis缓存关掉"},
		{"Japanese", "接続", "データベース接続を切る"},
		{"Korean particle", "서버", "서버에서 오류"},
		{"emoji", "🐛", "a 🐛 in the parser"},
		{"emoji with a joiner", "👨‍🔧", "👨‍🔧 fixed it"},
		{"curly apostrophe", "can't", "it can’t be"},
		{"possessive", "parser", "the parser's error"},
		{"camel for words", "retryBudget", "retry_budget"},
		{"snake for camel", "retry_budget", "func retryBudget()"},
		{"words for camel", "retry budget", "func RetryBudget()"},
		{"run together for camel", "retrybudget", "func RetryBudget()"},
		{"part of a long name", "maxRetry", "var maxRetryBudgetSeconds"},
		{"acronym in a name", "HTTP server", "type HTTPServer struct"},
		{"hyphen left out", "email", "an e-mail address"},
		{"a path", "store/index/words.go", "edited store/index/words.go:12"},
		{"a part of a path", "index/words", "edited /srv/store/index/words.go"},
		{"a Windows path", `src\main.rs`, `C:\work\src\main.rs`},
		{"file name", "words.go", "edited store/index/words.go"},
		{"a C++ name", "vector", "std::vector<int>"},
		{"a qualified name", "std::vector", "use std::vector here"},
		{"C++", "c++", "a C++17 compiler"},
		{"C#", "C#", "written in C#."},
		{"F#", "f#", "(F#)"},
		{".NET", ".net", "runs on .NET 8"},
		{"a dot file", ".env", "read from .env"},
		{"a flag", "--dry-run", "pass --dry-run first"},
		{"a flag by its words", "dry run", "pass --dry-run first"},
		{"a version with v", "v2.10.3", "upgrade to 2.10.3"},
		{"the beginning of a version", "2.10", "upgrade to v2.10.3"},
		{"a hash by its beginning", "9fceb02", "commit 9fceb02d0ae598e95dc970b74767f19372d61af8"},
		{"an issue number", "#341", "fixes #341"},
		{"an issue number without the sign", "341", "fixes #341"},
		{"an error code", "E0382", "error[E0382]: use of moved value"},
		{"English endings", "migrations", "the migrated schema, a migration"},
		{"address", "build@example.org", "mail to build@example.org"},
		{"function words in a name", "is_open", "if isOpen()"},
	} {
		if !matches(New(), c.query, c.text) {
			a := New()
			var terms []string
			a.Text(c.text, func(s string, _ bool) { terms = append(terms, s) })
			t.Errorf("%s: %q asks for %q, and %q has %q", c.topic, c.query, a.Query(c.query), c.text, terms)
		}
	}
}

func TestWhatDiffersIsNotFound(t *testing.T) {
	for _, c := range []struct{ topic, query, text string }{
		{"nothing", "", "anything"},
		{"only function words", "what is it", "what is it"},
		{"only signs", `"* -- ()`, `"* -- ()`},
		{"C is not C++", "C", "written in C++"},
		{"C# is not C", "C#", "written in C"},
		{"another version", "1.2", "version 12"},
		{"a flag is more than its word", "--force", "the force of habit"},
		{"Chinese over a comma", "录会", "会话记录，会议"},
		{"other Chinese", "存失", "缓存，失效"},
		{"Devanagari vowels count", "की", "का"},
		{"other Thai", "แมว", "หมา"},
		{"another hash", "9fceb03", "9fceb02d0ae598e9"},
	} {
		if matches(New(), c.query, c.text) {
			t.Errorf("%s: %q is found in %q", c.topic, c.query, c.text)
		}
	}
}

func TestWordsThatDifferByTheirAccentsAreToldApart(t *testing.T) {
	share := func(query, text string) (got, all float64) {
		a := New()
		have := map[string]bool{}
		a.Text(text, func(term string, _ bool) { have[term] = true })
		for _, term := range a.Terms(query) {
			all += term.Share
			if have[term.Text] {
				got += term.Share
			}
		}
		return got, all
	}
	for _, c := range []struct {
		query, text string
		got, all    float64
	}{
		{"má", "má", 1, 1},
		{"ma\u0301", "MÁ", 1, 1},
		{"má", "mả", 0.5, 1},
		{"má", "ma", 0.5, 1},
		{"ma", "mạ", 1, 1},
		{"đường", "đường đi", 1, 1},
		{"duong", "đường đi", 1, 1},
		{"thế", "the way", 0, 1}, // without its accents it is a word that says nothing
		{"thế", "thế giới", 1, 1},
		{"größer größer", "groesser, größer", 1, 1},
		{"cafe café", "un café", 1.5, 1.5},
		{"smørrebrød", "smorrebrod", 0.5, 1},
		{"первый", "первыи", 0, 1}, // another letter, and no accent
	} {
		if got, all := share(c.query, c.text); got != c.got || all != c.all {
			t.Errorf("%q has %v of %v of %q, want %v of %v", c.text, got, all, c.query, c.got, c.all)
		}
	}
}

func TestDerivedTermsDoNotLengthenAText(t *testing.T) {
	length := func(text string) (n int) {
		New().Text(text, func(_ string, base bool) {
			if base {
				n++
			}
		})
		return n
	}
	for text, want := range map[string]int{
		"getUserName":               3,
		"get user name":             3,
		"the quick fox":             2,
		"缓存失效":                      3,
		"--dry-run v1.2.3":          5,
		"9fceb02d0ae598e95dc970b74": 1,
	} {
		if got := length(text); got != want {
			t.Errorf("%q is %d terms long, want %d", text, got, want)
		}
	}
}

func TestDataIsNotCutIntoNames(t *testing.T) {
	terms := map[string]bool{}
	New().Text(strings.Repeat("aGVsbG8gd29ybGQK", 100), func(s string, _ bool) { terms[s] = true })
	if len(terms) > 2 {
		t.Errorf("base64 has %d terms: %q", len(terms), slices.Collect(maps.Keys(terms)))
	}
}

func TestStemsAreForgottenWhenThereAreTooMany(t *testing.T) {
	a := New()
	for i := range stemCache + 10 {
		a.stem(strings.Repeat("ab", 2) + string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + string(rune('a'+i/676%26)) + string(rune('a'+i/17576)))
	}
	if len(a.stems) > stemCache {
		t.Errorf("%d stems are remembered", len(a.stems))
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"", "a.b.c", "getUserName", "C++ C# .NET --x", "会话 서버 ไป", "\xff\xfe\x00", "'s n't don't", "v1.2.3", "a" + strings.Repeat("-b", 99),
		strings.Repeat("\u0301", 50), "e\u0301\u0301", "\U0001F469\u200D\U0001F4BB", "İ", "ﷺ", "x--", "#1 -1 .5"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a := New()
		terms := map[string]bool{}
		bytes := 0
		a.Text(text, func(term string, _ bool) {
			if term == "" || !utf8.ValidString(term) || len(term) > 4*maxWord {
				t.Fatalf("term %q of %q", term, text)
			}
			terms[term] = true
			bytes += len(term)
		})
		if bytes > 64*len(text)+64 {
			t.Errorf("%d bytes of terms from %d of text", bytes, len(text))
		}
		for _, q := range a.Query(text) {
			if !terms[q] {
				t.Errorf("%q asks for %q and does not have it", text, q)
			}
		}
	})
}
