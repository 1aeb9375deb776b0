package view

import (
	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"

	"dormouse/app/model"
	"dormouse/app/theme"
	"dormouse/app/view/kit"
)

// toneColor is the colour of a tone.
func toneColor(t model.Tone) fyne.ThemeColorName {
	switch t {
	case model.Good:
		return base.ColorNameSuccess
	case model.Busy:
		return base.ColorNamePrimary
	case model.Asleep:
		return theme.ColorAsleep
	case model.Warn:
		return base.ColorNameWarning
	case model.Bad:
		return base.ColorNameError
	case model.Off:
		return theme.ColorMuted
	}
	return base.ColorNameForeground
}

// toneSign is the form of a tone, for those who do not see its colour.
func toneSign(t model.Tone) string {
	switch t {
	case model.Busy:
		return "busy"
	case model.Asleep:
		return "asleep"
	case model.Warn:
		return "warn"
	case model.Bad:
		return "bad"
	case model.Off:
		return "off"
	}
	return "good"
}

// sign is a tone as a picture.
func sign(t model.Tone, size float32) *kit.Sign { return kit.NewSign(toneSign(t), toneColor(t), size) }
