package theme

import (
	"encoding/binary"
	"slices"
	"sync"

	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"
)

// moreBelow is by how much of a letter's height the line of letters of one width reaches deeper than their font says. The font's underscore
// lies at the very bottom of its line, and what draws a line cuts that row off where the line's height is rounded down.
const moreBelow = 0.08

// mono is Fyne's font of one width with lines that reach a little deeper.
func mono(style fyne.TextStyle) fyne.Resource {
	given := base.DefaultTheme().Font(style)
	deeper.Lock()
	defer deeper.Unlock()
	if made, ok := deeper.by[given.Name()]; ok {
		return made
	}
	made := fyne.NewStaticResource("deeper-"+given.Name(), deepen(given.Content()))
	deeper.by[given.Name()] = made
	return made
}

var deeper = struct {
	sync.Mutex
	by map[string]fyne.Resource // by the name of Fyne's own
}{by: map[string]fyne.Resource{}}

// deepen is an OpenType font with another descender in its table hhea (OpenType 1.9, "hhea": int16 at 6; "head": unitsPerEm at 18). A font that
// is not of that form is as it was.
func deepen(font []byte) []byte {
	hhea, head := tableOf(font, "hhea"), tableOf(font, "head")
	if hhea < 0 || head < 0 || len(font) < hhea+8 || len(font) < head+20 {
		return font
	}
	out := slices.Clone(font)
	units := binary.BigEndian.Uint16(out[head+18:])
	below := int16(binary.BigEndian.Uint16(out[hhea+6:])) - int16(float64(units)*moreBelow)
	binary.BigEndian.PutUint16(out[hhea+6:], uint16(below))
	return out
}

// tableOf is where a table of a font begins; -1 where there is none.
func tableOf(font []byte, tag string) int {
	const head, entry = 12, 16
	if len(font) < head {
		return -1
	}
	for i := range int(binary.BigEndian.Uint16(font[4:])) {
		at := head + entry*i
		if len(font) < at+entry {
			return -1
		}
		if string(font[at:at+4]) == tag {
			return int(binary.BigEndian.Uint32(font[at+8:]))
		}
	}
	return -1
}
