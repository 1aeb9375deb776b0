package aider

import (
	"regexp"
	"strconv"
	"strings"

	"dormouse/service/capture/chain"
	"dormouse/store/memory"
)

var (
	tokensLine = newNotice("T", `^Tokens: ([\d.,]+[kM]?) sent(?:, ([\d.,]+[kM]?) cache write)?(?:, ([\d.,]+[kM]?) cache hit)?, ([\d.,]+[kM]?) received`)
	modelLine  = newNotice("M", `^(?:Main model|Model): (\S+)`)
	commitLine = newNotice("C", `^Commit ([0-9a-f]{7,40}) `)
)

// applied begins the line that names a file which the client changed.
const applied = "Applied edit to "

// notice is an expression for lines, and what all of them begin with.
type notice struct {
	begins string
	form   *regexp.Regexp
}

func newNotice(begins, form string) notice { return notice{begins, regexp.MustCompile(form)} }

func match(n notice, line string) []string {
	if !strings.HasPrefix(line, n.begins) {
		return nil
	}
	return n.form.FindStringSubmatch(line)
}

// told takes a block of the client's lines: tokens of the message before, edits that were applied, and notices.
func (p *parser) told(at chain.At, text string, key []string) {
	var notices, edited []string
	commit := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case p.tokens(line):
		case strings.HasPrefix(line, applied) && len(line) > len(applied):
			edited = append(edited, line[len(applied):])
		default:
			if m := match(modelLine, line); m != nil {
				p.s.Model = m[1]
			}
			if m := match(commitLine, line); m != nil {
				commit = m[1]
			}
			notices = append(notices, line)
		}
	}
	p.say()
	if len(edited) > 0 {
		p.edits(at, edited, key)
	}
	if commit != "" {
		p.s.Commit = commit
	}
	p.s.Client(at, memory.KindHarness, strings.Join(notices, "\n"), append(key, "notice")...)
}

// tokens reads the line that tells what a message cost; it is for the message before it.
func (p *parser) tokens(line string) bool {
	m := match(tokensLine, line)
	if m == nil {
		return false
	}
	if p.waiting != nil {
		read, write := rounded(m[3]), rounded(m[2])
		p.waiting.Usage = &memory.Usage{Input: max(rounded(m[1])-read-write, 0), CacheRead: read, CacheWrite: write, Output: rounded(m[4])}
	}
	return true
}

// rounded reads a number such as 1.2k.
func rounded(s string) int64 {
	unit := 1.0
	switch {
	case strings.HasSuffix(s, "k"):
		unit = 1e3
	case strings.HasSuffix(s, "M"):
		unit = 1e6
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimRight(s, "kM"), ",", ""), 64)
	if err != nil {
		return 0
	}
	return int64(f * unit)
}

// edits makes a call of each file that was changed.
func (p *parser) edits(at chain.At, paths []string, key []string) {
	var m chain.Message
	for _, path := range paths {
		p.edited[path]++
		input, err := memory.Encode(map[string]string{"path": path})
		if err != nil {
			continue
		}
		e := replaced(path, p.said)
		r := chain.Result{Text: "Applied edit to " + path, Edits: []memory.Edit{e}}
		m.Calls = append(m.Calls, chain.Call{ID: strings.Join(key[:2], "/") + "#" + path + "#" + strconv.Itoa(p.edited[path]), Name: "edit", Input: input, Result: &r})
	}
	p.s.Say(at, m, key[0])
	p.s.Close()
}

// replaced is what a message says that it changes in a file: the blocks of search and replacement whose last line before them names
// the file. The client may have changed it in several messages; only the newest is looked at.
func replaced(path, said string) memory.Edit {
	var mine strings.Builder
	before, inside, take := "", false, false
	for line := range strings.Lines(said) {
		t := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(t, "<<<<<<< SEARCH"):
			inside, take = true, strings.Trim(before, "`*# :") == path
		case !inside && t != "" && !strings.HasPrefix(t, "```"):
			before = t
		}
		if inside && take {
			mine.WriteString(line)
		}
		if strings.HasPrefix(t, ">>>>>>> REPLACE") {
			inside = false
		}
	}
	if mine.Len() == 0 {
		return memory.Edit{Path: path, Op: "update"}
	}
	return chain.Searched(path, mine.String())
}
