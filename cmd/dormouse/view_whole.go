package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/service/client"
	"dormouse/store/memory"
)

// wholeText is a text that lies beside its node and is shown in full.
type wholeText struct {
	at   int // the line before which it goes
	node string
	file memory.File
}

// wholeIndent is what its lines begin with.
const wholeIndent = "    > "

// shownHash is how many digits of a file's hash are shown: enough to find it.
const shownHash = 12

// endsOff is by how many bytes the two ends of a text may differ in length, since neither ends within a character.
const endsOff = 8

func isText(f memory.File) bool { return strings.HasSuffix(f.Path, ".txt") }

// said is what is shown of a node's text: nothing where it is but the two ends of a text that is shown in full.
func (p *transcript) said(n *memory.Node) string {
	if !p.full {
		return n.Output
	}
	for _, f := range n.Metadata.Files {
		if isText(f) && endsOnly(n.Output, f.Path) {
			return ""
		}
	}
	return n.Output
}

// endsOnly reports whether a text is the two ends of the file and the mark between them: both are equally long.
func endsOnly(s, path string) bool {
	at := strings.Index(s, path)
	if at < 0 {
		return false
	}
	before, after := strings.LastIndexByte(s[:at], '\n'), strings.IndexByte(s[at:], '\n')
	if before < 0 || after < 0 {
		return false
	}
	off := before - (len(s) - at - after - 1)
	return off <= endsOff && off >= -endsOff
}

// files adds the files that lie beside a node, or where to find them.
func (p *transcript) files(n *memory.Node) {
	for _, i := range n.Metadata.Images {
		if f, kept := p.images[i.SHA256]; kept {
			p.file(f, "image, "+text.Line(strings.TrimPrefix(path.Ext(f.Path), ".")))
		} else if n.Role != memory.RoleTool || p.full {
			p.add("  " + p.Faint(fmt.Sprintf("[%s, %s, not kept]", cmp.Or(text.Line(i.Type), "image"), size(i.Bytes))))
		}
	}
	for _, f := range n.Metadata.Files {
		if !p.full || !isText(f) {
			p.file(f, "whole text")
			continue
		}
		p.add("  " + p.Faint(fmt.Sprintf("· whole text, %s:", size(f.Bytes))))
		p.whole = append(p.whole, wholeText{len(p.lines), n.ID, f})
	}
}

// file adds a file with the way to get it.
func (p *transcript) file(f memory.File, what string) {
	hash := text.Line(f.SHA256)
	p.add("  " + p.Faint(fmt.Sprintf("· %s, %s: dormouse show %s --file %s --out FILE", what, size(f.Bytes), quote(p.session.ID), hash[:min(len(hash), shownHash)])))
}

// writer prints a session while it comes, and holds no more of it than a part.
type writer struct {
	transcript
	out     *bufio.Writer
	count   int // of turns
	printed int // of the lines
}

func (a *app) transcriptWriter(s api.Session, full bool) *writer {
	v := a.view()
	v.full = full
	w := &writer{transcript: transcript{page: page{view: v}, session: s}, out: bufio.NewWriter(a.Stdout)}
	w.title()
	return w
}

// turns prints turns. Texts that lie beside their nodes and are to be shown in full are passed on while they come.
func (w *writer) turns(ctx context.Context, c *client.Client, part api.Transcript) error {
	w.images = part.Images
	for _, t := range part.Turns {
		w.turn(t)
		w.count++
		for _, f := range w.whole {
			w.put(f.at)
			if err := w.stream(ctx, c, w.session.ID, f, w.out); err != nil {
				return errors.Join(w.out.Flush(), err)
			}
		}
		w.put(len(w.lines))
		w.lines, w.whole, w.printed = append(w.lines[:0], w.lines[len(w.lines)-1]), w.whole[:0], 1 // the last one says whether a gap is due
	}
	return w.out.Flush()
}

// put prints the lines before one.
func (w *writer) put(end int) {
	for _, l := range w.lines[w.printed:end] {
		_, _ = w.out.WriteString(l) // its error stays for Flush
		_ = w.out.WriteByte('\n')
	}
	w.printed = end
}

func (w *writer) end() error {
	w.transcript.end(w.count)
	w.put(len(w.lines))
	return w.flush()
}

func (w *writer) flush() error {
	if w == nil {
		return nil
	}
	return w.out.Flush()
}

// stream prints one text. One that is missing or damaged is said to be so in its place, and the others go on.
func (v view) stream(ctx context.Context, c *client.Client, session string, w wholeText, out *bufio.Writer) error {
	to := &clean{to: out, lines: func(s string) []string {
		q := page{view: v}
		q.prose(s, wholeIndent, v.Faint)
		return q.lines
	}}
	_, err := c.SessionFile(ctx, api.FileQuery{ID: session, Node: w.node, SHA256: w.file.SHA256}, to)
	if flushed := to.flush(); flushed != nil {
		return flushed
	}
	var refused *api.Error
	if errors.As(err, &refused) || errors.Is(err, client.ErrTorn) {
		q := page{view: v}
		q.prose(text.Line(err.Error()), "    ! ", v.Bad)
		_, err = out.WriteString(strings.Join(q.lines, "\n") + "\n")
	}
	return err
}
