package config

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// Update says where it can be asked for new releases. Nothing is asked but by dormouse update --check.
type Update struct {
	Feed string `toml:"feed"` // an address, or the path of a file; empty for none
	Key  string `toml:"key"`  // the public key of minisign by which the feed is signed
}

func (u Update) validate() []error {
	var errs []error
	if (u.Feed == "") != (u.Key == "") {
		errs = append(errs, errors.New("update.feed and update.key go together: a feed is believed when it is signed by the key"))
	}
	if u.Feed != "" && !absolute(u.Feed) && !strings.HasPrefix(u.Feed, "~/") {
		if err := checkFeed(u.Feed); err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

// checkFeed says what is wrong with the address of a feed.
func checkFeed(s string) error {
	u, err := url.Parse(s)
	host := ""
	if err == nil {
		host = u.Hostname()
	}
	here := host == "localhost" || host == "127.0.0.1" || host == "::1"
	switch {
	case err != nil || host == "" || u.Scheme != "https" && (u.Scheme != "http" || !here):
		return fmt.Errorf("update.feed is %q: it must be an https address, or the path of a file from / or ~/ on", s)
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return errors.New("update.feed must hold no name, no password, and nothing behind ? or #: nothing about you is sent")
	}
	return nil
}
