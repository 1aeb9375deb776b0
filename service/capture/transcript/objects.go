package transcript

import (
	"bytes"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// maxDepth is how deep JSON may be nested. Real records stay below 30.
const maxDepth = 512

var (
	bom = []byte("\ufeff")
	nul = []byte{0}
)

// Objects calls use with each JSON object of the line: one as a rule, several where two writers met on one line, and those
// that can still be told apart where a line is damaged. The rest goes to skip. A blank line is nothing and is not counted.
// An object at the start of the line is used whatever follows it, so that it does not matter whether the line was read before
// its end had arrived.
func Objects(l Line, use func([]byte), skip func(Skip)) {
	note := func(reason string, n int) {
		skip(Skip{Reason: reason, File: l.File, Line: l.Number, Bytes: int64(n)})
	}
	data := bytes.TrimRight(trimStart(l.Data), blanks)
	if n := bytes.Count(l.Data, nul) - bytes.Count(data, nul); n > 0 {
		note(NulBytes, n)
	}
	if len(data) == 0 {
		return
	}
	if !utf8.Valid(data) {
		note(BadUTF8, 0)
		data = bytes.ToValidUTF8(data, []byte("\ufffd"))
	}
	switch {
	case deep(data):
		if end := objectEnd(data); data[0] == '{' && end > 0 && !deep(data[:end]) && gjson.ValidBytes(data[:end]) {
			use(data[:end])
			data = data[end:]
		}
		note(TooDeep, len(data))
	case !gjson.ValidBytes(data):
		salvage(data, use, note)
	case data[0] != '{':
		note(NotObject, len(data))
	default:
		use(data)
	}
}

// salvage finds the whole objects in a line that is not valid JSON. An object that was searched for behind damage must look
// like a record and reach to the end of the line, so that no part of a torn record is taken for one.
func salvage(data []byte, use func([]byte), note func(string, int)) {
	lost, searched := 0, false
	for budget := 8 * len(data); len(data) > 0 && budget > 0; {
		end := -1
		if data[0] == '{' {
			end = objectEnd(data)
		}
		if end > 0 && gjson.ValidBytes(data[:end]) && (!searched || end == len(data) && isRecord(data)) {
			use(data[:end])
			data = trimStart(data[end:])
			continue
		}
		searched = true
		if end < 0 {
			end = len(data)
		}
		budget -= end
		n := 1 + nextStart(data[1:])
		lost += n
		data = data[n:]
	}
	if lost += len(data); lost > 0 {
		note(NotJSON, lost)
	}
}

// blanks are the bytes around objects that are nothing: white space, and the NUL bytes that a crash of the machine leaves.
const blanks = " \t\r\n\v\f\x00"

// trimStart cuts off what may stand before an object: blanks, byte order marks, and the comma after an earlier object.
func trimStart(data []byte) []byte {
	for {
		rest := bytes.TrimPrefix(bytes.TrimLeft(data, blanks+","), bom)
		if len(rest) == len(data) {
			return data
		}
		data = rest
	}
}

// nextStart is the offset of the next place where an object with fields can begin, or the length of the data. Inside a
// JSON string a quote is escaped, so this never points into one.
func nextStart(data []byte) int {
	if i := bytes.Index(data, []byte(`{"`)); i >= 0 {
		return i
	}
	return len(data)
}

// isRecord tells a record from an object inside one: every agent's records have a type and a time, a session or a payload.
func isRecord(obj []byte) bool {
	r := gjson.GetManyBytes(obj, "type", "timestamp", "payload", "sessionId")
	return r[0].Type == gjson.String && (r[1].Exists() || r[2].Exists() || r[3].Exists())
}

// objectEnd is the offset after the object at the start of data, or -1 when it has no end there.
func objectEnd(data []byte) int {
	depth, inString := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// isObject reports whether Objects takes data for one whole object, and so does with whatever may follow on its line.
func isObject(data []byte) bool {
	data = bytes.TrimRight(trimStart(data), blanks)
	return len(data) > 1 && data[0] == '{' && data[len(data)-1] == '}' && !deep(data) && gjson.ValidBytes(data)
}

// Valid reports whether data is valid JSON that is not nested too deep to be read.
func Valid(data []byte) bool { return !deep(data) && gjson.ValidBytes(data) }

// deep reports whether the data is nested deeper than maxDepth. Most lines do not have as many brackets and are not looked
// at twice.
func deep(data []byte) bool {
	if bytes.Count(data, []byte("{"))+bytes.Count(data, []byte("[")) <= maxDepth {
		return false
	}
	depth, inString := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}
