package main

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// printLogJSON prints each line of a log as a JSON object in a line.
func (a *app) printLogJSON(data []byte) error {
	var out bytes.Buffer
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			continue
		}
		fields, ok := logFields(line)
		if !ok {
			fields = []logField{{"msg", line}}
		}
		if err := writeFields(&out, fields); err != nil {
			return err
		}
	}
	_, err := a.Stdout.Write(out.Bytes())
	return err
}

// logField is one of the things that a line of the log notes.
type logField struct{ key, value string }

// logFields takes a line of package slog's text form apart: KEY=VALUE, with blanks in between, values and keys quoted as Go does where they
// have to be. It returns false for a line of another form.
func logFields(line string) (out []logField, ok bool) {
	for line != "" {
		key, rest, ok := logWord(line, "=")
		if !ok || key == "" || !strings.HasPrefix(rest, "=") {
			return nil, false
		}
		value, rest, ok := logWord(rest[1:], " ")
		if !ok || rest != "" && rest[0] != ' ' {
			return nil, false
		}
		out, line = append(out, logField{key, value}), strings.TrimPrefix(rest, " ")
	}
	return out, true
}

// logWord takes a word, quoted or up to one of the signs in end, off the front of a line.
func logWord(line, end string) (word, rest string, ok bool) {
	if strings.HasPrefix(line, `"`) {
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			return "", "", false
		}
		word, err = strconv.Unquote(quoted)
		return word, line[len(quoted):], err == nil
	}
	at := strings.IndexAny(line, end+`"`)
	if at < 0 {
		return line, "", true
	}
	return line[:at], line[at:], true
}

// writeFields writes an object in a line, in the order of the log. A key that comes twice, as slog allows, is written with what came last.
func writeFields(out *bytes.Buffer, fields []logField) error {
	last := map[string]int{}
	for i, f := range fields {
		last[f.key] = i
	}
	sign := byte('{')
	for i, f := range fields {
		if last[f.key] != i {
			continue
		}
		key, err := json.Marshal(f.key)
		if err != nil {
			return err
		}
		value, err := json.Marshal(f.value)
		if err != nil {
			return err
		}
		out.WriteByte(sign)
		out.Write(key)
		out.WriteByte(':')
		out.Write(value)
		sign = ','
	}
	out.WriteString("}\n")
	return nil
}
