package edit

import "strings"

// State is what is known of a file at one moment: there with a content, or not there.
type State struct {
	Exists bool
	Text   string
}

// maxPlaces bounds how many places are tried for a piece of text, so that a content of one letter repeated costs little.
const maxPlaces = 64

// Apply is the file after the change, when it was as base before. ok is false where what the call shows does not fit.
func (c *Change) Apply(base State) (after State, ok bool) {
	if c.Masked {
		return State{}, false
	}
	switch {
	case c.Op == Delete:
		return State{}, base.Exists
	case c.Whole != nil:
		after = State{Exists: true, Text: *c.Whole}
		return after, c.Hunks == nil || explains(base.Text, after.Text, c.Hunks)
	case len(c.Replace) > 0:
		after.Exists = true
		after.Text, ok = replaced(base, c.Replace, c.Hunks)
		return after, ok && (len(c.Hunks) == 0 || explains(base.Text, after.Text, c.Hunks))
	case len(c.Hunks) > 0 && base.Exists:
		after.Exists = true
		after.Text, ok = patch(base.Text, c.Hunks)
		return after, ok
	}
	return State{}, false
}

// Result is the file after the change where the call shows it whole.
func (c *Change) Result() (State, bool) {
	switch {
	case c.Masked:
		return State{}, false
	case c.Whole != nil:
		return State{Exists: true, Text: *c.Whole}, true
	}
	return State{}, c.Op == Delete
}

// replaced carries the replacements out one after the other.
func replaced(base State, list []Replacement, hunks []Hunk) (string, bool) {
	s := base.Text
	for i, r := range list {
		switch {
		case r.Old == "":
			if s != "" {
				return "", false // an empty piece stands for a file that is empty or not there
			}
			s = r.New
		case r.All:
			if !strings.Contains(s, r.Old) {
				return "", false
			}
			s = strings.ReplaceAll(s, r.Old, r.New)
		default:
			one, ok := replaceOne(s, r, hunks, i == len(list)-1, base.Text)
			if !ok {
				return "", false
			}
			s = one
		}
	}
	return s, true
}

// replaceOne replaces the only place of a piece. Of several places it is the one that the hunks show, where it is the last
// replacement.
func replaceOne(s string, r Replacement, hunks []Hunk, last bool, base string) (string, bool) {
	places := placesOf(s, r.Old)
	if len(places) == 1 {
		return s[:places[0]] + r.New + s[places[0]+len(r.Old):], true
	}
	if !last || len(hunks) == 0 {
		return "", false
	}
	return agreed(places, func(at int) (string, bool) {
		one := s[:at] + r.New + s[at+len(r.Old):]
		return one, explains(base, one, hunks)
	})
}

// agreed is the one result that the places give; ok is false when none fits, or some give different ones.
func agreed(places []int, try func(at int) (string, bool)) (result string, ok bool) {
	for _, at := range places {
		one, fits := try(at)
		switch {
		case !fits:
		case ok && one != result:
			return "", false
		default:
			result, ok = one, true
		}
	}
	return result, ok
}

// placesOf lists where a piece stands in s, overlapping ones too; none when there are more than maxPlaces.
func placesOf(s, piece string) []int {
	var out []int
	for from := 0; ; {
		i := strings.Index(s[from:], piece)
		if i < 0 {
			return out
		}
		if len(out) == maxPlaces {
			return nil
		}
		out = append(out, from+i)
		from += i + 1
	}
}
