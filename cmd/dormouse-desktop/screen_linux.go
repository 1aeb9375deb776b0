package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/jezek/xgb"
)

// screen says why no window can be opened and what helps; the window's library would end the process with a stack of its
// own. Where there is a screen, it is held until release: a screen without any client may start anew.
func screen(env func(string) string) (release func(), err error) {
	display := env("DISPLAY")
	switch {
	case display == "" && env("WAYLAND_DISPLAY") != "":
		return nil, errors.New("the window needs X11, and this Wayland session offers none. Install Xwayland and log on again. " +
			"The command line works without: dormouse status")
	case display == "":
		return nil, errors.New("there is no screen here (DISPLAY is not set). Start it from a desktop, or over ssh with -X. " +
			"The command line works without: dormouse status")
	}
	xgb.Logger.SetOutput(io.Discard) // it tells of every missing .Xauthority
	conn, err := xgb.NewConnDisplay(display)
	if err != nil {
		return nil, fmt.Errorf("the screen %s does not answer: %w. The command line works without: dormouse status", display, err)
	}
	return conn.Close, nil
}
