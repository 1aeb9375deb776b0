package model

import (
	"dormouse/app/lang"

	"net/url"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

// spans are the runs of text in a block.
func (r *reader) spans(n ast.Node) []Span {
	var out []Span
	r.inline(n, Span{}, &out)
	for len(out) > 0 && strings.TrimSpace(out[len(out)-1].Text) == "" {
		out = out[:len(out)-1]
	}
	return out
}

// inline adds the text below a node in a style.
func (r *reader) inline(n ast.Node, style Span, out *[]Span) {
	add := func(text string, s Span) {
		s.Text = text
		if last := len(*out) - 1; last >= 0 && alike((*out)[last], s) {
			(*out)[last].Text += text
		} else if text != "" {
			*out = append(*out, s)
		}
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		s := style
		switch c := c.(type) {
		case *ast.Text:
			add(r.text(c, s.Code)+r.lineEnd(c), s)
		case *ast.String:
			add(string(c.Value), s)
		case *ast.CodeSpan:
			s.Code = true
			r.inline(c, s, out)
		case *ast.Emphasis:
			s.Bold, s.Italic = s.Bold || c.Level == 2, s.Italic || c.Level != 2
			r.inline(c, s, out)
		case *east.Strikethrough:
			s.Strike = true
			r.inline(c, s, out)
		case *ast.AutoLink:
			s.URL = link(string(c.URL(r.src)))
			add(string(c.Label(r.src)), s)
		case *ast.Link:
			r.linked(c, style, out, add)
		case *ast.Image:
			var alt []Span
			r.inline(c, Span{}, &alt)
			s.Italic = true
			add("["+joined(": ", lang.Say("image"), Text(alt))+"] "+Line(string(c.Destination)), s)
		case *ast.RawHTML:
			for i := range c.Segments.Len() {
				segment := c.Segments.At(i)
				add(string(segment.Value(r.src)), s)
			}
		case *east.TaskCheckBox: // its item shows it
		default:
			r.inline(c, s, out)
		}
	}
}

// linked adds a link. One whose text hides where it leads has its host behind it.
func (r *reader) linked(c *ast.Link, style Span, out *[]Span, add func(string, Span)) {
	s := style
	address := Line(string(c.Destination))
	s.URL = link(address)
	before := len(*out)
	r.inline(c, s, out)
	said := Text((*out)[min(before, len(*out)):])
	switch u, err := url.Parse(s.URL); {
	case s.URL == "" && address != "" && !strings.Contains(said, address):
		add(" ("+address+")", style)
	case s.URL != "" && err == nil && !strings.Contains(said, u.Host):
		add(" ("+u.Host+")", style)
	}
}

// text is a run of text as it is meant: but for code, without the backslashes that protect it and with its entities named.
func (r *reader) text(t *ast.Text, code bool) string {
	v := t.Value(r.src)
	if code {
		return string(v)
	}
	return Clean(string(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(v)))))
}

func (r *reader) lineEnd(t *ast.Text) string {
	switch {
	case t.HardLineBreak(), t.SoftLineBreak() && r.breaks:
		return "\n"
	case t.SoftLineBreak():
		return " "
	}
	return ""
}

func alike(a, b Span) bool {
	a.Text, b.Text = "", ""
	return a == b
}
