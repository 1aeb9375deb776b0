package theme

import (
	"image/color"

	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"
)

// The colours beside Fyne's own.
const (
	ColorSidebar fyne.ThemeColorName = "dormouse.sidebar" // behind the navigation
	ColorCard    fyne.ThemeColorName = "dormouse.card"    // of a card
	ColorBorder  fyne.ThemeColorName = "dormouse.border"  // of a card
	ColorMuted   fyne.ThemeColorName = "dormouse.muted"   // text beside the main text
	ColorAsleep  fyne.ThemeColorName = "dormouse.asleep"  // the second accent: the night
	ColorSaid    fyne.ThemeColorName = "dormouse.said"    // behind what the person said
	ColorCode    fyne.ThemeColorName = "dormouse.code"    // behind code
	ColorTrack   fyne.ThemeColorName = "dormouse.track"   // the empty part of a gauge
	ColorCaution fyne.ThemeColorName = "dormouse.caution" // behind a warning
	ColorShade   fyne.ThemeColorName = "dormouse.shade"   // over what lies below a search
)

func hex(rgb uint32) color.Color {
	return color.NRGBA{R: uint8(rgb >> 16), G: uint8(rgb >> 8), B: uint8(rgb), A: 0xff}
}

// over is a colour that lets through what is below it; alpha from 0 to 255.
func over(rgb uint32, alpha uint8) color.Color {
	c := hex(rgb).(color.NRGBA)
	c.A = alpha
	return c
}

// palette is the colours of one variant.
type palette map[fyne.ThemeColorName]color.Color

// light is paper by day: warm greys, hazel to act on, night blue for sleep.
func light() palette {
	return palette{
		base.ColorNameBackground: hex(0xf7f5f1), ColorSidebar: hex(0xefece5), ColorCard: hex(0xffffff), ColorBorder: hex(0xe4dfd5),
		base.ColorNameForeground: hex(0x25211b), ColorMuted: hex(0x6a6358), base.ColorNamePlaceHolder: hex(0x6f685d), base.ColorNameDisabled: hex(0x8f887c),
		base.ColorNamePrimary: hex(0x9a5514), base.ColorNameHyperlink: hex(0x9a5514), ColorAsleep: hex(0x4a4fa3),
		base.ColorNameSuccess: hex(0x2a7443), base.ColorNameWarning: hex(0x8f5a00), base.ColorNameError: hex(0xb3261e),
		base.ColorNameForegroundOnPrimary: hex(0xffffff), base.ColorNameForegroundOnSuccess: hex(0xffffff),
		base.ColorNameForegroundOnWarning: hex(0xffffff), base.ColorNameForegroundOnError: hex(0xffffff),
		base.ColorNameButton: hex(0xefebe3), base.ColorNameDisabledButton: hex(0xf1eee8), base.ColorNameInputBackground: hex(0xffffff),
		base.ColorNameInputBorder: hex(0xd5cec1), base.ColorNameHover: over(0x25211b, 0x0d), base.ColorNamePressed: over(0x25211b, 0x1c),
		base.ColorNameFocus: over(0x9a5514, 0x40), base.ColorNameSelection: over(0x9a5514, 0x2b),
		base.ColorNameSeparator: hex(0xe4dfd5), base.ColorNameShadow: over(0x25211b, 0x16), base.ColorNameScrollBar: over(0x25211b, 0x55),
		base.ColorNameScrollBarBackground: over(0x25211b, 0x08),
		base.ColorNameMenuBackground:      hex(0xffffff), base.ColorNameOverlayBackground: hex(0xffffff), base.ColorNameHeaderBackground: hex(0xefece5),
		ColorSaid: hex(0xf8efe3), ColorCode: hex(0xf3f0ea), ColorTrack: hex(0xe8e3d9), ColorCaution: hex(0xfcf3df), ColorShade: over(0x25211b, 0x4d),
	}
}

// dark is the nest by night.
func dark() palette {
	return palette{
		base.ColorNameBackground: hex(0x1a1917), ColorSidebar: hex(0x141312), ColorCard: hex(0x23211f), ColorBorder: hex(0x37342f),
		base.ColorNameForeground: hex(0xece8e1), ColorMuted: hex(0xa8a196), base.ColorNamePlaceHolder: hex(0x9c9589), base.ColorNameDisabled: hex(0x777066),
		base.ColorNamePrimary: hex(0xe8a35c), base.ColorNameHyperlink: hex(0xe8a35c), ColorAsleep: hex(0xa9b1f5),
		base.ColorNameSuccess: hex(0x7fcb97), base.ColorNameWarning: hex(0xe9bd5b), base.ColorNameError: hex(0xf49088),
		base.ColorNameForegroundOnPrimary: hex(0x241503), base.ColorNameForegroundOnSuccess: hex(0x0c2113),
		base.ColorNameForegroundOnWarning: hex(0x241a02), base.ColorNameForegroundOnError: hex(0x2a0906),
		base.ColorNameButton: hex(0x34312d), base.ColorNameDisabledButton: hex(0x2a2825), base.ColorNameInputBackground: hex(0x2a2724),
		base.ColorNameInputBorder: hex(0x4a463f), base.ColorNameHover: over(0xffffff, 0x10), base.ColorNamePressed: over(0xffffff, 0x22),
		base.ColorNameFocus: over(0xe8a35c, 0x48), base.ColorNameSelection: over(0xe8a35c, 0x36),
		base.ColorNameSeparator: hex(0x37342f), base.ColorNameShadow: over(0x000000, 0x80), base.ColorNameScrollBar: over(0xffffff, 0x50),
		base.ColorNameScrollBarBackground: over(0xffffff, 0x08),
		base.ColorNameMenuBackground:      hex(0x2a2825), base.ColorNameOverlayBackground: hex(0x262421), base.ColorNameHeaderBackground: hex(0x141312),
		ColorSaid: hex(0x2e271f), ColorCode: hex(0x1b1a18), ColorTrack: hex(0x3a3732), ColorCaution: hex(0x33291a), ColorShade: over(0x000000, 0x99),
	}
}
