package assets

import (
	"embed"
	"fmt"
)

//go:embed app/dormouse.svg app/icons/*.svg
var pictures embed.FS

// AppIcon is the app's icon, a dormouse curled up asleep, as SVG.
func AppIcon() []byte { return picture("app/dormouse.svg") }

// PageIcon is the icon of one of the window's pages as SVG in one colour: status, core, projects or sessions.
func PageIcon(page string) []byte { return picture("app/icons/" + page + ".svg") }

// picture is a file that is known to be there.
func picture(name string) []byte {
	b, err := pictures.ReadFile(name)
	if err != nil {
		panic(fmt.Sprintf("assets: %v", err))
	}
	return b
}
