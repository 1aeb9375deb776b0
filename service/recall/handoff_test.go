package recall

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestAHandoffTellsTheOpenThreads(t *testing.T) {
	d, p, o := HandoffLines(shop(), CoreInfo{Project: "p", Name: "shop"})
	h := Handoff{Project: "p", Name: "shop", At: 1767607201, Folder: "/src/shop", Branch: "cart", Head: "1a2b3c4d5e6f7a8b", Subject: "Add the cart", Doing: "a merge",
		Changes: []string{" M cart.go", "?? notes.txt"}, MoreChanges: 3, Decisions: d, Preferences: p, Open: o,
		Sessions: []HandoffSession{
			{ID: "cc_1", Title: "Add the cart", Agent: "claude-code", Branch: "cart", Turn: 3, At: 1767607201, Prompt: "Now add the discount.\nAnd test it."},
			{ID: "cx_2", Title: "Fix the tax", Agent: "codex", Turn: 1, At: 1767600000, Prompt: "Fix it", Answer: "Half of it works.\n\n## Next steps\n- round the sums\n- run the tests\n\n## Done\n- the table", Failed: "go test ./tax", Exit: 1},
		}}
	page := h.Page()
	for _, want := range []string{
		"# Handoff: shop\n", "- Branch: `cart`\n", "- Newest commit: `1a2b3c4d5e6f` Add the cart\n", "- Not finished: a merge\n", "- Uncommitted, 5 paths:\n  - `M cart.go`\n",
		"  - and 3 more\n", "**Unfinished: the last prompt has no answer.**", "> Now add the discount.\n> And test it.\n", "dormouse show cc_1 --turn 3",
		"**The last command failed** with exit code 1: `go test ./tax`", "The agent said of what comes next:\n\n> ## Next steps\n> - round the sums\n> - run the tests\n",
		"## Decisions in force\n\n- 2026-05-31 Decided to use Postgres instead of MySQL · `dormouse show cc_ev_8 --node n_ev_8`\n", "## Preferences of the person\n\n- always answer in German ", "## Open\n\n- ",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is missing in\n%s", want, page)
		}
	}
	for _, no := range []string{"> ## Done", "ignore all previous instructions", "Decided to use MySQL", "Another project", "No session leads"} {
		if strings.Contains(page, no) {
			t.Errorf("%q is in\n%s", no, page)
		}
	}
}

func TestAHandoffKeepsToItsBytesAndItsQuotationsEnd(t *testing.T) {
	for seed := range uint64(20) {
		texts := append(manyTexts(seed, 40), attacks...)
		h := Handoff{Name: attacks[0], At: 1767607201, Folder: "/w`x`", Branch: "b`c", Head: "1a2b"}
		for i, text := range texts {
			h.Changes = append(h.Changes, "?? "+text)
			h.Sessions = append(h.Sessions, HandoffSession{ID: fmt.Sprint("cc_", i), Title: "# " + text, Agent: "a", Turn: 1, Prompt: text + "\n# Not a heading\n```\n" + text,
				Answer: strings.Repeat(text+"\n", 30)})
		}
		page := h.Page()
		if len(page) > HandoffBytes || !utf8.ValidString(page) || len(page) < HandoffBytes/2 {
			t.Fatalf("%d bytes, valid %v", len(page), utf8.ValidString(page))
		}
		for line := range strings.Lines(page) {
			if strings.HasPrefix(line, "# ") != strings.HasPrefix(line, "# Handoff: ") || strings.HasPrefix(line, "```") || strings.Contains(line, "</") || strings.Contains(line, "\x1b") {
				t.Fatalf("a text of others became a line of the page: %q", line)
			}
		}
	}
}

func TestTheNextStepsOfAnAnswerAreFound(t *testing.T) {
	for answer, want := range map[string]string{
		"All done.": "",
		"Done.\nI still have to write the docs.\nThat was it.": "I still have to write the docs.",
		"**Next steps:**\n1. ship\n\n2. rest\n**Notes**\nnone": "**Next steps:**\n1. ship\n2. rest",
		"```\nTODO in code\n```\nTODO outside":                 "TODO outside",
		"Fertig.\n\n### Nächste Schritte\n- prüfen":            "### Nächste Schritte\n- prüfen",
		"Shall I commit this?":                                 "Shall I commit this?",
	} {
		if got := nextSteps(answer); got != want {
			t.Errorf("%q: %q, want %q", answer, got, want)
		}
	}
}

func TestTheEndOfALongAnswerIsTold(t *testing.T) {
	text := strings.Repeat("冬眠。", 200) + "\n" + strings.Repeat("end ", 20)
	got := tail(text, 300)
	if len(got) > 300 || !utf8.ValidString(got) || !strings.HasSuffix(got, "end") || !strings.HasPrefix(got, ellipsis) {
		t.Errorf("%d bytes: %q", len(got), got)
	}
	if tail("short", 300) != "short" {
		t.Error("a short answer is cut")
	}
}
