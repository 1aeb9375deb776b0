package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
)

// Column is one of the values that each entry of a table has beside its name.
type Column struct {
	Key  string // as config.toml names it; empty where an entry has one value and no more
	Kind Kind   // Text, Number or List
}

// Columns are those of a table; none of what is no table.
func (s Setting) Columns() []Column {
	if s.Kind != TableOf {
		return nil
	}
	entry := s.in(Default()).Type().Elem()
	switch entry.Kind() {
	case reflect.Struct:
		var out []Column
		for i := range entry.NumField() {
			out = append(out, Column{Key: entry.Field(i).Tag.Get("toml"), Kind: Number})
		}
		return out
	case reflect.Slice:
		return []Column{{Kind: List}}
	}
	return []Column{{Kind: Text}}
}

// entries is a table's value as TOML has it: texts, lists of texts, or tables of numbers, by name. What is zero in an entry is left out.
func entries(v reflect.Value) map[string]any {
	out := map[string]any{}
	for it := v.MapRange(); it.Next(); {
		name, x := it.Key().String(), it.Value()
		if x.Kind() != reflect.Struct {
			out[name] = x.Interface()
			continue
		}
		fields := map[string]any{}
		for i := range x.NumField() {
			if f := x.Field(i); !f.IsZero() {
				fields[x.Type().Field(i).Tag.Get("toml")] = f.Interface()
			}
		}
		out[name] = fields
	}
	return out
}

// tableValue is a table as ValueOf writes it: an object of JSON, whose names are sorted.
func tableValue(v reflect.Value) string {
	if v.Len() == 0 {
		return ""
	}
	var b bytes.Buffer
	w := json.NewEncoder(&b)
	w.SetEscapeHTML(false)
	_ = w.Encode(entries(v)) // texts, lists and numbers that were read from a file
	return strings.TrimSpace(b.String())
}

// tableOf reads what tableValue writes.
func (s Setting) tableOf(value string) (map[string]any, error) {
	out := map[string]any{}
	if value = strings.TrimSpace(value); value == "" {
		return out, nil
	}
	if err := json.Unmarshal([]byte(value), &out); err != nil || out == nil {
		return nil, fmt.Errorf("%s is no object of JSON with an entry for each name", s.Name())
	}
	for name, x := range out {
		if strings.TrimSpace(name) == "" || !utf8.ValidString(name) {
			return nil, fmt.Errorf("%s: every entry needs a name", s.Name())
		}
		var err error
		if out[name], err = s.entryOf(name, x); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// entryOf is an entry of a table of what JSON gave for it.
func (s Setting) entryOf(name string, x any) (any, error) {
	wrong := func(what string) (any, error) { return nil, fmt.Errorf("%s: %q must be %s", s.Name(), name, what) }
	columns := s.Columns()
	switch v := x.(type) {
	case string:
		if columns[0].Kind == Text {
			return strings.TrimSpace(v), nil
		}
	case []any:
		if columns[0].Kind == List {
			list := []string{}
			for _, e := range v {
				text, ok := e.(string)
				if !ok {
					return wrong("a list of texts")
				}
				if text = strings.TrimSpace(text); text != "" {
					list = append(list, text)
				}
			}
			return list, nil
		}
	case map[string]any:
		for key, n := range v {
			if !slices.ContainsFunc(columns, func(c Column) bool { return c.Key == key && key != "" }) {
				return nil, fmt.Errorf("%s: %q has no %s", s.Name(), name, key)
			}
			if _, ok := n.(float64); !ok {
				return nil, fmt.Errorf("%s: %s of %q must be a number", s.Name(), key, name)
			}
		}
		if columns[0].Key != "" {
			return v, nil
		}
	}
	return wrong(map[Kind]string{Text: "a text", List: "a list of texts", Number: "numbers"}[columns[0].Kind])
}

// setTable is the text of a config.toml in which a table has other entries. The statements of an entry that changes are written anew, where
// they stood; those of all others stay as they are.
func setTable(text []byte, s Setting, want map[string]any) ([]byte, error) {
	before, err := tree(text)
	if err != nil {
		return nil, err
	}
	lines, all, err := parsed(text)
	if err != nil {
		return nil, err
	}
	in, _ := before[s.Section].(map[string]any)
	had, _ := in[s.Key].(map[string]any)
	w := &tableEdit{s: s, lines: lines, all: all, gone: map[int]bool{}, put: map[int][]string{}}
	for _, name := range namesOf(had, want) {
		if !sameTOML(had[name], want[name]) {
			w.change(name, want[name])
		}
	}
	out := w.text()
	after, err := tree(out)
	if err != nil || !w.holds(before, after, want) {
		return nil, fmt.Errorf("%s: %w", s.Name(), ErrByHand)
	}
	return out, nil
}

// namesOf are the names of two tables, sorted.
func namesOf(a, b map[string]any) []string {
	var out []string
	for _, m := range []map[string]any{a, b} {
		for name := range m {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// sameTOML reports whether two values are written alike: a whole number and one with a point may be the same.
func sameTOML(a, b any) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	one, err := plainJSON(a)
	two, err2 := plainJSON(b)
	return err == nil && err2 == nil && one == two
}

func plainJSON(v any) (string, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	var plain any
	if err := json.Unmarshal(b, &plain); err != nil {
		return "", err
	}
	b, err = json.Marshal(plain)
	return string(b), err
}

// tableEdit changes the entries of one table in the lines of a file.
type tableEdit struct {
	s     Setting
	lines []string
	all   []statement
	gone  map[int]bool     // statements that are taken out
	put   map[int][]string // lines to be written before a line
}

// change writes an entry, or takes it out where it is nil.
func (w *tableEdit) change(name string, entry any) {
	at, remarks := -1, map[string]string{}
	for i, st := range w.all {
		path := st.path()
		if !hasPrefix(path, w.s.Section, w.s.Key, name) {
			continue
		}
		if at < 0 {
			at = st.from
		}
		if w.gone[i] = true; st.to == st.from+1 && !st.isHeader {
			remarks[path[len(path)-1]] = remark(w.lines[st.from])
		}
	}
	if entry == nil {
		return
	}
	fields, block := entry.(map[string]any)
	if !block {
		if at < 0 {
			at = w.placeOfLine()
		}
		w.put[at] = append(w.put[at], assignment(name, entry, remarks[name]))
		return
	}
	out := []string{"[" + w.s.Section + "." + w.s.Key + "." + key(name) + "]\n"}
	for _, c := range w.s.Columns() { // in the order of the settings
		if v, ok := fields[c.Key]; ok {
			out = append(out, assignment(c.Key, v, remarks[c.Key]))
		}
	}
	if at < 0 {
		at = w.end()
		out = append([]string{"\n"}, out...)
	}
	w.put[at] = append(w.put[at], out...)
}

// placeOfLine is where an entry of one line is written: behind the last one of the table's own header, else behind the section, with a header.
func (w *tableEdit) placeOfLine() int {
	at, name := -1, w.s.Section+"."+w.s.Key
	for _, st := range w.all {
		if st.isHeader && st.header == name || st.under == name {
			at = st.to
		}
	}
	if at >= 0 {
		return at
	}
	at = w.end()
	if header := "[" + name + "]\n"; !slices.Contains(w.put[at], header) {
		w.put[at] = append(w.put[at], "\n", header)
	}
	return at
}

// end is the line before which a table of the section is written: behind its last statement, and behind the comments after that.
func (w *tableEdit) end() int {
	at := len(w.lines)
	in := false
	for _, st := range w.all {
		if !st.isHeader {
			continue
		}
		if path := st.path(); path[0] == w.s.Section {
			in, at = true, len(w.lines)
		} else if in {
			in, at = false, st.from
		}
	}
	if at < len(w.lines) { // a comment right above the next header is that one's
		for at > 0 && strings.HasPrefix(w.lines[at-1], "#") {
			at--
		}
	}
	for at > 0 && strings.TrimSpace(w.lines[at-1]) == "" {
		at--
	}
	return at
}

// text is the outcome.
func (w *tableEdit) text() []byte {
	skip := map[int]bool{}
	for i := range w.gone {
		for n := w.all[i].from; n < w.all[i].to; n++ {
			skip[n] = true
		}
	}
	var b strings.Builder
	for i := range len(w.lines) + 1 {
		for _, line := range w.put[i] {
			b.WriteString(line)
		}
		if i < len(w.lines) && !skip[i] {
			b.WriteString(w.lines[i])
		}
	}
	return []byte(b.String())
}

// holds reports whether a file differs in the table alone, and has the entries that it is to have.
func (w *tableEdit) holds(before, after, want map[string]any) bool {
	restBefore, _ := without(before, w.s)
	restAfter, got := without(after, w.s)
	table, _ := got.(map[string]any)
	if !sameTOML(restBefore, restAfter) || got != nil && table == nil {
		return false
	}
	for _, name := range namesOf(table, want) {
		if !sameTOML(table[name], want[name]) {
			return false
		}
	}
	return true
}

func hasPrefix(path []string, prefix ...string) bool {
	return len(path) >= len(prefix) && slices.Equal(path[:len(prefix)], prefix)
}

// key is a name as TOML writes it before an equals sign.
func key(name string) string {
	b, err := toml.Marshal(map[string]any{name: true})
	if text, ok := strings.CutSuffix(strings.TrimSpace(string(b)), " = true"); err == nil && ok {
		return text
	}
	return fmt.Sprintf("%q", name)
}

func assignment(name string, v any, remark string) string {
	lit, _ := marshal(v) // a text, a list of texts or a number
	return key(name) + " = " + lit + remark + "\n"
}
