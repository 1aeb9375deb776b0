package connect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// document is a JSON file with comments, changed by cutting and inserting text, so that everything else stays as it is.
type document struct{ text []byte }

// parse reads the document anew after each change: these files are small.
func (d document) parse() (hujson.Value, error) {
	v, err := hujson.Parse(join(d.text, "\n")) // a comment at the end may lack its line's end
	if err != nil {
		return v, err
	}
	if _, ok := v.Value.(*hujson.Object); !ok {
		return v, fmt.Errorf("it is no JSON object")
	}
	v.UpdateOffsets()
	return v, nil
}

// newline is the end of line that the document has.
func (d document) newline() string {
	if bytes.Contains(d.text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// unit is what the document indents by: the white space before its first member, or two blanks.
func (d document) unit() string {
	for line := range bytes.Lines(d.text) {
		rest := bytes.TrimLeft(line, " \t")
		if n := len(line) - len(rest); n > 0 && len(bytes.TrimSpace(rest)) > 0 && rest[0] == '"' {
			return string(line[:n])
		}
	}
	return "  "
}

// span is a container: the offsets after its opening and before its closing bracket, those of its items, and whether a comma
// follows the last one.
type span struct {
	open, close int
	items       []item
	trailing    bool
}

// item is a member or an element, from its first byte to the one after its last; gap is where the comments before it end, and
// after where those before the next comma do.
type item struct{ start, end, gap, after int }

func spanOf(v *hujson.Value) span {
	s := span{open: v.StartOffset + 1, close: v.EndOffset - 1}
	add := func(from, to *hujson.Value) {
		s.items = append(s.items, item{start: from.StartOffset, end: to.EndOffset,
			gap: from.StartOffset - blanksAtEnd(from.BeforeExtra), after: to.EndOffset + len(to.AfterExtra)})
		s.trailing = to.AfterExtra != nil
	}
	switch c := v.Value.(type) {
	case *hujson.Object:
		for i := range c.Members {
			add(&c.Members[i].Name, &c.Members[i].Value)
		}
	case *hujson.Array:
		for i := range c.Elements {
			add(&c.Elements[i], &c.Elements[i])
		}
	}
	return s
}

// blanksAtEnd is how much white space stands at the end of what is between two values.
func blanksAtEnd(extra []byte) int { return len(extra) - len(bytes.TrimRight(extra, " \t\r\n")) }

// insert adds an item at the end of a container that lies depth levels deep. Where the container is written on one line, so is
// the item.
func (d document) insert(s span, depth int, render func(indent, unit, newline string) string) document {
	inner := d.text[s.open:s.close]
	nl, unit := d.newline(), d.unit()
	indent := strings.Repeat(unit, depth+1)
	flat := len(s.items) > 0 && !bytes.Contains(inner, []byte("\n"))
	before, after := nl+indent, ""
	if flat {
		before, indent, unit, nl = " ", "", "", ""
	}
	text := before + render(indent, unit, nl)
	comments := s.close - blanksAtEnd(inner) // the end of the last comment or value
	switch {
	case len(s.items) == 0:
		after = nl + strings.Repeat(unit, depth)
		return document{join(d.text[:max(comments, s.open)], text, after, d.text[s.close:])}
	case s.trailing:
		last := s.items[len(s.items)-1]
		return document{join(d.text[:last.after+1], d.text[last.after+1:max(comments, last.after+1)], text, ",", d.text[max(comments, last.after+1):])}
	}
	last := s.items[len(s.items)-1]
	return document{join(d.text[:last.end], ",", d.text[last.end:comments], text, d.text[comments:])}
}

// remove takes an item out, with the comma that belongs to it and the white space before it. Comments stay.
func (d document) remove(s span, i int) document {
	it := s.items[i]
	switch {
	case len(s.items) == 1 && len(bytes.TrimSpace(d.text[s.open:it.start])) == 0 && len(bytes.TrimSpace(d.text[it.end:s.close])) <= 1:
		return document{join(d.text[:s.open], d.text[s.close:])}
	case i < len(s.items)-1 || s.trailing:
		return document{join(d.text[:it.gap], d.text[it.end:it.after], d.text[it.after+1:])}
	case i > 0:
		comma := s.items[i-1].after
		return document{join(d.text[:comma], d.text[comma+1:it.gap], d.text[it.end:])}
	}
	return document{join(d.text[:it.gap], d.text[it.end:])}
}

func join(parts ...any) []byte {
	var b bytes.Buffer
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			b.WriteString(p)
		case []byte:
			b.Write(p)
		}
	}
	return b.Bytes()
}

// render writes a value as JSON over several lines, or on one where there is no newline.
func render(v any, indent, unit, nl string) string {
	list := func(open, close string, n int, item func(i int, indent string) string) string {
		deeper, between := indent+unit, ","+nl+indent+unit
		if nl == "" {
			between = ", "
		}
		out := make([]string, n)
		for i := range out {
			out[i] = item(i, deeper)
		}
		body := strings.Join(out, between)
		if nl == "" {
			return open + body + close
		}
		return open + nl + deeper + body + nl + indent + close
	}
	switch v := v.(type) {
	case []member:
		return list("{", "}", len(v), func(i int, indent string) string {
			return quote(v[i].name) + ": " + render(v[i].value, indent, unit, nl)
		})
	case []any:
		return list("[", "]", len(v), func(i int, indent string) string { return render(v[i], indent, unit, nl) })
	case string:
		return quote(v)
	}
	return fmt.Sprint(v)
}

// quote writes a JSON string without escaping what needs none.
func quote(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string can always be encoded
	return strings.TrimSuffix(b.String(), "\n")
}
