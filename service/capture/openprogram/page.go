package openprogram

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"dormouse/service/capture/chain"
	"dormouse/service/capture/document"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

const memoryFolder = "memory"

// pageFolders hold the pages of the memory: days, or what was distilled from them, by whatever name the version gives them.
var pageFolders = []string{"short-term", "journal", "wiki", "topics"}

// pagePrefix begins the id of a session that is a page: its path in the state folder, with slashes.
const pagePrefix = memoryFolder + "/"

// lookForPages finds the pages of the memory in a state folder.
func (l *library) lookForPages(ctx context.Context, found map[string][]folder) error {
	for _, kind := range pageFolders {
		root := filepath.Join(l.path, memoryFolder, kind)
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil && os.IsNotExist(err) {
				return nil
			}
			if err != nil || ctx.Err() != nil {
				return firstError(err, ctx.Err())
			}
			info, err := d.Info()
			if err != nil || !info.Mode().IsRegular() || filepath.Ext(path) != ".md" {
				return nil
			}
			rel, err := filepath.Rel(l.path, path)
			if err != nil {
				return err
			}
			id := filepath.ToSlash(rel)
			found[id] = []folder{{dir: path, version: document.Version(info), updated: info.ModTime().Unix(), bytes: info.Size()}}
			return nil
		})
		if err != nil {
			return fmt.Errorf("look for pages of the memory: %w", err)
		}
	}
	return nil
}

func firstError(errs ...error) error {
	i := slices.IndexFunc(errs, func(err error) bool { return err != nil })
	if i < 0 {
		return nil
	}
	return errs[i]
}

// page reads a page: a node for each paragraph and each item of a list. What only parts or explains them is the client's.
func (l *library) page(id string, f *folder, use func(memory.Node) error) (transcript.Facts, error) {
	text := small(f.dir)
	if text == nil && f.bytes > 0 {
		l.opts.Skip(transcript.Skip{Reason: transcript.TooLong, File: f.dir, Line: 1, Bytes: f.bytes})
	}
	b := chain.New(Agent, l.opts)
	s := b.Main()
	b.Facts.Title, b.Facts.TitleBy = id, "agent"
	b.Seen(f.updated)
	parts := blocksOf(strings.ToValidUTF8(string(text), "\ufffd"))
	noted := datesOf(parts)
	day := dayOf(id)
	met := map[string]int{}
	for _, p := range parts {
		met[p.text]++
		at := chain.At{File: f.dir, Line: p.line, Time: day, Source: fmt.Sprintf("%s:%d", id, p.line)}
		kind := memory.KindHarness
		if p.says {
			kind = memory.KindPage
			at.Time = max(at.Time, noted.of(p.text))
		}
		s.Client(at, kind, p.text, id, p.text, fmt.Sprint(met[p.text]))
	}
	for _, n := range b.Drain(transcript.Over) {
		if err := use(n); err != nil {
			return b.Facts, err
		}
	}
	facts := b.Facts
	facts.Updated = max(facts.Updated, f.updated)
	return facts, nil
}

// block is a piece of a page: lines that belong together.
type block struct {
	text string
	line int  // its first line, from 1
	says bool // it is a statement, and no heading, code or note
}

var (
	itemRE = regexp.MustCompile(`^\s*(?:[-*+]|\d+[.)])\s+\S`)
	noteRE = regexp.MustCompile(`^\[\^([^\]]+)\]:`)
	timeRE = regexp.MustCompile("(?:Time:\\s*`?|^\\[\\^[^\\]]+\\]:\\s*)(\\d{4}-\\d{2}-\\d{2})\\b")
	citeRE = regexp.MustCompile(`\[\^([^\]]+)\]`)
	dayRE  = regexp.MustCompile(`/(\d{4}-\d{2}-\d{2})\.md$`)
)

// blocksOf parts a page.
func blocksOf(text string) []block {
	var p pager
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	p.front = lines[0] == "---" && slices.Contains(lines[1:], "---")
	for i, line := range lines {
		p.take(i+1, line)
	}
	return p.out
}

// pager parts a page into blocks.
type pager struct {
	out    []block
	front  bool // in what stands between lines of dashes at the beginning
	fenced bool // in code
	open   bool // the last block goes on
}

func (p *pager) take(n int, line string) {
	trimmed := strings.TrimSpace(line)
	fence := strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~")
	switch {
	case p.front:
		p.add(n, line, false)
		p.front = n == 1 || trimmed != "---"
	case fence:
		p.fenced = !p.fenced
		p.add(n, line, false)
	case p.fenced:
		p.add(n, line, false)
	case trimmed == "" || trimmed == "---" || trimmed == "***":
		p.open = false
	case strings.HasPrefix(trimmed, "#"):
		p.open = false
		p.add(n, line, false)
		p.open = false
	case noteRE.MatchString(trimmed), strings.HasPrefix(trimmed, "<!--"), strings.HasPrefix(trimmed, "|"):
		p.add(n, line, false)
	default:
		p.open = p.open && !itemRE.MatchString(line)
		p.add(n, line, true)
	}
}

// add adds a line, to the last block where that goes on.
func (p *pager) add(n int, line string, says bool) {
	line = strings.TrimRight(line, " \t")
	if last := len(p.out) - 1; p.open && p.out[last].says == says {
		p.out[last].text += "\n" + line
	} else {
		p.out = append(p.out, block{text: line, line: n, says: says})
	}
	p.open = true
}

// dates are the days that notes of a page name, by the note.
type dates map[string]int64

func datesOf(blocks []block) dates {
	out := dates{}
	for _, b := range blocks {
		for line := range strings.Lines(b.text) {
			note, when := noteRE.FindStringSubmatch(line), timeRE.FindStringSubmatch(line)
			if note != nil && when != nil {
				out[note[1]] = unixOf(when[1])
			}
		}
	}
	return out
}

// of is the newest day of the notes that a text cites; 0 where none is known.
func (d dates) of(text string) (at int64) {
	for _, m := range citeRE.FindAllStringSubmatch(text, -1) {
		at = max(at, d[m[1]])
	}
	return at
}

// dayOf is the day that a page is called by; 0 where it is called otherwise.
func dayOf(id string) int64 {
	if m := dayRE.FindStringSubmatch(id); m != nil {
		return unixOf(m[1])
	}
	return 0
}

func unixOf(day string) int64 {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return 0
	}
	return max(t.Unix(), 0)
}
