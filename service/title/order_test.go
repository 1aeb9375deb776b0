package title

import (
	"strings"
	"testing"

	"dormouse/store/memory"
)

func TestATitleIsThePersonsElseTheModelsElseTheFirstLineElseThePreview(t *testing.T) {
	prompt := "<system-reminder>r</system-reminder>[Image #1]" + strings.Repeat("mend the till ", 9) + "\nat once"
	b := newBed(t, says("Mend the failing till"))
	x := b.session(t, nil, node("u", memory.RoleUser, prompt, now), node("a", memory.RoleAssistant, "Done.", now))
	want := func(title string) {
		t.Helper()
		got := x.Meta().Title
		if got == "" {
			got = Of(x)
		}
		if got != title {
			t.Errorf("it is called %q, want %q", got, title)
		}
	}
	want(strings.Repeat("mend the till ", 6)[:80] + "…") // marks are taken out
	if err := x.Update(func(m *memory.Session) { m.Title, m.TitleBy = Excerpt(prompt), ByExcerpt }); err != nil {
		t.Fatal(err)
	}
	want(strings.Repeat("mend the till ", 4)[:50] + "…")
	if err := b.make(t.Context(), x.Meta().ID); err != nil {
		t.Fatal(err)
	}
	want("Mend the failing till")
	if err := x.Update(func(m *memory.Session) { m.Title, m.TitleBy, m.TitleAsked = "Mine", ByUser, false }); err != nil {
		t.Fatal(err)
	}
	if err := b.make(t.Context(), x.Meta().ID); err != nil {
		t.Fatal(err)
	}
	want("Mine")
}
