package config

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
)

// ErrByHand says that a setting stands in the file in a form that is not changed here.
var ErrByHand = errors.New("it stands in the file in a form of its own; change it there by hand")

// Set is the text of a config.toml with another value of one setting, written as ValueOf writes it. All else in the file, comments
// included, stays byte for byte as it is. An error says what is wrong with the value, or with the file.
func Set(text []byte, s Setting, value string) ([]byte, error) {
	if s.Kind == TableOf {
		want, err := s.tableOf(value)
		if err != nil {
			return nil, err
		}
		return setTable(text, s, want)
	}
	lit, err := written(s, value)
	if err != nil {
		return nil, err
	}
	return edit(text, s, lit)
}

// Reset is the text of a config.toml in which a setting has its default, in a comment. A table has no entries then.
func Reset(text []byte, s Setting) ([]byte, error) {
	if s.Kind == TableOf {
		return setTable(text, s, nil)
	}
	return edit(text, s, "")
}

// Check says what is wrong with the text of a config.toml, as Load does; file names it.
func Check(text []byte, file string) (Config, error) { return decode(text, file) }

// written is a value of a setting as TOML writes it.
func written(s Setting, value string) (string, error) {
	bad := func(what string) (string, error) {
		return "", fmt.Errorf("%s is %q: it must be %s", s.Name(), value, what)
	}
	if !utf8.ValidString(value) {
		return bad("text in UTF-8")
	}
	switch s.Kind {
	case YesNo:
		if value != "true" && value != "false" {
			return bad("true or false")
		}
		return value, nil
	case Number:
		value = strings.TrimSpace(value)
		isFloat := s.in(Default()).Kind() == reflect.Float64
		if isFloat {
			f, err := strconv.ParseFloat(value, 64)
			if err != nil {
				return bad("a number")
			}
			text := strconv.FormatFloat(f, 'f', -1, 64)
			if !strings.Contains(text, ".") {
				text += ".0"
			}
			return text, nil
		}
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return bad("a whole number")
		}
		return strconv.FormatInt(n, 10), nil
	case List:
		list := []string{}
		for line := range strings.SplitSeq(value, listEnds) {
			if line = strings.TrimSpace(line); line != "" {
				list = append(list, line)
			}
		}
		return marshal(list)
	}
	return marshal(strings.TrimSpace(value))
}

func marshal(v any) (string, error) {
	b, err := toml.Marshal(map[string]any{"v": v})
	return strings.TrimSpace(strings.TrimPrefix(string(b), "v = ")), err
}

// statement is a header or an assignment in a TOML text, from one line to before another.
type statement struct {
	from, to int
	isHeader bool
	header   string // of a table; empty for an assignment
	under    string // the header that it stands below
	value    map[string]any
	names    []string // of the table that it stands in
}

// path are the names that lead to what a statement is about, from the root on.
func (st statement) path() []string { return append(slices.Clip(st.names), chain(st.value)...) }

// chain are the names that a value of nested tables leads along, as far as each has one.
func chain(v map[string]any) (names []string) {
	for len(v) == 1 {
		for name, in := range v {
			names = append(names, name)
			v, _ = in.(map[string]any)
		}
	}
	return names
}

// parsed are the lines of a text, each with its end, and the statements on them.
func parsed(text []byte) ([]string, []statement, error) {
	lines := slices.Collect(strings.Lines(string(text)))
	if n := len(lines); n > 0 && !strings.HasSuffix(lines[n-1], "\n") {
		lines[n-1] += "\n"
	}
	all, err := statements(lines)
	return lines, all, err
}

// statements are those of a text, in order. Lines hold their ends.
func statements(lines []string) ([]statement, error) {
	var out []statement
	var in []string
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		if line == "" || line[0] == '#' {
			continue
		}
		var st statement
		for to := i + 1; ; to++ { // an array or a text may go over several lines
			if to > len(lines) {
				return nil, fmt.Errorf("line %d cannot be read", i+1)
			}
			st = statement{from: i, to: to}
			if toml.Unmarshal([]byte(strings.Join(lines[i:to], "")), &st.value) == nil {
				break
			}
		}
		if line[0] == '[' {
			in = chain(st.value)
			st.isHeader, st.header = true, strings.Join(in, ".")
		} else {
			st.names, st.under = in, strings.Join(in, ".")
		}
		out, i = append(out, st), st.to-1
	}
	return out, nil
}

// edit puts a literal in place of a setting's value; "" takes it out.
func edit(text []byte, s Setting, lit string) ([]byte, error) {
	before, err := tree(text)
	if err != nil {
		return nil, err
	}
	lines, all, err := parsed(text)
	if err != nil {
		return nil, err
	}
	out := []byte(strings.Join(put(lines, all, s, lit), ""))
	after, err := tree(out)
	if err != nil || !differAlone(before, after, s, lit) {
		return nil, fmt.Errorf("%s: %w", s.Name(), ErrByHand)
	}
	return out, nil
}

func tree(text []byte) (out map[string]any, err error) {
	out = map[string]any{}
	if err := toml.NewDecoder(bytes.NewReader(text)).Decode(&out); err != nil {
		return nil, fmt.Errorf("the file cannot be read%s", explain(err))
	}
	return out, nil
}

// put makes the change in the lines.
func put(lines []string, all []statement, s Setting, lit string) []string {
	header, end, at, is := -1, len(lines), -1, -1
	section := ""
	for i, st := range all {
		switch {
		case st.header != "" && section == s.Section && header >= 0:
			end = min(end, st.from)
			section = st.header
		case st.header != "":
			if section = st.header; section == s.Section {
				header, end = st.from, len(lines)
			}
		case section == s.Section && header >= 0:
			if _, ok := st.value[s.Key]; ok {
				at, is = st.from, i
			}
		}
	}
	line := s.Key + " = " + lit + "\n"
	default_ := "# " + s.Key + " = "
	commented := -1
	for i := max(header, 0); header >= 0 && i < end; i++ {
		if strings.HasPrefix(lines[i], default_) {
			commented = i
			break
		}
	}
	switch {
	case at >= 0 && lit == "" && commented >= 0:
		return slices.Replace(lines, at, all[is].to)
	case at >= 0 && lit == "":
		lit, _ = written(s, Default().ValueOf(s)) // a default can be written
		return slices.Replace(lines, at, all[is].to, default_+lit+"\n")
	case lit == "":
		return lines
	case at >= 0:
		if all[is].to == at+1 {
			line = strings.TrimSuffix(line, "\n") + remark(lines[at]) + "\n"
		}
		return slices.Replace(lines, at, all[is].to, line)
	case commented >= 0:
		return slices.Replace(lines, commented, commented+1, line)
	case header >= 0:
		for end > header+1 && (strings.TrimSpace(lines[end-1]) == "" || strings.HasPrefix(lines[end-1], "#")) {
			end--
		}
		return slices.Insert(lines, end, line)
	}
	return append(lines, "\n["+s.Section+"]\n", line)
}

// remark is the comment behind the assignment on a line, with the room before it.
func remark(line string) string {
	line = strings.TrimRight(line, "\r\n")
	var whole map[string]any
	if toml.Unmarshal([]byte(line), &whole) != nil {
		return ""
	}
	for i, r := range line {
		var part map[string]any
		if r == '#' && toml.Unmarshal([]byte(line[:i]), &part) == nil && reflect.DeepEqual(part, whole) {
			return line[len(strings.TrimRight(line[:i], " \t")):]
		}
	}
	return ""
}

// differAlone reports whether two files differ in one setting at most, and the second one has the value of a literal.
func differAlone(before, after map[string]any, s Setting, lit string) bool {
	restBefore, _ := without(before, s)
	restAfter, got := without(after, s)
	if !reflect.DeepEqual(restBefore, restAfter) {
		return false
	}
	if lit == "" {
		return got == nil
	}
	var want map[string]any
	return toml.Unmarshal([]byte("v = "+lit), &want) == nil && reflect.DeepEqual(got, want["v"])
}

// without is a file without one setting, and what that one was.
func without(from map[string]any, s Setting) (rest map[string]any, was any) {
	in, _ := from[s.Section].(map[string]any)
	in = maps.Clone(in)
	was = in[s.Key]
	delete(in, s.Key)
	rest = maps.Clone(from)
	if delete(rest, s.Section); len(in) > 0 {
		rest[s.Section] = in
	}
	return rest, was
}
