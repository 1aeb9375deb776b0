package redact

import (
	"slices"
	"strings"
)

// stdinReaders are what reads a password from its standard input, in small letters.
var stdinReaders = []string{"sudo -", "--password-stdin", "passwd --stdin", "chpasswd", "--passphrase-fd", "cryptsetup luks"}

// findPiped finds the password that is written to such a program: echo x | sudo -S, sudo -S <<< x.
func findPiped(p *pass, start, end int) {
	s := p.s
	line, to := lineStart(s, start, 400), lineEnd(s, end, 400)
	rest := s[end:to]
	if strings.HasSuffix(s[start:end], "-") && !asksStdin(rest) {
		return
	}
	before := s[line:start]
	if bar := strings.LastIndexByte(before, '|'); bar >= 0 {
		for _, w := range []string{"echo ", "printf ", "print "} {
			if n := strings.LastIndex(before[:bar], w); n >= 0 {
				p.lastWord(line+n+len(w), line+bar, strings.EqualFold(s[start:end], "chpasswd"))
				return
			}
		}
	}
	if n := strings.Index(rest, "<<<"); n >= 0 {
		i := skipSpaces(s, end+n+3)
		p.lastWord(i, min(to, wordEnd(s, i)), strings.EqualFold(s[start:end], "chpasswd"))
	}
}

// asksStdin reports whether flags, behind the first dash, tell sudo to read the password from its input.
func asksStdin(flags string) bool {
	for i, word := range strings.Fields(flags) {
		switch {
		case i > 0 && !strings.HasPrefix(word, "-"):
			if i > 3 {
				return false
			}
		case word == "-stdin", word == "--stdin", !strings.HasPrefix(word, "--") && strings.Contains(word, "S"):
			return true
		}
	}
	return false
}

// lastWord takes the last argument in s[from:to] for a password; where a user stands before it, what follows the colon.
func (p *pass) lastWord(from, to int, user bool) {
	for i := from; i < to; {
		i = skipSpaces(p.s, i)
		v, ok := value{shell: true}.read(p.s, i)
		if !ok || v.to > to {
			return
		}
		next := v.to
		if v.quote != 0 {
			next++
		}
		if strings.TrimSpace(p.s[min(next, to):to]) == "" {
			p.argument(v, user)
			return
		}
		i = max(next, i+1)
	}
}

// argument takes v, an argument of a command, for a password; where a user stands before it, what follows the colon.
func (p *pass) argument(v value, user bool) {
	if user {
		n := strings.IndexByte(p.s[v.from:v.to], ':')
		if n < 0 {
			return
		}
		v.from += n + 1
	}
	for v.to-v.from > 2 && (strings.HasSuffix(p.s[v.from:v.to], `\n`) || strings.HasSuffix(p.s[v.from:v.to], `\r`)) {
		v.to -= 2
	}
	v.literal = v.quote == 0
	if v.from < v.to && v.secret(p.s, passName) {
		p.found(v.from, v.to, "assigned")
	}
}

// placed are commands that take a password at a place of its own, in small letters.
var placed = []string{"htpasswd -", "net user ", "net use ", "net.exe use ", "net.exe user "}

// findPlaced finds that password: htpasswd -b FILE USER x, net user NAME x, net use DEVICE x /user:NAME or /user:NAME x.
func findPlaced(p *pass, start, end int) {
	s := p.s
	if start > 0 && isAlnum(s[start-1]) {
		return
	}
	name := strings.ToLower(s[start:end])
	begin := start + len(strings.TrimRight(name, " -"))
	args := arguments(s, begin, lineEnd(s, end, 400))
	var v value
	switch {
	case strings.HasPrefix(name, "htpasswd"):
		flags, names := 0, args
		for len(names) > 0 && strings.HasPrefix(s[names[0].from:names[0].to], "-") {
			flags |= flagBits(s[names[0].from:names[0].to])
			names = names[1:]
		}
		at := 2
		if flags&withoutFile != 0 {
			at = 1
		}
		if flags&batch == 0 || at >= len(names) {
			return
		}
		v = names[at]
	case strings.HasSuffix(name, "user "):
		if len(args) < 2 {
			return
		}
		v = args[1]
	default:
		var ok bool
		if v, ok = netUse(s, args); !ok {
			return
		}
	}
	if text := s[v.from:v.to]; text[0] != '/' && text[0] != '*' && text[0] != '-' {
		p.argument(v, false)
	}
}

// The flags of htpasswd that move the password.
const (
	batch       = 1 // it is on the command line
	withoutFile = 2
)

func flagBits(flags string) (bits int) {
	if strings.Contains(flags, "b") {
		bits |= batch
	}
	if strings.Contains(flags, "n") {
		bits |= withoutFile
	}
	return bits
}

// netUse is the password among the arguments of net use.
func netUse(s string, args []value) (value, bool) {
	for i, a := range args {
		text := strings.ToLower(s[a.from:a.to])
		next := i+1 < len(args) && s[args[i+1].from] != '/'
		if next && (strings.HasPrefix(text, "/user:") || strings.HasPrefix(text, "/u:") || strings.HasPrefix(text, `\\`)) {
			return args[i+1], true
		}
	}
	return value{}, false
}

// arguments are those of a command in s[from:to], at most sixteen. A sign that ends a command ends them.
func arguments(s string, from, to int) []value {
	var out []value
	for i := from; i < to && len(out) < 16; {
		i = skipSpaces(s, i)
		if i >= to || strings.IndexByte("|&;<>\n", s[i]) >= 0 {
			return out
		}
		v := value{from: i, to: min(to, wordEnd(s, i))}
		if q := s[i]; q == '"' || q == '\'' {
			if quoted, ok := (value{shell: true}).read(s, i); ok && quoted.closed {
				out = append(out, quoted)
				i = quoted.to + 1
				continue
			}
		}
		if v.to == v.from {
			return out
		}
		out = append(out, v)
		i = v.to
	}
	return out
}

// wordEnd is where the word of a command line that begins at s[i] ends.
func wordEnd(s string, i int) int {
	if i < len(s) && (s[i] == '"' || s[i] == '\'') {
		if n := strings.IndexByte(s[i+1:min(len(s), i+200)], s[i]); n >= 0 {
			return i + n + 2
		}
	}
	for i < len(s) && strings.IndexByte(" \t\r\n\"`|", s[i]) < 0 {
		i++
	}
	return i
}

func lineStart(s string, i, most int) int {
	from := max(0, i-most)
	if n := strings.LastIndexByte(s[from:i], '\n'); n >= 0 {
		return from + n + 1
	}
	return from
}

func lineEnd(s string, i, most int) int {
	to := min(len(s), i+most)
	if n := strings.IndexByte(s[i:to], '\n'); n >= 0 {
		return i + n
	}
	return to
}

// findSent finds what an expect script sends when it was asked for a password: expect "assword:", send "x\r".
func findSent(p *pass, start, end int) {
	s := p.s
	if !containsFold(s[max(0, start-120):start], []string{"assword", "assphrase"}) {
		return
	}
	if v, ok := (value{}).read(s, end-1); ok && v.closed {
		p.argument(v, false)
	}
}

// sqlPasswords come before a password in statements about users: ALTER USER bob PASSWORD 'x', PASSWORD('x').
var sqlPasswords = []string{"password '", "password('", `password "`}

// findSQLPassword finds it in such a statement.
func findSQLPassword(p *pass, start, end int) {
	before := p.s[max(0, start-160):start]
	if n := strings.LastIndexByte(before, ';'); n >= 0 {
		before = before[n+1:]
	}
	if !slices.ContainsFunc([]string{"user ", "role ", "login ", "set "}, func(w string) bool { return containsFold(before, []string{w}) }) ||
		!slices.ContainsFunc([]string{"alter ", "create ", "set "}, func(w string) bool { return containsFold(before, []string{w}) }) {
		return
	}
	if v, ok := (value{}).read(p.s, end-1); ok && v.closed {
		p.argument(v, false)
	}
}
