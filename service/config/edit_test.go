package config

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// others are values that no setting has by default.
var others = map[string]string{
	"capture.agents": "codex\ngoose", "capture.exclude": "~/private\n~/a \"b\"", "capture.rescan": "2m", "redact.patterns": `ACME-[0-9]{12}` + "\n" + `\bx'y"z\b`,
	"sleep.idle_after": "45m", "sleep.deep_at": "04:30", "sleep.quiet_after": "10m", "sleep.max_load": "0.25", "sleep.on_battery": "80", "sleep.wait_at_most": "30h",
	"distill.extractor": "model", "llm.provider": "claude", "llm.model": "haiku", "llm.timeout": "1m30s", "llm.input_tokens": "9000", "llm.max_cost": "2",
	"inject.prompt_records": "3", "embed.max_text": "9000", "sync.every": "20m", "sync.sessions": "on-demand", "shadow.max_file": "4096", "mcp.port": "0", "log.level": "debug", "window.language": "de", "notify.quiet_from": "22:00", "notify.quiet_to": "07:30",
}

// other is a value that is not the default.
func other(s Setting) string {
	if v, ok := others[s.Name()]; ok {
		return v
	}
	now := Default().ValueOf(s)
	switch s.Kind {
	case YesNo:
		return map[string]string{"true": "false", "false": "true"}[now]
	case Number:
		return "7"
	case Length:
		return "3m"
	case List:
		return "one\ntwo"
	}
	return "something"
}

func TestEverySettingIsDescribedAndChangedByItself(t *testing.T) {
	all := Settings()
	if want := len(names(reflect.TypeFor[Config](), "")); len(all) != want {
		t.Errorf("%d settings are described, of %d", len(all), want)
	}
	for _, s := range all {
		if s.Help == "" {
			t.Errorf("%s: nothing is said of it", s.Name())
		}
		if s.Kind == TableOf {
			continue // see TestEntriesOfATableAreChangedAndAllElseStays
		}
		value := other(s)
		text, err := Set(Template, s, value)
		if err != nil {
			t.Errorf("%s: %v", s.Name(), err)
			continue
		}
		c := Default()
		if err := toml.Unmarshal(text, &c); err != nil || c.ValueOf(s) != value {
			t.Errorf("%s is %q, not %q: %v", s.Name(), c.ValueOf(s), value, err)
		}
		for _, o := range all {
			if o.Name() != s.Name() && c.ValueOf(o) != Default().ValueOf(o) {
				t.Errorf("%s was changed with %s", o.Name(), s.Name())
			}
		}
		if changed := linesThatDiffer(string(Template), string(text)); changed != 1 {
			t.Errorf("%s: %d lines differ", s.Name(), changed)
		}
		back, err := Reset(text, s)
		if err != nil || linesThatDiffer(string(Template), string(back)) > 1 { // an example stood there in place of the default
			t.Errorf("%s: %v\n%s", s.Name(), err, back)
		}
		if c = Default(); toml.Unmarshal(back, &c) != nil || !reflect.DeepEqual(c, Default()) {
			t.Errorf("%s is not as it was", s.Name())
		}
	}
}

func linesThatDiffer(a, b string) (n int) {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	if len(x) != len(y) {
		return len(x) + len(y)
	}
	for i := range x {
		if x[i] != y[i] {
			n++
		}
	}
	return n
}

func TestAChangeKeepsWhatThePersonWrote(t *testing.T) {
	set := func(name, value string) func(string) ([]byte, error) {
		s, ok := Find(name)
		if !ok {
			t.Fatalf("there is no %s", name)
		}
		return func(text string) ([]byte, error) {
			if value == "" {
				return Reset([]byte(text), s)
			}
			return Set([]byte(text), s, value)
		}
	}
	for name, tt := range map[string]struct {
		text string
		do   func(string) ([]byte, error)
		want string
	}{
		"an empty file":          {"", set("log.level", "debug"), "\n[log]\nlevel = 'debug'\n"},
		"a remark":               {"[log]\nlevel = \"warn\"  # quiet # please\n", set("log.level", "info"), "[log]\nlevel = 'info'  # quiet # please\n"},
		"a sign in the value":    {"[llm]\nmodel = \"a # b\" # c\n", set("llm.model", "d"), "[llm]\nmodel = 'd' # c\n"},
		"no end of line":         {"[log]\nlevel = 'warn'", set("log.level", "info"), "[log]\nlevel = 'info'\n"},
		"several lines":          {"[capture]\nagents = [\n  'codex', # one\n  # ] two\n]\n# mine\n[log]\n", set("capture.agents", "goose"), "[capture]\nagents = ['goose']\n# mine\n[log]\n"},
		"another section's":      {"[embed]\nmodel = 'x'\n\n[llm]\nmodel = 'y'\n", set("llm.model", "z"), "[embed]\nmodel = 'x'\n\n[llm]\nmodel = 'z'\n"},
		"added to a section":     {"[embed]\nmodel = 'x'\n\n# of the model\n[llm]\nmodel = 'y'\n", set("embed.provider", "none"), "[embed]\nmodel = 'x'\nprovider = 'none'\n\n# of the model\n[llm]\nmodel = 'y'\n"},
		"a header with a remark": {"[log] # mine\n", set("log.level", "warn"), "[log] # mine\nlevel = 'warn'\n"},
		"in a comment":           {"[log]\n# level = \"info\"\n", set("log.level", "warn"), "[log]\nlevel = 'warn'\n"},
		"back":                   {"[log]\nlevel = 'warn'\n", set("log.level", ""), "[log]\n# level = 'info'\n"},
		"back beside a comment":  {"[log]\n# level = \"info\"\nlevel = 'warn'\n", set("log.level", ""), "[log]\n# level = \"info\"\n"},
		"back already":           {"[log]\n", set("log.level", ""), "[log]\n"},
		"beside a table":         {"[llm]\nmodel = 'y'\n\n[llm.prices.y]\ninput = 1.0\n", set("llm.effort", "low"), "[llm]\nmodel = 'y'\neffort = 'low'\n\n[llm.prices.y]\ninput = 1.0\n"},
	} {
		got, err := tt.do(tt.text)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %v\ngot\n%s\nwant\n%s", name, err, got, tt.want)
		}
	}
}

func TestWhatCannotBeChangedIsRefused(t *testing.T) {
	for name, tt := range map[string]struct{ setting, text, value, want string }{
		"no number":     {"mcp.port", "", "many", "mcp.port is \"many\": it must be a whole number"},
		"no fraction":   {"sleep.max_load", "", "half", "it must be a number"},
		"no answer":     {"mcp.http", "", "maybe", "it must be true or false"},
		"another form":  {"log.level", "log = { level = 'warn' }\n", "info", "by hand"},
		"a dotted key":  {"log.level", "log.level = 'warn'\n", "info", "by hand"},
		"a broken file": {"log.level", "[log\n", "info", "line 1"},
	} {
		s, _ := Find(tt.setting)
		if got, err := Set([]byte(tt.text), s, tt.value); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
	}
	if _, ok := Find("no.such"); ok {
		t.Error("found what is not there")
	}
	if _, err := Check([]byte("[log]\nlevel = 'loud'\n"), "f"); err == nil || !strings.Contains(err.Error(), "log.level") {
		t.Errorf("%v", err)
	}
}

// FuzzSet changes settings in any text: what comes out differs in that setting alone.
func FuzzSet(f *testing.F) {
	f.Add(string(Template), "warn")
	f.Add("[log]\nlevel = \"warn\" # x\n", "a\"b'c")
	f.Add("[capture]\nagents = [\n'x',\n]\n[log]\nlevel = '''\nx\n'''\n", "x # y")
	s, _ := Find("log.level")
	f.Fuzz(func(t *testing.T, text, value string) {
		out, err := Set([]byte(text), s, value)
		if err != nil {
			return
		}
		var before, after map[string]any
		if toml.Unmarshal([]byte(text), &before) != nil || toml.Unmarshal(out, &after) != nil {
			t.Fatalf("%q became %q, which cannot be read", text, out)
		}
		in, _ := after["log"].(map[string]any)
		if in["level"] != strings.TrimSpace(value) {
			t.Errorf("%q has level %q, not %q", out, in["level"], value)
		}
		back, err := Reset(out, s)
		if err != nil {
			t.Fatalf("cannot be taken back: %v\n%s", err, out)
		}
		var again map[string]any
		if err := toml.Unmarshal(back, &again); err != nil {
			t.Fatalf("%q: %v", back, err)
		}
	})
}

func TestLengthsAreWrittenShort(t *testing.T) {
	for want, d := range map[string]time.Duration{"30m": 30 * time.Minute, "1h": time.Hour, "1h0m5s": time.Hour + 5*time.Second, "336h": 336 * time.Hour, "10s": 10 * time.Second} {
		if got := short(Duration(d)); got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
}
