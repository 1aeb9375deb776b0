package model

import (
	"reflect"
	"strings"
	"testing"
)

func spans(text string) []Span { return []Span{{Text: text}} }

func TestMarkdownBecomesBlocks(t *testing.T) {
	got := Markdown("# Title\n\nSome **bold**, *it* and `code`.\nnext line\n\n- one\n  - two\n- [x] done\n- [ ] open\n\n3. three\n\n> quoted\n\n```go\nx := 1\n```\n\n---\n\n| a | b |\n|---|---|\n| 1 | ~~2~~ |\n", false)
	want := []Block{
		{Kind: Heading, Level: 1, Spans: spans("Title")},
		{Spans: []Span{{Text: "Some "}, {Text: "bold", Bold: true}, {Text: ", "}, {Text: "it", Italic: true}, {Text: " and "}, {Text: "code", Code: true}, {Text: ". next line"}}},
		{Kind: Item, Marker: "•", Spans: spans("one")},
		{Kind: Item, Level: 1, Marker: "•", Spans: spans("two")},
		{Kind: Item, Marker: "☑", Spans: spans("done")},
		{Kind: Item, Marker: "☐", Spans: spans("open")},
		{Kind: Item, Marker: "3.", Spans: spans("three")},
		{Kind: Quote, Spans: spans("quoted")},
		{Kind: Code, Text: "x := 1"},
		{Kind: Rule},
		{Kind: Table, Rows: [][]string{{"a", "b"}, {"1", "2"}}},
	}
	if len(got) != len(want) {
		t.Fatalf("%d blocks, want %d: %+v", len(got), len(want), got)
	}
	for i := range want {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("block %d: got %+v\nwant %+v", i, got[i], want[i])
		}
	}
}

func TestLineEndsOfAPersonStay(t *testing.T) {
	if got := Text(Markdown("a\nb", true)[0].Spans); got != "a\nb" {
		t.Errorf("%q", got)
	}
	if got := Text(Markdown("a  \nb", false)[0].Spans); got != "a\nb" {
		t.Errorf("hard break: %q", got)
	}
}

func TestNothingIsLoadedAndNothingIsLost(t *testing.T) {
	for in, want := range map[string]string{
		"![a cat](https://evil.example/track.png)": "[image: a cat] https://evil.example/track.png",
		"![](x.png)":                                 "[image] x.png",
		"before <b>bold</b> after":                   "before <b>bold</b> after",
		"<script>\nalert(1)\n</script>":              "<script>\nalert(1)\n</script>",
		"<div>\nhi\n</div>\n\nmore":                  "<div>\nhi\n</div>more",
		"see [docs](https://example.org/a)":          "see docs (example.org)",
		"see [example.org](https://example.org/a)":   "see example.org",
		"run [it](file:///etc/passwd)":               "run it (file:///etc/passwd)",
		"[go](javascript:alert(1))":                  "go (javascript:alert(1))",
		"[bank.example](https://evil.example/login)": "bank.example (evil.example)",
		"<https://example.org>":                      "https://example.org",
		"https://example.org/x":                      "https://example.org/x",
		"a\\*b &amp; c":                              "a*b & c",
		"&lt;tag&gt;":                                "<tag>",
		"snake_case_name":                            "snake_case_name",
		"مرحبا **بالعالم**":                          "مرحبا بالعالم",
	} {
		got := ""
		for _, b := range Markdown(in, false) {
			got += Text(b.Spans) + b.Text
		}
		if got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

func TestOnlyWebAddressesAreLinks(t *testing.T) {
	for in, want := range map[string]string{
		"[x](https://example.org/a?b=c)": "https://example.org/a?b=c", "[x](http://h)": "http://h", "https://example.org": "https://example.org",
		"[x](file:///etc)": "", "[x](javascript:a)": "", "[x](relative)": "", "[x](https:///nohost)": "", "[x](http://[bad)": "", "[x](smb://h/x)": "",
	} {
		if got := Markdown(in, false)[0].Spans[0].URL; got != want {
			t.Errorf("%s: %q", in, got)
		}
	}
}

func TestAVeryLongTextIsCutAndThatIsSaid(t *testing.T) {
	got := Markdown(strings.Repeat("wort ", 20_000), false)
	if last := Text(got[len(got)-1].Spans); !strings.Contains(last, "51 kB more") {
		t.Errorf("%q", last)
	}
	plain := plainBlocks(strings.Repeat("x\n", 500))
	if len(plain) != 2 || len(plainBlocks("*x*")) != 1 || plainBlocks("*x*")[0].Spans[0].Text != "*x*" {
		t.Errorf("%d blocks", len(plain))
	}
}

// FuzzMarkdown holds that no text breaks the reader, and that nothing but an address of the web becomes a link.
func FuzzMarkdown(f *testing.F) {
	for _, s := range []string{"# a\n- b\n```\nc", "| a |\n|-|\n| b |", "[a](b \"c\")", "<p>x", "> > a\n1) b", "![x][y]\n\n[y]: z", "a[^1]\n\n[^1]: b", "* * *", "[]()", "\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, breaks := range []bool{false, true} {
			for _, b := range Markdown(Clean(s), breaks) {
				if b.Kind == Item && b.Marker == "" {
					t.Errorf("item without a marker in %q", s)
				}
				for _, span := range b.Spans {
					if span.URL != "" && !strings.HasPrefix(span.URL, "http") {
						t.Errorf("%q links to %s", s, span.URL)
					}
				}
			}
		}
	})
}
