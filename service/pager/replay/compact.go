package replay

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// compact writes JSON without blanks and with no escape that is not needed, keys in their order: the form whose bytes are a call's
// size by the metric's definition. What is no JSON stays as it is.
func compact(raw json.RawMessage) json.RawMessage { return rewrite(raw, ",", ":") }

// spaced is the same with a blank after each comma and colon, as the baseline's stubs show arguments.
func spaced(raw json.RawMessage) json.RawMessage { return rewrite(raw, ", ", ": ") }

func rewrite(raw json.RawMessage, comma, colon string) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	w := writer{d: d, comma: comma, colon: colon}
	if !w.value() {
		return raw
	}
	return w.out.Bytes()
}

// writer writes the values that a decoder gives.
type writer struct {
	d            *json.Decoder
	out          bytes.Buffer
	comma, colon string
}

func (w *writer) value() bool {
	t, err := w.d.Token()
	if err != nil {
		return false
	}
	switch v := t.(type) {
	case json.Delim:
		return w.list(v)
	case string:
		quote(&w.out, v)
	case json.Number:
		w.out.WriteString(number(v))
	case bool:
		w.out.WriteString(strconv.FormatBool(v))
	case nil:
		w.out.WriteString("null")
	}
	return true
}

func (w *writer) list(open json.Delim) bool {
	w.out.WriteByte(byte(open))
	for n := 0; w.d.More(); n++ {
		if n > 0 {
			w.out.WriteString(w.comma)
		}
		if open == '{' {
			if !w.value() {
				return false
			}
			w.out.WriteString(w.colon)
		}
		if !w.value() {
			return false
		}
	}
	end, err := w.d.Token()
	if err != nil {
		return false
	}
	w.out.WriteByte(byte(end.(json.Delim)))
	return true
}

// number is a number as Python prints it: a fraction or an exponent makes it a float, which has at least one digit after the point.
func number(n json.Number) string {
	s := n.String()
	if !strings.ContainsAny(s, ".eE") {
		return s
	}
	f, err := n.Float64()
	if err != nil {
		return s
	}
	if g := strconv.FormatFloat(f, 'f', -1, 64); f == 0 || f >= 1e-4 && f < 1e16 || f <= -1e-4 && f > -1e16 {
		if !strings.Contains(g, ".") {
			g += ".0"
		}
		return g
	}
	return strconv.FormatFloat(f, 'e', -1, 64)
}

func quote(out *bytes.Buffer, s string) {
	out.WriteByte('"')
	for _, r := range s {
		switch r {
		case '"', '\\':
			out.WriteByte('\\')
			out.WriteRune(r)
		case '\n':
			out.WriteString(`\n`)
		case '\r':
			out.WriteString(`\r`)
		case '\t':
			out.WriteString(`\t`)
		case '\b':
			out.WriteString(`\b`)
		case '\f':
			out.WriteString(`\f`)
		default:
			if r < 0x20 {
				out.WriteString(`\u00`)
				out.WriteByte("01"[r>>4])
				out.WriteByte("0123456789abcdef"[r&15])
			} else {
				out.Write(utf8.AppendRune(nil, r))
			}
		}
	}
	out.WriteByte('"')
}
