package model

import (
	"errors"
	"reflect"
	"testing"

	"dormouse/service/api"
)

var tables = map[string]api.Setting{
	"roots":  {Name: "capture.roots", Kind: api.SettingTable, Value: `{"codex":["/a","/b"],"goose":[]}`, Columns: []api.SettingColumn{{Kind: api.SettingList}}},
	"prices": {Name: "llm.prices", Kind: api.SettingTable, Value: `{"m.1":{"input":1.5,"output":2}}`, Columns: []api.SettingColumn{{Key: "input", Kind: api.SettingNumber}, {Key: "output", Kind: api.SettingNumber}, {Key: "new_one", Kind: api.SettingNumber}}},
	"places": {Name: "proxy.upstreams", Kind: api.SettingTable, Value: `{"x":"https://a/?b&c"}`, Columns: []api.SettingColumn{{Kind: api.SettingText}}},
	"list":   {Name: "capture.exclude", Kind: api.SettingList, Value: "~/a\n~/b"},
	"empty":  {Name: "llm.prices", Kind: api.SettingTable, Columns: []api.SettingColumn{{Key: "input", Kind: api.SettingNumber}}},
}

func TestTablesAreShownAsRowsAndWrittenAsTheyWere(t *testing.T) {
	for name, want := range map[string]struct {
		titles []string
		cells  [][]string
	}{
		"roots":  {[]string{"Agent", "Folders, one a line"}, [][]string{{"codex", "/a\n/b"}, {"goose", ""}}},
		"prices": {[]string{"Model", "Input", "Output", "New one"}, [][]string{{"m.1", "1.5", "2", ""}}},
		"places": {[]string{"Name", "Address"}, [][]string{{"x", "https://a/?b&c"}}},
		"list":   {[]string{""}, [][]string{{"~/a"}, {"~/b"}}},
		"empty":  {[]string{"Model", "Input"}, nil},
	} {
		row := settingRow(tables[name])
		var titles []string
		for _, c := range row.Columns {
			titles = append(titles, c.Title)
		}
		if row.Kind != SettingRows || !reflect.DeepEqual(titles, want.titles) || !reflect.DeepEqual(row.Cells, want.cells) {
			t.Errorf("%s: %q %q", name, titles, row.Cells)
		}
		if got, problem := row.Written(row.Cells); got != tables[name].Value || problem != "" {
			t.Errorf("%s: written as %s, %s", name, got, problem)
		}
		if row.Changed != (name != "empty") {
			t.Errorf("%s: changed is %v", name, row.Changed)
		}
	}
	if !settingRow(tables["roots"]).Columns[1].Lines || settingRow(tables["places"]).Columns[1].Lines {
		t.Error("several values are a field of one line")
	}
	for name, x := range map[string]api.Setting{"of an older service": {Kind: api.SettingTable}, "no JSON": {Kind: api.SettingTable, Value: "x", Columns: tables["roots"].Columns}} {
		if row := settingRow(x); row.Kind != SettingInFile || row.Changed {
			t.Errorf("%s: %+v", name, row)
		}
	}
}

func TestWhatRowsCannotBeIsSaid(t *testing.T) {
	for name, c := range map[string]struct {
		table          string
		cells          [][]string
		value, problem string
	}{
		"nothing":             {"prices", nil, "", ""},
		"empty rows":          {"prices", [][]string{{"", " ", "", ""}}, "", ""},
		"a row without name":  {"prices", [][]string{{" ", "1", "", ""}}, "", "Every row needs a Model."},
		"a name twice":        {"places", [][]string{{"a", "x"}, {" a", "y"}}, "", "“a” stands there twice."},
		"no number":           {"prices", [][]string{{"m", "one", "", ""}}, "", "Input of “m” is no number: one"},
		"a comma":             {"prices", [][]string{{"m", "1,25", "", ""}}, `{"m":{"input":1.25}}`, ""},
		"a name and no more":  {"prices", [][]string{{"m", "", "", ""}}, `{"m":{}}`, ""},
		"room around":         {"places", [][]string{{" a ", " x "}}, `{"a":"x"}`, ""},
		"lines":               {"roots", [][]string{{"codex", " /a \n\n/b"}}, `{"codex":["/a","/b"]}`, ""},
		"a list's empty line": {"list", [][]string{{"~/a"}, {" "}, {" ~/c "}}, "~/a\n~/c", ""},
	} {
		if value, problem := settingRow(tables[c.table]).Written(c.cells); value != c.value || problem != c.problem {
			t.Errorf("%s: %q, %q", name, value, problem)
		}
	}
}

func TestAValueIsTriedBeforeItIsSaved(t *testing.T) {
	f := settingsFake()
	p := presenter(f)
	row := SettingRow{ID: "log.level"}
	if problem := p.TrySetting(t.Context(), row, "warn"); problem != "" || f.asked[0] != "set name=log.level&try=true&value=warn" {
		t.Errorf("%q, asked %q", problem, f.asked)
	}
	f.err = map[string]error{"set": &api.Error{Code: api.CodeBadRequest, Message: "log.level is loud"}}
	if problem := p.TrySetting(t.Context(), row, "loud"); problem != "log.level is loud." {
		t.Error(problem)
	}
	f.err["set"] = errors.New("no answer")
	if problem := p.TrySetting(t.Context(), row, "loud"); problem != "" {
		t.Error(problem)
	}
}
