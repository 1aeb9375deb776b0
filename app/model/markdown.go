package model

import (
	"dormouse/app/lang"

	"fmt"
	"net/url"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// BlockKind is what a block of text is.
type BlockKind int

// The kinds of block.
const (
	Paragraph BlockKind = iota
	Heading
	Code
	Quote
	Item // of a list
	Rule
	Table
)

// Block is one block of a text.
type Block struct {
	Kind   BlockKind
	Level  int    // of a heading from 1, of an item from 0
	Marker string // of an item: "•", "3." or a box
	Spans  []Span
	Text   string     // of code
	Rows   [][]string // of a table, the head first
}

// Span is a run of text in one style.
type Span struct {
	Text                       string
	Bold, Italic, Code, Strike bool
	// URL is where a link leads, http or https only; empty for none.
	URL string
}

// maxText is how much of one message is laid out, in bytes. The rest can be copied.
const maxText = 48 << 10

// Markdown reads clean text as Markdown. Nothing is loaded, and nothing that a reader would see is lost: images become their
// address and HTML stays the text that it is. With breaks, line ends stay line ends, as people mean them.
func Markdown(s string, breaks bool) []Block {
	left := len(s) - maxText
	if left > 0 {
		s = strings.ToValidUTF8(s[:maxText], "")
	}
	src := []byte(s)
	doc := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList, extension.Linkify)).
		Parser().Parse(text.NewReader(src))
	r := reader{src: src, breaks: breaks}
	r.blocks(doc, 0, Paragraph)
	if left > 0 {
		r.out = append(r.out, Block{Spans: []Span{{Text: lang.Say("… {size} more; copy takes all of it", size(left)), Italic: true}}})
	}
	return r.out
}

// plainBlocks is clean text without any markup.
func plainBlocks(s string) []Block {
	d := detail("", s)
	out := []Block{{Spans: []Span{{Text: d.Text}}}}
	if d.Cut != "" {
		out = append(out, Block{Spans: []Span{{Text: d.Cut, Italic: true}}})
	}
	return out
}

// reader turns the tree of a text into blocks.
type reader struct {
	src    []byte
	breaks bool
	out    []Block
}

// blocks adds the blocks below a node. Depth is that of lists; kind is what paragraphs are there.
func (r *reader) blocks(n ast.Node, depth int, kind BlockKind) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Heading:
			r.add(Block{Kind: Heading, Level: c.Level, Spans: r.spans(c)})
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			r.add(Block{Kind: Code, Text: strings.TrimRight(r.lines(c), "\n")})
		case *ast.HTMLBlock:
			r.add(Block{Kind: kind, Level: depth, Spans: []Span{{Text: strings.TrimRight(r.lines(c)+r.closure(c), "\n")}}})
		case *ast.ThematicBreak:
			r.add(Block{Kind: Rule})
		case *ast.Blockquote:
			r.blocks(c, depth, Quote)
		case *ast.List:
			r.list(c, depth)
		case *east.Table:
			r.table(c)
		default:
			r.add(Block{Kind: kind, Level: depth, Spans: r.spans(c)})
		}
	}
}

func (r *reader) add(b Block) {
	if b.Kind == Rule || b.Text != "" || len(b.Spans) > 0 || len(b.Rows) > 0 {
		r.out = append(r.out, b)
	}
}

// list adds the items of a list; what follows an item's first paragraph stands below it.
func (r *reader) list(l *ast.List, depth int) {
	n := l.Start
	for c := l.FirstChild(); c != nil; c = c.NextSibling() {
		item := Block{Kind: Item, Level: depth, Marker: "•"}
		if l.IsOrdered() {
			item.Marker = fmt.Sprintf("%d.", n)
			n++
		}
		first := c.FirstChild()
		if first != nil && (first.Kind() == ast.KindParagraph || first.Kind() == ast.KindTextBlock) {
			if box, ok := first.FirstChild().(*east.TaskCheckBox); ok {
				item.Marker = "☐"
				if box.IsChecked {
					item.Marker = "☑"
				}
			}
			item.Spans = r.spans(first)
			c.RemoveChild(c, first)
		}
		r.out = append(r.out, item)
		r.blocks(c, depth+1, Paragraph)
	}
}

func (r *reader) table(t *east.Table) {
	var rows [][]string
	for row := t.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []string
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			cells = append(cells, Text(r.spans(cell)))
		}
		rows = append(rows, cells)
	}
	r.add(Block{Kind: Table, Rows: rows})
}

// Text is spans without their styles.
func Text(spans []Span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.Text)
	}
	return b.String()
}

func (r *reader) lines(n ast.Node) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		b.Write(line.Value(r.src))
	}
	return b.String()
}

func (r *reader) closure(n *ast.HTMLBlock) string {
	if !n.HasClosure() {
		return ""
	}
	return string(n.ClosureLine.Value(r.src))
}

// link is an address that may be opened; empty for every other one, such as of a file or a script.
func link(address string) string {
	u, err := url.Parse(Line(address))
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return ""
	}
	return u.String()
}
