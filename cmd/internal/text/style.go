package text

// Style colours text for a terminal. The zero Style leaves it plain.
type Style struct{ On bool }

func (s Style) paint(code, text string) string {
	if !s.On || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// The looks, by their use.

func (s Style) Strong(t string) string { return s.paint("1", t) }  // headings, names
func (s Style) Faint(t string) string  { return s.paint("2", t) }  // what may be skipped
func (s Style) Good(t string) string   { return s.paint("32", t) } // as it should be
func (s Style) Warn(t string) string   { return s.paint("33", t) } // worth a look
func (s Style) Bad(t string) string    { return s.paint("31", t) } // failed
func (s Style) Link(t string) string   { return s.paint("36", t) } // what can be opened
