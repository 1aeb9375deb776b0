package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"

	"dormouse/app/model"
	"dormouse/app/view"
)

// pageNames are the pages as --page takes them, in their order.
var pageNames = []string{"status", "core", "projects", "sessions"}

// request says what the window is to show.
type request struct {
	Page    string `json:"page,omitempty"`
	Session string `json:"session,omitempty"`
	Turn    int    `json:"turn,omitempty"`
}

// parse reads the command line.
func parse(args []string, out io.Writer) (request, error) {
	var r request
	set := flag.NewFlagSet("dormouse-desktop", flag.ContinueOnError)
	set.SetOutput(out)
	set.Usage = func() {
		_, _ = fmt.Fprintln(out, `dormouse-desktop opens the window of Dormouse, or brings the one that is open to the front.

  dormouse-desktop                                  the status
  dormouse-desktop --page core                      status, core, projects or sessions
  dormouse-desktop --session cc_1a2b3c4d --turn 3   a turn of a session

DORMOUSE_HOME chooses the memory, as for all programs of Dormouse.`)
	}
	set.StringVar(&r.Page, "page", "", "the page to show")
	set.StringVar(&r.Session, "session", "", "the session to show")
	set.IntVar(&r.Turn, "turn", 0, "its turn")
	if err := set.Parse(args); err != nil {
		return r, err
	}
	switch {
	case set.NArg() > 0:
		return r, fmt.Errorf("it takes no arguments but flags, not %q; see --help", set.Arg(0))
	case r.Page != "" && !slices.Contains(pageNames, r.Page):
		return r, fmt.Errorf("there is no page %q; there are %v", r.Page, pageNames)
	case r.Turn < 0 || r.Turn > 0 && r.Session == "":
		return r, errors.New("--turn needs --session and a number from 1")
	}
	return r, nil
}

// apply shows what was asked for.
func (r request) apply(w *view.Window) {
	if i := slices.Index(pageNames, r.Page); i >= 0 {
		w.Show(i)
	}
	if r.Session != "" {
		w.Open(model.Place{Session: r.Session, Turn: r.Turn})
	}
}
