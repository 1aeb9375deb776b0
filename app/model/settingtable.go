package model

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"dormouse/app/lang"
	"dormouse/service/api"
)

// SettingColumn is one column of a setting with rows.
type SettingColumn struct {
	Title string // empty for a list, whose rows have one value
	Lines bool   // the value is several, one a line
	key   string
	kind  string
}

// columnTitles are what the values of a table are called, by the table's name and the key; an entry's own name has the key "name".
func columnTitle(setting, key string) string {
	titles := map[string]lang.Word{"capture.roots/name": lang.Mark("Agent"), "capture.roots/": lang.Mark("Folders, one a line"),
		"llm.prices/name": lang.Mark("Model"), "llm.prices/input": lang.Mark("Input"), "llm.prices/output": lang.Mark("Output"),
		"llm.prices/cache_read": lang.Mark("Cache, read"), "llm.prices/cache_write": lang.Mark("Cache, written"),
		"proxy.upstreams/name": lang.Mark("Name"), "proxy.upstreams/": lang.Mark("Address")}
	if title, ok := titles[setting+"/"+key]; ok {
		return title.Text()
	}
	return keyWords(key)
}

// rowsOf lays the value of a list or table out in columns and cells.
func rowsOf(x api.Setting) (columns []SettingColumn, cells [][]string, ok bool) {
	if x.Kind == api.SettingList {
		for line := range strings.SplitSeq(x.Value, "\n") {
			if line != "" {
				cells = append(cells, []string{line})
			}
		}
		return []SettingColumn{{}}, cells, true
	}
	entries := map[string]any{}
	if x.Value != "" && json.Unmarshal([]byte(x.Value), &entries) != nil || len(x.Columns) == 0 {
		return nil, nil, false
	}
	columns = []SettingColumn{{Title: columnTitle(x.Name, "name"), kind: api.SettingText}}
	for _, c := range x.Columns {
		columns = append(columns, SettingColumn{Title: columnTitle(x.Name, c.Key), Lines: c.Kind == api.SettingList, key: c.Key, kind: c.Kind})
	}
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		row := []string{name}
		for _, c := range columns[1:] {
			row = append(row, c.cell(entries[name]))
		}
		cells = append(cells, row)
	}
	return columns, cells, true
}

// cell is the value of an entry in a column as a person edits it.
func (c SettingColumn) cell(entry any) string {
	if c.key != "" {
		fields, _ := entry.(map[string]any)
		entry = fields[c.key]
	}
	switch v := entry.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []any:
		var lines []string
		for _, x := range v {
			if text, ok := x.(string); ok {
				lines = append(lines, text)
			}
		}
		return strings.Join(lines, "\n")
	}
	return ""
}

// Written is the value that cells make, as the service takes it. Rows without anything are none. What cannot be is said in problem.
func (row SettingRow) Written(cells [][]string) (value, problem string) {
	if len(row.Columns) == 1 {
		var lines []string
		for _, cell := range cells {
			if text := strings.TrimSpace(cell[0]); text != "" {
				lines = append(lines, text)
			}
		}
		return strings.Join(lines, "\n"), ""
	}
	entries := map[string]any{}
	for _, cell := range cells {
		if strings.TrimSpace(strings.Join(cell, "")) == "" {
			continue
		}
		name := strings.TrimSpace(cell[0])
		if name == "" {
			return "", lang.Say("Every row needs a {column}.", row.Columns[0].Title)
		}
		if _, ok := entries[name]; ok {
			return "", lang.Say("“{name}” stands there twice.", name)
		}
		entry, problem := row.entry(cell)
		if problem != "" {
			return "", problem
		}
		entries[name] = entry
	}
	if len(entries) == 0 {
		return "", ""
	}
	return compactJSON(entries), ""
}

// entry is what the cells of one row make.
func (row SettingRow) entry(cell []string) (entry any, problem string) {
	fields := map[string]any{}
	for i, c := range row.Columns[1:] {
		text := strings.TrimSpace(cell[i+1])
		switch c.kind {
		case api.SettingNumber:
			n, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
			if text == "" {
				continue
			}
			if err != nil {
				return nil, lang.Say("{column} of “{name}” is no number: {text}", c.Title, cell[0], text)
			}
			entry = n
		case api.SettingList:
			list := []string{}
			for line := range strings.SplitSeq(text, "\n") {
				if line = strings.TrimSpace(line); line != "" {
					list = append(list, line)
				}
			}
			entry = list
		default:
			entry = text
		}
		if c.key != "" {
			fields[c.key] = entry
		}
	}
	if row.Columns[1].key != "" {
		return fields, ""
	}
	return entry, ""
}

// compactJSON is a value as the service writes it, so that what did not change compares as equal.
func compactJSON(v any) string {
	var b bytes.Buffer
	w := json.NewEncoder(&b)
	w.SetEscapeHTML(false)
	_ = w.Encode(v) // texts, lists and numbers
	return strings.TrimSpace(b.String())
}

// TrySetting asks whether a setting may have a value; what speaks against it is said, and nothing is changed.
func (p *Presenter) TrySetting(ctx context.Context, row SettingRow, value string) string {
	_, err := p.o.Backend().SetSetting(ctx, api.SettingChange{Name: row.ID, Value: value, Try: true})
	if e, ok := asRefusal(err); ok && e.Code == api.CodeBadRequest {
		return Clean(e.Message) + "."
	}
	return "" // where it cannot be asked, saving says so
}
