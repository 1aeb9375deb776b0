package transcript

import (
	"path"
	"strings"
)

// shellFiles are the files that a shell command reads: operands of programs that show or search files, and what is redirected
// into a command. Only plain paths count: no patterns, variables or substitutions. A path is joined to the folder that the
// command changed to before.
func shellFiles(command string) []string {
	var out []string
	dir := ""
	for _, words := range shellCommands(command) {
		words = unwrapped(words)
		if len(words) == 0 {
			continue
		}
		args := words[1:]
		switch program := path.Base(words[0].text); {
		case program == "cd" || program == "pushd":
			if len(args) == 1 && args[0].plain && args[0].text != "-" {
				dir = join(dir, args[0].text)
			}
		case (program == "bash" || program == "sh" || program == "zsh") && script(args) != "":
			for _, f := range shellFiles(script(args)) {
				out = append(out, join(dir, f))
			}
		default:
			for _, f := range operands(program, args) {
				out = append(out, join(dir, f))
			}
		}
		for i, w := range words[:len(words)-1] {
			if next := words[i+1]; w.redirect == "<" && next.plain && looksLikeFile(next.text) {
				out = append(out, join(dir, next.text))
			}
		}
	}
	return out
}

// join is a path seen from a folder; "" is the one where the command began.
func join(dir, p string) string {
	if dir == "" || strings.HasPrefix(p, "/") || strings.HasPrefix(p, "~") || len(p) > 1 && p[1] == ':' {
		return p
	}
	return path.Join(dir, p)
}

// script is the text that a shell is given with -c, as in bash -lc.
func script(args []word) string {
	for i, a := range args {
		if strings.HasPrefix(a.text, "-") && !strings.HasPrefix(a.text, "--") && strings.HasSuffix(a.text, "c") && i+1 < len(args) {
			return args[i+1].text
		}
	}
	return ""
}

// before are programs that run another one, and how many operands of their own they take first.
var before = map[string]int{"sudo": 0, "time": 0, "nice": 0, "nohup": 0, "command": 0, "exec": 0, "env": 0, "timeout": 1, "stdbuf": 0, "builtin": 0, "then": 0, "do": 0, "else": 0, "if": 0, "while": 0, "!": 0, "{": 0}

// unwrapped takes assignments and programs that run another one from the front of a command.
func unwrapped(words []word) []word {
	for len(words) > 0 {
		own, runs := before[words[0].text]
		if !runs && !assignment(words[0].text) {
			return words
		}
		words = words[1:]
		for runs && len(words) > 0 && (strings.HasPrefix(words[0].text, "-") || own > 0) {
			if !strings.HasPrefix(words[0].text, "-") {
				own--
			}
			words = words[1:]
		}
	}
	return nil
}

func assignment(w string) bool {
	name, _, ok := strings.Cut(w, "=")
	return ok && name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// reader says how a program that reads files takes its operands.
type reader struct {
	skip     int    // operands that are no files: a script or a pattern
	unless   string // short options that give those, so that all operands are files
	valued   string // short options that take a value
	longFlag []string
}

var readers = map[string]reader{
	"cat": {}, "tac": {}, "less": {}, "more": {}, "wc": {}, "sort": {valued: "kto"}, "uniq": {}, "diff": {valued: "U"}, "cmp": {}, "strings": {valued: "n"},
	"file": {}, "md5sum": {}, "sha1sum": {}, "sha256sum": {}, "base64": {}, "xxd": {valued: "ls"}, "hexdump": {valued: "ns"}, "od": {valued: "tNj"},
	"head": {valued: "nc"}, "tail": {valued: "nc"}, "nl": {valued: "bw"}, "bat": {valued: "r"}, "batcat": {valued: "r"}, "cut": {valued: "dfc"},
	"sed": {skip: 1, unless: "ef", valued: "ef"}, "awk": {skip: 1, unless: "f", valued: "fFv"}, "gawk": {skip: 1, unless: "f", valued: "fFv"},
	"grep": {skip: 1, unless: "ef", valued: "efABCm"}, "egrep": {skip: 1, unless: "ef", valued: "efABCm"}, "fgrep": {skip: 1, unless: "ef", valued: "efABCm"},
	"rg": {skip: 1, unless: "ef", valued: "efABCmgtTjM", longFlag: []string{"--glob", "--type", "--max-count", "--context", "--regexp"}},
	"jq": {skip: 1, unless: "f", valued: "f"}, "yq": {skip: 1},
}

// operands are the files among the arguments of a program.
func operands(program string, args []word) []string {
	r, known := readers[program]
	if !known {
		return nil
	}
	var out []string
	skip, options := r.skip, true
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a.redirect != "":
			i++ // what follows is no operand
		case options && a.text == "--":
			options = false
		case options && strings.HasPrefix(a.text, "--"):
			for _, f := range r.longFlag {
				if a.text == f {
					i++
				}
			}
		case options && len(a.text) > 1 && a.text[0] == '-':
			if strings.ContainsAny(a.text[1:], r.unless) {
				skip = 0
			}
			if strings.IndexByte(r.valued, a.text[len(a.text)-1]) >= 0 {
				i++
			}
		case skip > 0:
			skip--
		case a.plain && looksLikeFile(a.text):
			out = append(out, a.text)
		}
	}
	return out
}

// looksLikeFile reports whether an operand can be the path of a file.
func looksLikeFile(p string) bool {
	return p != "" && p != "-" && p != "." && p != ".." && !strings.HasSuffix(p, "/") && !strings.HasPrefix(p, "/dev/") && len(p) < 1024
}
