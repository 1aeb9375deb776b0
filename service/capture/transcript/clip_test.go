package transcript

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"dormouse/store/memory"
)

func TestClipKeepsHeadAndTailAndTellsHowLongTheTextWas(t *testing.T) {
	long := "HEAD" + strings.Repeat("é", MaxText) + "TAIL"
	in := JSON(`{"a":"` + strings.Repeat("x", MaxText) + `"}`)
	n := memory.Node{Output: long, Input: in}
	if !Clip(&n) {
		t.Fatal("not clipped")
	}
	if size(&n) > MaxText || !strings.HasPrefix(n.Output, "HEAD") || !strings.HasSuffix(n.Output, "TAIL") || !utf8.ValidString(n.Output) {
		t.Errorf("clipped to %d bytes, valid %v", size(&n), utf8.ValidString(n.Output))
	}
	if n.Metadata.Clipped == nil || n.Metadata.Clipped.Bytes != len(long) {
		t.Errorf("note %+v", n.Metadata.Clipped)
	}
	if !json.Valid(n.Input) {
		t.Error("the clipped input is no JSON")
	}
	short := memory.Node{Output: "x", Metadata: memory.Metadata{Edits: []memory.Edit{{Diff: "y"}}}}
	if Clip(&short) || short.Metadata.Clipped != nil {
		t.Error("a short text was clipped")
	}
}

func TestClipStopsWhenNoSingleTextIsLong(t *testing.T) {
	n := memory.Node{}
	for range 10 {
		n.Metadata.Edits = append(n.Metadata.Edits, memory.Edit{Diff: strings.Repeat("d", 2<<20)})
	}
	Clip(&n)
	if n.Metadata.Clipped != nil {
		t.Error("clipped texts that clipping does not shorten")
	}
}

func TestImageIsKnownByItsDecodedBytes(t *testing.T) {
	data := base64.StdEncoding.EncodeToString([]byte("pixels"))
	plain, url := Image("image/png", data), Image("", "data:image/png;base64,"+data)
	if plain != url || plain.Bytes != 6 || plain.Type != "image/png" {
		t.Errorf("%+v and %+v", plain, url)
	}
	if masked := Image("image/png", "REDACTED!"); masked.Bytes != 9 {
		t.Errorf("masked image %+v", masked)
	}
}

func TestUnwrapPartsTheClientsWordsFromThePersons(t *testing.T) {
	tests := []struct{ text, wrapped, words string }{
		{"plain words", "", "plain words"},
		{"<ide_opened_file>a.go</ide_opened_file>\nfix it", "<ide_opened_file>a.go</ide_opened_file>", "fix it"},
		{"fix it\n<system-reminder>be nice</system-reminder>", "<system-reminder>be nice</system-reminder>", "fix it"},
		{"<system-reminder>only</system-reminder>", "<system-reminder>only</system-reminder>", ""},
		{"<div>words about html</div>", "", "<div>words about html</div>"},
		{"<system-reminder>never closed", "", "<system-reminder>never closed"},
		{"<ide_selection>a</ide_selection>x<system-reminder>b</system-reminder>", "<ide_selection>a</ide_selection>\n\n<system-reminder>b</system-reminder>", "x"},
	}
	for _, tt := range tests {
		if w, words := Unwrap(tt.text); w != tt.wrapped || words != tt.words {
			t.Errorf("Unwrap(%q) = %q, %q", tt.text, w, words)
		}
	}
}

func TestUnixReadsStampsAndRefusesWhatIsNone(t *testing.T) {
	for stamp, want := range map[string]int64{"2026-01-20T04:15:10.131Z": 1768882510, "2026-01-20T05:15:10+01:00": 1768882510, "": 0, "soon": 0, "0001-01-01T00:00:00Z": 0} {
		if got := Unix(stamp); got != want {
			t.Errorf("Unix(%q) = %d, want %d", stamp, got, want)
		}
	}
}

func TestJSONFieldIsAlwaysJSON(t *testing.T) {
	for raw, want := range map[string]string{"": "", `{"a":1}`: `{"a":1}`, "not json": `"not json"`} {
		if got := string(JSON(raw)); got != want {
			t.Errorf("JSON(%q) = %s", raw, got)
		}
	}
}

func TestTallyCountsAndKeepsTheNewestPlaces(t *testing.T) {
	var a, b Tally
	n := keptPlaces + 4
	for i := range n {
		a.Add(Skip{Reason: NotJSON, Line: i, Bytes: 2})
	}
	b.Join(a.Counts())
	b.Join(a.Counts())
	c := b.Counts()[NotJSON]
	if c.Times != 2*n || c.Bytes != int64(4*n) || len(c.Places) != keptPlaces || c.Places[keptPlaces-1].Line != n-1 {
		t.Errorf("counts %+v", c)
	}
}
