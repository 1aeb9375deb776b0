package osservice

import "strings"

// unitText is a text of a systemd unit that is neither unquoted nor split, such as a description or a path; % begins a
// specifier (systemd.unit, "Specifiers").
func unitText(s string) string { return strings.ReplaceAll(s, "%", "%%") }

// unitQuote is one word of a systemd setting that is a list of words (systemd.syntax, "Quoting").
func unitQuote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `%`, `%%`).Replace(s) + `"`
}

// unitCommand is a command line of a systemd unit. Variables are put in for $ in the arguments and not in the program's path
// (systemd.service, "Command lines").
func unitCommand(exe string, args []string) string {
	words := []string{unitQuote(exe)}
	for _, a := range args {
		words = append(words, unitQuote(strings.ReplaceAll(a, "$", "$$")))
	}
	return strings.Join(words, " ")
}

func xmlText(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
}

// desktopText is a value of a desktop entry (Desktop Entry Specification, "Possible value types").
func desktopText(s string) string { return strings.ReplaceAll(s, `\`, `\\`) }

// desktopQuote is one word of a desktop entry's Exec key: quoted as the key asks for, then as a value of the entry
// (Desktop Entry Specification, "The Exec key").
func desktopQuote(s string) string {
	quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "`", "\\`", `$`, `\$`).Replace(s) + `"`
	return strings.ReplaceAll(desktopText(quoted), "%", "%%")
}

// windowsQuote is one word of a Windows command line, as CommandLineToArgvW reads it.
func windowsQuote(s string) string {
	if s != "" && !strings.ContainsAny(s, " \t\"") {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	slashes := 0
	for i := range len(s) {
		switch s[i] {
		case '\\':
			slashes++
		case '"':
			b.WriteString(strings.Repeat(`\`, slashes+1)) // those before a quote count twice
			slashes = 0
		default:
			slashes = 0
		}
		b.WriteByte(s[i])
	}
	b.WriteString(strings.Repeat(`\`, slashes))
	b.WriteByte('"')
	return b.String()
}
