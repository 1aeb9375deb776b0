package door

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Request says what the window is to show.
type Request struct {
	Page    string `json:"page,omitempty"`
	Session string `json:"session,omitempty"`
	Turn    int    `json:"turn,omitempty"`
}

// Parse reads the window's command line; pages are the names that --page takes. It writes help to out.
func Parse(args []string, pages []string, out io.Writer) (Request, error) {
	var r Request
	set := flag.NewFlagSet("dormouse-desktop", flag.ContinueOnError)
	set.SetOutput(out)
	set.Usage = func() {
		_, _ = fmt.Fprintf(out, `dormouse-desktop opens the window of Dormouse, or brings the one that is open to the front.

  dormouse-desktop                                  the first page
  dormouse-desktop --page core                      a page: %s
  dormouse-desktop --session cc_1a2b3c4d --turn 3   a turn of a session

DORMOUSE_HOME chooses the memory, as for all programs of Dormouse.
`, strings.Join(pages, ", "))
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
	case r.Page != "" && !slices.Contains(pages, r.Page):
		return r, fmt.Errorf("there is no page %q; there are %s", r.Page, strings.Join(pages, ", "))
	case r.Turn < 0 || r.Turn > 0 && r.Session == "":
		return r, errors.New("--turn needs --session and a number from 1")
	}
	return r, nil
}
