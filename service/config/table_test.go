package config

import (
	"reflect"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

func TestEntriesOfATableAreChangedAndAllElseStays(t *testing.T) {
	price := `{"gpt-4.1":{"input":2,"output":8}}`
	for name, tt := range map[string]struct{ setting, text, value, want string }{
		"an empty file": {"capture.roots", "", `{"codex":["/a","/b c"]}`, "\n[capture.roots]\ncodex = ['/a', '/b c']\n"},
		"two at once":   {"proxy.upstreams", "[proxy]\nport = 1\n", `{"a":"http://b","c":"http://d"}`, "[proxy]\nport = 1\n\n[proxy.upstreams]\na = 'http://b'\nc = 'http://d'\n"},
		"one more": {"proxy.upstreams", "[proxy.upstreams]\na = \"http://b\" # mine\n\n# of the log\n[log]\n", `{"a":"http://b","c":"http://d"}`,
			"[proxy.upstreams]\na = \"http://b\" # mine\nc = 'http://d'\n\n# of the log\n[log]\n"},
		"one changed keeps its remark": {"proxy.upstreams", "[proxy.upstreams]\na = \"http://b\" # mine\nc = 'x'\n", `{"a":"http://e","c":"x"}`, "[proxy.upstreams]\na = 'http://e' # mine\nc = 'x'\n"},
		"one less":                     {"proxy.upstreams", "[proxy.upstreams]\na = 'x'\n# a word\nb = 'y'\n", `{"a":"x"}`, "[proxy.upstreams]\na = 'x'\n# a word\n"},
		"in the section of others": {"llm.prices", "[llm]\nmodel = 'm'\n# effort = \"\"\n\n[inject]\ncore = true\n", price,
			"[llm]\nmodel = 'm'\n# effort = \"\"\n\n[llm.prices.'gpt-4.1']\ninput = 2.0\noutput = 8.0\n\n[inject]\ncore = true\n"},
		"one number of a block": {"llm.prices", "[llm.prices.\"gpt-4.1\"] # dear\ninput = 1.0 # seen\noutput = 8.0\n\n[llm.prices.m]\ninput = 1\n", `{"gpt-4.1":{"input":2,"output":8},"m":{"input":1}}`,
			"[llm.prices.'gpt-4.1']\ninput = 2.0 # seen\noutput = 8.0\n\n[llm.prices.m]\ninput = 1\n"},
		"an entry in one line": {"llm.prices", "[llm.prices]\nm = { input = 1.0 }\n", `{"m":{"input":2}}`, "[llm.prices.m]\ninput = 2.0\n"},
		"all gone":             {"llm.prices", "[llm.prices.m]\ninput = 1\n[log]\n", "", "[log]\n"},
		"what is the same":     {"llm.prices", "[llm.prices.m]\ninput = 1\n", `{"m":{"input":1}}`, "[llm.prices.m]\ninput = 1\n"},
	} {
		s, ok := Find(tt.setting)
		if !ok {
			t.Fatal(tt.setting)
		}
		got, err := Set([]byte(tt.text), s, tt.value)
		if name == "an entry in one line" { // where its header stays does not matter
			got = []byte(strings.TrimPrefix(string(got), "[llm.prices]\n"))
		}
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %v\ngot\n%s\nwant\n%s", name, err, got, tt.want)
		}
		c := Default()
		if err := toml.Unmarshal(got, &c); err != nil || c.ValueOf(s) != tt.value {
			t.Errorf("%s: is %q, %v", name, c.ValueOf(s), err)
		}
		back, err := Reset(got, s)
		if c = Default(); err != nil || toml.Unmarshal(back, &c) != nil || c.ValueOf(s) != "" {
			t.Errorf("%s: not taken back: %v\n%s", name, err, back)
		}
	}
}

func TestTheTemplateTakesEveryTableAndItsSettingsStayThere(t *testing.T) {
	text := Template
	for name, value := range map[string]string{"capture.roots": `{"codex":["/a"]}`, "llm.prices": `{"m":{"input":1}}`, "proxy.upstreams": `{"x":"https://y"}`} {
		s, _ := Find(name)
		var err error
		if text, err = Set(text, s, value); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	for _, s := range Settings() { // each is still found in its place
		if s.Kind == TableOf {
			continue
		}
		out, err := Set(text, s, other(s))
		c := Default()
		if err != nil || toml.Unmarshal(out, &c) != nil || c.ValueOf(s) != other(s) || len(c.Capture.Roots)+len(c.LLM.Prices)+len(c.Proxy.Upstreams) != 3 {
			t.Errorf("%s: %v, %+v", s.Name(), err, c)
		}
		if n := linesThatDiffer(string(text), string(out)); n != 1 {
			t.Errorf("%s: %d lines differ", s.Name(), n)
		}
	}
}

func TestATableThatCannotBeIsRefused(t *testing.T) {
	for name, tt := range map[string]struct{ setting, text, value, want string }{
		"no JSON":             {"capture.roots", "", "x", "capture.roots is no object of JSON"},
		"no name":             {"capture.roots", "", `{" ":["/a"]}`, "needs a name"},
		"no list":             {"capture.roots", "", `{"codex":"/a"}`, `"codex" must be a list of texts`},
		"a list of numbers":   {"capture.roots", "", `{"codex":[1]}`, `"codex" must be a list of texts`},
		"no text":             {"proxy.upstreams", "", `{"a":{}}`, `"a" must be a text`},
		"no such value":       {"llm.prices", "", `{"m":{"in":1}}`, `"m" has no in`},
		"no number":           {"llm.prices", "", `{"m":{"input":"1"}}`, `input of "m" must be a number`},
		"numbers and no text": {"llm.prices", "", `{"m":"1"}`, `"m" must be numbers`},
		"written in one line": {"llm.prices", "[llm]\nprices = { m = { input = 1.0 }, n = { input = 1.0 } }\n", `{"m":{"input":2}}`, "by hand"},
	} {
		s, _ := Find(tt.setting)
		if got, err := Set([]byte(tt.text), s, tt.value); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
	}
}

func TestColumnsOfTables(t *testing.T) {
	for name, want := range map[string][]Column{"capture.roots": {{"", List}}, "proxy.upstreams": {{"", Text}}, "log.level": nil,
		"llm.prices": {{"input", Number}, {"output", Number}, {"cache_read", Number}, {"cache_write", Number}}} {
		if s, _ := Find(name); !reflect.DeepEqual(s.Columns(), want) {
			t.Errorf("%s: %+v", name, s.Columns())
		}
	}
}

// FuzzSetTable changes a table in any text: what comes out differs in that table alone.
func FuzzSetTable(f *testing.F) {
	f.Add(string(Template), "m", "/x")
	f.Add("[capture.roots]\na = ['b']\n[capture]\nrescan = '1m'\n", "a.b", "c # d")
	f.Add("capture = { roots = { a = [] } }", "a", "b")
	s, _ := Find("capture.roots")
	f.Fuzz(func(t *testing.T, text, name, dir string) {
		var before, after map[string]any
		want := map[string]any{name: []string{dir}}
		out, err := setTable([]byte(text), s, want)
		if err != nil {
			return
		}
		if toml.Unmarshal([]byte(text), &before) != nil || toml.Unmarshal(out, &after) != nil {
			t.Fatalf("%q became %q, which cannot be read", text, out)
		}
		_, got := without(after, s)
		if !sameTOML(got, want) {
			t.Errorf("%q has %v", out, got)
		}
	})
}
