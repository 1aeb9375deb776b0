package assets

import "embed"

//go:embed tray/*.png tray/*.ico
var trayPictures embed.FS

// TrayIcon is the tray's icon for a state (awake, asleep, syncing, paused, needs, trouble or off): a PNG of 48 pixels, an ICO of
// 16 to 48 pixels for Windows, and a PNG in black for macOS, which gives it the colour of its menu bar. Each state has a shape
// of its own, and each colour stands out from a white panel as well as from a black one.
func TrayIcon(state string) (png, ico, template []byte) {
	read := func(suffix string) []byte {
		b, err := trayPictures.ReadFile("tray/" + state + suffix)
		if err != nil {
			panic("assets: " + err.Error())
		}
		return b
	}
	return read(".png"), read(".ico"), read("-template.png")
}
