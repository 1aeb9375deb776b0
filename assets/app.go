package assets

import (
	"embed"
	"fmt"
)

//go:embed app/dormouse.svg app/icons/*.svg
var pictures embed.FS

// AppIcon is the app's icon, a dormouse curled up asleep, as SVG.
func AppIcon() []byte { return picture("app/dormouse.svg") }

// Sign is a small picture as SVG in one colour: of a page (by its name), of an act (search, open), or of a state (good, busy,
// asleep, warn, bad, off, paused), each of a form of its own.
func Sign(name string) []byte { return picture("app/icons/" + name + ".svg") }

// picture is a file that is known to be there.
func picture(name string) []byte {
	b, err := pictures.ReadFile(name)
	if err != nil {
		panic(fmt.Sprintf("assets: %v", err))
	}
	return b
}
