package redact

import "strings"

// isLiteral reports whether the bare value v of the name s[from:to] stands where only a literal can: in a shell, an .env file, a
// connection string, a query, a .netrc file, after a flag. In code a bare word is the name of something.
func isLiteral(s string, from, to int, v value) bool {
	switch {
	case v.quote != 0:
		return false
	case v.query, v.prose && followsLogin(s, from):
		return true
	case s[from] == '-':
		return s[v.from] != '-' && (s[to] == '=' || endsArgument(s, from, v.to))
	case v.prose || !joined(s, to, v):
		return false
	}
	return isCapitals(s[from:to]) || endsLine(s, v.to) && beginsWord(s, from) || inConnection(s, from, v.to)
}

// isInSettings reports whether the bare value v of the name at s[from] is a line of a configuration file, by the lines beside it.
func isInSettings(s string, from int, v value) bool {
	return v.quote == 0 && v.assigned && endsLine(s, v.to) && isSetting(s, from) && hasSettingBeside(s, from, v.to)
}

// joined reports whether nothing but an equals sign stands between a name that ends at s[to] and its value.
func joined(s string, to int, v value) bool { return s[to] == '=' && v.from == to+1 }

func isCapitals(name string) bool {
	for i := range len(name) {
		if isLower(name[i]) {
			return false
		}
	}
	return true
}

// beginsWord reports whether what begins at s[i] is the first of a line or follows a space or a quote.
func beginsWord(s string, i int) bool {
	return i == 0 || strings.IndexByte(" \t\r\n\"'`", s[i-1]) >= 0 || i > 1 && s[i-2] == '\\' && s[i-1] == 'n'
}

// endsLine reports whether nothing but a remark follows s[i] on its line; a quote or another assignment ends a line too.
func endsLine(s string, i int) bool {
	if i < len(s) && (s[i] == '"' || s[i] == '\'' || s[i] == '`') {
		return true
	}
	j := skipSpaces(s, i)
	if j == len(s) || strings.IndexByte("\r\n#", s[j]) >= 0 {
		return true
	}
	if s[j] == '\\' && j+1 < len(s) && strings.IndexByte("nr\n\r\\\"", s[j+1]) >= 0 {
		return true
	}
	return j > i && assignmentAt(s, j)
}

// assignmentAt reports whether s[i:] begins with name=.
func assignmentAt(s string, i int) bool {
	j := i
	for j < len(s) && j-i < maxName && identifierSet[s[j]] && s[j] < 0x80 {
		j++
	}
	return j > i && j < len(s) && s[j] == '='
}

// inConnection reports whether the assignment s[from:to] is one of several that semicolons part: Server=db;Password=x;Encrypt=yes.
func inConnection(s string, from, to int) bool {
	before := strings.TrimRight(s[max(0, from-8):from], " ")
	if strings.HasSuffix(before, ";") {
		return true
	}
	return to < len(s) && s[to] == ';' && assignmentAt(s, skipSpaces(s, to+1))
}

// endsArgument reports whether a flag's value that ends at s[to] is that of a command, not a word in a sentence about the flag.
func endsArgument(s string, from, to int) bool {
	j := skipSpaces(s, to)
	if j == len(s) || strings.IndexByte("\r\n\"'`;|&>\\-", s[j]) >= 0 {
		return true
	}
	line := s[max(0, from-200):from]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	return strings.Contains(line, " -u") || strings.Contains(line, " --user") || strings.Contains(line, " -U")
}

// isSetting reports whether the name at s[from] is the first of its line, but for marks of a diff or a list.
func isSetting(s string, from int) bool {
	begin := strings.LastIndexByte(s[max(0, from-120):from], '\n') + 1 + max(0, from-120)
	if begin == max(0, from-120) && begin > 0 {
		return false
	}
	return strings.Trim(s[begin:from], " \t+-#;\"'") == ""
}

// hasSettingBeside reports whether the line before or after that of the assignment s[from:to] is a setting too: a name, an equals
// sign or colon, and a bare value without the signs of code. A section's head counts as one. So does a text of one line.
func hasSettingBeside(s string, from, to int) bool {
	begin := strings.LastIndexByte(s[:from], '\n')
	if begin > 0 {
		before := s[max(0, begin-200):begin]
		if isSettingLine(before[strings.LastIndexByte(before, '\n')+1:]) {
			return true
		}
	}
	end := strings.IndexByte(s[to:min(len(s), to+200)], '\n')
	if end < 0 || strings.TrimSpace(s[to+end:]) == "" && begin <= 0 {
		return begin <= 0 // the only line
	}
	after := s[to+end+1 : min(len(s), to+end+201)]
	line, _, _ := strings.Cut(after, "\n")
	return isSettingLine(line)
}

func isSettingLine(line string) bool {
	line = strings.Trim(line, " \t\r+-#")
	if strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") {
		return len(line) > 2 && isIdentifier(line[1:len(line)-1])
	}
	at := strings.IndexAny(line, ":=")
	if at <= 0 || !isIdentifier(strings.TrimSpace(line[:at])) || strings.HasPrefix(line[at:], ":=") || strings.HasPrefix(line[at:], "==") {
		return false
	}
	rest := strings.TrimSpace(line[at+1:])
	return !strings.ContainsAny(rest, "(){}[];,<>") && !strings.HasPrefix(rest, ":") && (rest == "" || !isTypeName(rest))
}
