package config

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// Reference is every setting as a page of Markdown: its name, its type and its default out of the code, and what config.toml's comments
// say of it. The error names a setting that the two do not have in common.
func Reference() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(referenceHead)
	seen := map[string]bool{}
	section := ""
	for _, p := range paragraphs(string(Template)) {
		if p.section != "" && p.section != section {
			section = p.section
			fmt.Fprintf(&b, "\n## [%s]\n", section)
		}
		if err := p.write(&b, seen); err != nil {
			return nil, err
		}
	}
	var errs []error
	for _, name := range names(reflect.TypeFor[Config](), "") {
		if !seen[name] {
			errs = append(errs, fmt.Errorf("config.toml does not tell of %s", name))
		}
	}
	return b.Bytes(), errors.Join(errs...)
}

const referenceHead = `# Settings

<!-- Made by "dormouse docs config"; change service/config/config.toml instead. -->

Every setting lies in ` + "`config.toml`" + ` in the state folder (` + "`~/.dormouse`" + `, or where ` + "`DORMOUSE_HOME`" + ` says). The file is made with all of them, each with
its default in a comment: take the ` + "`#`" + ` away to change one, then ` + "`dormouse service restart`" + `, or end ` + "`dormouse up`" + ` and start it again. A setting that
does not exist, or a value that cannot be, is refused with its line; without the file the defaults hold.
`

// paragraph is a comment of the template with the settings that stand below it.
type paragraph struct {
	section string
	text    []string // of the comment
	names   []string // of the settings, without their section
	example []string // the table that is shown, in place of names
}

var (
	sectionLine = regexp.MustCompile(`^\[([a-z_]+)\]$`)
	settingLine = regexp.MustCompile(`^# ([a-z_]+) = `)
	exampleLine = regexp.MustCompile(`^# \[([a-z_]+)\.([a-z_]+)[^\]]*\]$`)
)

// paragraphs are those of a template, which an empty line divides.
func paragraphs(template string) (out []paragraph) {
	section := ""
	for part := range strings.SplitSeq(template, "\n\n") {
		p := paragraph{}
		for line := range strings.SplitSeq(strings.TrimSpace(part), "\n") {
			if m := sectionLine.FindStringSubmatch(line); m != nil {
				section = m[1]
				continue
			}
			switch m, table := settingLine.FindStringSubmatch(line), exampleLine.FindStringSubmatch(line); {
			case table != nil:
				p.names, p.example = []string{table[2]}, []string{strings.TrimPrefix(line, "# ")}
			case p.example != nil:
				p.example = append(p.example, strings.TrimPrefix(line, "# "))
			case m != nil:
				p.names = append(p.names, m[1])
			default:
				p.text = append(p.text, strings.TrimPrefix(strings.TrimPrefix(line, "#"), " "))
			}
		}
		p.section = section
		if section != "" { // what comes before the first is the head
			out = append(out, p)
		}
	}
	return out
}

// write adds the paragraph and notes the settings that it tells of.
func (p paragraph) write(b *bytes.Buffer, seen map[string]bool) error {
	b.WriteString("\n")
	for _, name := range p.names {
		whole := p.section + "." + name
		v, ok := at(reflect.ValueOf(Default()), strings.Split(whole, "."))
		if !ok {
			return fmt.Errorf("config.toml tells of %s, which is no setting", whole)
		}
		seen[whole] = true
		if p.example != nil {
			fmt.Fprintf(b, "### %s\n\n%s\n\n", name, kindOf(v.Type()))
			continue
		}
		text, err := literal(v)
		if err != nil {
			return fmt.Errorf("the default of %s: %w", whole, err)
		}
		fmt.Fprintf(b, "### %s\n\n%s · default `%s`\n\n", name, kindOf(v.Type()), text)
	}
	b.WriteString(escape(strings.Join(p.text, "\n")) + "\n")
	if p.example != nil {
		b.WriteString("\n```toml\n" + strings.Join(p.example, "\n") + "\n```\n")
	}
	return nil
}

// escape keeps signs that Markdown takes for its own outside of code, which is between backquotes.
func escape(s string) string {
	parts := strings.Split(s, "`")
	for i := 0; i < len(parts); i += 2 {
		parts[i] = strings.NewReplacer("<", `\<`, "*", `\*`, "_", `\_`, "[", `\[`).Replace(parts[i])
	}
	return strings.Join(parts, "`")
}

// at is the field that a path of TOML names leads to.
func at(v reflect.Value, path []string) (reflect.Value, bool) {
	for _, name := range path {
		i := -1
		for f := range v.NumField() {
			if v.Type().Field(f).Tag.Get("toml") == name {
				i = f
			}
		}
		if i < 0 {
			return v, false
		}
		v = v.Field(i)
	}
	return v, true
}

// names are all settings below a type, with their sections.
func names(t reflect.Type, section string) (out []string) {
	for i := range t.NumField() {
		f := t.Field(i)
		name := f.Tag.Get("toml")
		if section == "" {
			out = append(out, names(f.Type, name)...)
			continue
		}
		out = append(out, section+"."+name)
	}
	return out
}

// literal is a value as TOML writes it; an empty list where there is none.
func literal(v reflect.Value) (string, error) {
	if v.Kind() == reflect.Slice && v.Len() == 0 {
		return "[]", nil
	}
	if d, ok := v.Interface().(Duration); ok {
		return `"` + short(d) + `"`, nil
	}
	b, err := toml.Marshal(map[string]any{"v": v.Interface()})
	_, text, _ := strings.Cut(strings.TrimSpace(string(b)), "= ")
	if v.Kind() == reflect.String || strings.HasPrefix(text, "'") {
		text = `"` + strings.Trim(text, `'"`) + `"`
	}
	return text, err
}

// short is a duration as people write it: without the parts that are nothing.
func short(d Duration) string {
	s := time.Duration(d).String()
	for _, nothing := range [][2]string{{"m0s", "m"}, {"h0m", "h"}} {
		if strings.HasSuffix(s, nothing[0]) {
			s = strings.TrimSuffix(s, nothing[0]) + nothing[1]
		}
	}
	return s
}

func kindOf(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[Duration]():
		return "length of time"
	case reflect.TypeFor[ClockTime]():
		return "time of day"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "whole number"
	case reflect.Float64:
		return "number"
	case reflect.Slice:
		return "list of texts"
	case reflect.Map:
		return "table"
	}
	return "text"
}
