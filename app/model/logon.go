package model

import (
	"context"

	"dormouse/app/lang"
)

// AskLogOn is what the person is asked once: whether Dormouse is to start when they log on. It is nil where that is no question.
func (p *Presenter) AskLogOn(ctx context.Context) *Question {
	if p.o.LogOn == nil {
		return nil
	}
	if s, err := p.o.Backend().Status(ctx); err != nil || s.Demo || !p.o.LogOn.Wanted(ctx) {
		return nil
	}
	return &Question{Title: lang.Say("Start Dormouse when you log on?"), Yes: lang.Say("Start it at log-on"), No: lang.Say("Not now"),
		Text: lang.Say("What your agents write is captured from then on without a thought of yours, and the icon in the tray tells how it is. You can take it back at any time: dormouse service uninstall")}
}

// StartAtLogOn has Dormouse started at log-on.
func (p *Presenter) StartAtLogOn(ctx context.Context) Notice {
	if err := p.o.LogOn.Install(ctx); err != nil {
		return failed(lang.Say("Setting up the start at log-on"), err)
	}
	return Notice{Tone: Good, Text: lang.Say("Dormouse starts when you log on, with its icon in the tray.")}
}

// NotAtLogOn keeps that the person does not want that now.
func (p *Presenter) NotAtLogOn(context.Context) Notice {
	if err := p.o.LogOn.Answer(); err != nil {
		return failed(lang.Say("Keeping your answer"), err)
	}
	return Notice{Text: lang.Say("You are not asked again. To have it later: dormouse service install --tray")}
}
