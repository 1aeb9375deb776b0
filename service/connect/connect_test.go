package connect

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tailscale/hujson"
)

const hook = "/opt/dormouse/dormouse-hook"

// texts are settings as people have them.
var texts = map[string]string{
	"empty object":    "{}\n",
	"one member":      "{\n  \"model\": \"opus\"\n}\n",
	"no final line":   "{\n  \"model\": \"opus\"\n}",
	"tabs":            "{\n\t\"model\": \"opus\",\n\t\"env\": {\n\t\t\"A\": \"b\"\n\t}\n}\n",
	"on one line":     `{"model":"opus"}`,
	"Windows lines":   "{\r\n    \"model\": \"opus\"\r\n}\r\n",
	"comments":        "// mine\n{\n  // the model\n  \"model\": \"opus\", // best\n  /* env */ \"env\": {} // none yet\n  // the end\n}\n// really\n",
	"trailing commas": "{\n  \"model\": \"opus\", // best\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"mine\"},]},\n    ],\n  },\n}\n",
	"other hooks":     "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"matcher\": \"\",\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"say done\"\n          }\n        ]\n      }\n    ]\n  },\n  \"z\": 1\n}\n",
	"other events":    "{\"hooks\":{\"Notification\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"bell\"}]}]},\"a\":[1,2]}",
	"odd characters":  "{\n  \"ä \\\"hooks\\\"\": \"{ [ // \\\" ü\",\n  \"b\": [\n    \"x\" // y\n  ]\n}\n",
}

// settings are the agents whose hooks stand in a file of settings.
func settings() []Agent {
	return slices.DeleteFunc(Table(), func(a Agent) bool { return a.plugin != nil })
}

func agent(t testing.TB, name string) Agent {
	a, ok := Find(Table(), name)
	if !ok {
		t.Fatalf("no agent %q", name)
	}
	return a
}

func value(t testing.TB, text []byte) (v map[string]any) {
	t.Helper()
	std, err := hujson.Standardize(bytes.Clone(text))
	if err == nil {
		err = json.Unmarshal(std, &v)
	}
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return v
}

func TestHooksGoInAndComeOutAndEverythingElseStays(t *testing.T) {
	for _, a := range settings() {
		for name, text := range texts {
			t.Run(a.Name+"/"+name, func(t *testing.T) {
				in, err := a.with([]byte(text), hook)
				if err != nil {
					t.Fatal(err)
				}
				hooks, _ := value(t, in)["hooks"].(map[string]any)
				for _, event := range a.Events {
					if n := strings.Count(render(toAny(hooks[event]), "", "", ""), "dormouse-hook "+event+" --agent "+a.Name); n == 0 {
						t.Errorf("no hook for %s in\n%s", event, in)
					}
				}
				again, err := a.with(in, hook)
				if err != nil || !bytes.Equal(again, in) {
					t.Errorf("a second time changes it, %v:\n%s", err, again)
				}
				for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n{}[],:", r) }) {
					if !strings.Contains(string(in), word) {
						t.Errorf("%q is gone from\n%s", word, in)
					}
				}
				out, err := a.takenOut(in)
				if err != nil || string(out) != text {
					t.Errorf("taken out, %v:\n%s\nbefore:\n%s", err, out, text)
				}
			})
		}
	}
}

// toAny makes JSON text of a decoded value, so that it can be searched.
func toAny(v any) any {
	b, _ := json.Marshal(v)
	return string(b)
}

func TestHooksAreWrittenAsEachAgentReadsThem(t *testing.T) {
	want := map[string]string{
		"claude-code": `{"hooks":[{"type":"command","command":"/opt/dormouse/dormouse-hook Stop --agent claude-code","timeout":3}]}`,
		"codex":       `{"hooks":[{"type":"command","command":"/opt/dormouse/dormouse-hook Stop --agent codex","timeout":3,"async":true}]}`,
		"gemini-cli":  `{"hooks":[{"type":"command","command":"/opt/dormouse/dormouse-hook AfterAgent --agent gemini-cli","timeout":3000}]}`,
		"cursor":      `{"command":"/opt/dormouse/dormouse-hook stop --agent cursor"}`,
		"copilot-cli": `{"type":"command","bash":"/opt/dormouse/dormouse-hook agentStop --agent copilot-cli","powershell":"& /opt/dormouse/dormouse-hook agentStop --agent copilot-cli","timeoutSec":3}`,
	}
	event := map[string]string{"gemini-cli": "AfterAgent", "cursor": "stop", "copilot-cli": "agentStop"}
	for _, a := range settings() {
		text, err := a.with(nil, hook)
		if err != nil {
			t.Fatal(err)
		}
		v := value(t, text)
		name := event[a.Name]
		if name == "" {
			name = "Stop"
		}
		var one any
		if err := json.Unmarshal([]byte(want[a.Name]), &one); err != nil {
			t.Fatalf("%s: %v", a.Name, err)
		}
		if got := v["hooks"].(map[string]any)[name]; !reflect.DeepEqual(got, []any{one}) {
			t.Errorf("%s: %v", a.Name, got)
		}
		if flat := !a.shape.grouped; flat != (v["version"] == 1.0) {
			t.Errorf("%s: version %v", a.Name, v["version"])
		}
	}
}

func TestANewFileIsLaidOutForReading(t *testing.T) {
	a := agent(t, "cursor")
	a.Events = a.Events[:2]
	text, err := a.with(nil, "/x y/dormouse-hook")
	want := `{
  "version": 1,
  "hooks": {
    "sessionStart": [
      {
        "command": "\"/x y/dormouse-hook\" sessionStart --agent cursor"
      }
    ],
    "beforeSubmitPrompt": [
      {
        "command": "\"/x y/dormouse-hook\" beforeSubmitPrompt --agent cursor"
      }
    ]
  }
}
`
	if err != nil || string(text) != want {
		t.Errorf("%v\n%s", err, text)
	}
}

func TestABinaryThatMovedReplacesItsOldHooks(t *testing.T) {
	for _, a := range settings() {
		old, err := a.with([]byte(texts["other hooks"]), "/old place/dormouse-hook")
		if err != nil {
			t.Fatal(err)
		}
		now, err := a.with(old, hook)
		if err != nil || strings.Contains(string(now), "/old place") || !strings.Contains(string(now), hook) {
			t.Errorf("%s, %v:\n%s", a.Name, err, now)
		}
		if out, err := a.takenOut(now); err != nil || string(out) != texts["other hooks"] {
			t.Errorf("%s, %v:\n%s", a.Name, err, out)
		}
	}
}

func TestHooksOfOthersStayEvenInOurGroup(t *testing.T) {
	a := agent(t, "claude-code")
	text := `{"hooks": {"Stop": [{"hooks": [
  {"type": "command", "command": "/opt/dormouse/dormouse-hook Stop --agent claude-code"}, // ours
  {"type": "command", "command": "my-dormouse-hook-wrapper Stop --agent claude-code"}
]}]}}`
	out, err := a.takenOut([]byte(text))
	if err != nil || strings.Contains(string(out), "/opt/dormouse/dormouse-hook") || !strings.Contains(string(out), "wrapper") {
		t.Errorf("%v\n%s", err, out)
	}
	value(t, out)
}

func TestWhatIsNotTheRightFileIsRefusedAndLeft(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON": "model = 1", "cut off": `{"hooks": {`, "a list": `[1]`, "hooks is a text": `{"hooks": "none"}`, "an event is an object": `{"hooks": {"Stop": {}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			path := filepath.Join(home, ".claude", "settings.json")
			put(t, path, text)
			_, err := agent(t, "claude-code").Connect(noEnv, home, hook)
			if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "left as it is") {
				t.Errorf("error %v", err)
			}
		})
	}
}

func noEnv(string) string { return "" }

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
}

// files are all files below a folder with their modes and texts.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		b, err := os.ReadFile(path)
		out[strings.TrimPrefix(path, dir)] = info.Mode().String() + " " + string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func apply(t *testing.T, p Plan, err error) {
	t.Helper()
	if err == nil {
		err = p.Apply()
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestDisconnectLeavesTheFolderByteForByteAsItWas(t *testing.T) {
	odd := map[string]string{"none": "", "blank": " \n", "empty lists": "{ \"hooks\" : { \"Stop\" : [ ] } , }\n\n", "empty hooks": "{\"hooks\":{}}"}
	for name, text := range texts {
		odd[name] = text
	}
	for _, a := range Table() {
		for name, text := range odd {
			t.Run(a.Name+"/"+name, func(t *testing.T) {
				home := t.TempDir()
				path := filepath.Join(a.Folder(noEnv, home), a.File)
				put(t, filepath.Join(filepath.Dir(path), "other"), "x")
				if name != "none" && !a.Own {
					put(t, path, text)
				}
				before := files(t, home)
				p, err := a.Connect(noEnv, home, hook)
				apply(t, p, err)
				if ok, err := a.Connected(noEnv, home, hook); !ok || err != nil {
					t.Errorf("not connected: %v", err)
				}
				if p.Diff() == "" {
					t.Error("no diff")
				}
				p, err = a.Connect(noEnv, home, hook)
				if err != nil || !p.Nothing() {
					t.Errorf("connecting again changes it: %v\n%s", err, p.Diff())
				}
				apply(t, p, err)
				p, err = a.Disconnect(noEnv, home)
				apply(t, p, err)
				if after := files(t, home); !reflect.DeepEqual(after, before) {
					t.Errorf("after:\n%q\nbefore:\n%q", after, before)
				}
			})
		}
	}
}

func TestDisconnectKeepsWhatThePersonChangedMeanwhile(t *testing.T) {
	a, home := agent(t, "claude-code"), t.TempDir()
	path := filepath.Join(home, ".claude", "settings.json")
	put(t, path, texts["comments"])
	p, err := a.Connect(noEnv, home, hook)
	apply(t, p, err)
	now, _ := os.ReadFile(path)
	put(t, path, strings.Replace(string(now), `"opus"`, `"sonnet"`, 1))
	p, err = a.Disconnect(noEnv, home)
	apply(t, p, err)
	got := files(t, filepath.Dir(path))
	if want := strings.Replace(texts["comments"], `"opus"`, `"sonnet"`, 1); len(got) != 1 || !strings.HasSuffix(got["/settings.json"], want) {
		t.Errorf("%q", got)
	}
}

func TestAFileThatChangedSinceThePlanIsNotOverwritten(t *testing.T) {
	a, home := agent(t, "claude-code"), t.TempDir()
	path := filepath.Join(home, ".claude", "settings.json")
	put(t, path, "{}")
	p, err := a.Connect(noEnv, home, hook)
	if err != nil {
		t.Fatal(err)
	}
	put(t, path, `{"new": 1}`)
	if err := p.Apply(); !errors.Is(err, ErrChanged) {
		t.Errorf("error %v", err)
	}
	if got := files(t, home); len(got) != 1 {
		t.Errorf("%q", got)
	}
}

func TestAFileThatCannotBeWrittenIsNamedWithWhatHelps(t *testing.T) {
	dir := t.TempDir()
	taken := filepath.Join(dir, "taken.json")
	put(t, filepath.Join(taken, "in.it"), "")
	for _, path := range []string{filepath.Join(dir, "gone", "settings.json"), taken} {
		err := write(path, []byte("{}"), 0o600)
		if err == nil || !strings.HasPrefix(err.Error(), "write "+path+": ") || !strings.Contains(err.Error(), "can be written to") || strings.Contains(err.Error(), ".tmp-") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if got := files(t, dir); len(got) != 1 {
		t.Errorf("%q", got)
	}
}

func TestALinkedFileIsChangedWhereItLies(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a right that a user has not there")
	}
	a, home, dots := agent(t, "claude-code"), t.TempDir(), t.TempDir()
	put(t, filepath.Join(dots, "settings.json"), "{}\n")
	if err := os.Mkdir(filepath.Join(home, ".claude"), 0o700); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(home, ".claude", "settings.json")
	if err := os.Symlink(filepath.Join(dots, "settings.json"), link); err != nil {
		t.Fatal(err)
	}
	p, err := a.Connect(noEnv, home, hook)
	apply(t, p, err)
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v", err)
	}
	p, err = a.Disconnect(noEnv, home)
	apply(t, p, err)
	if got := files(t, dots); len(got) != 1 || !strings.HasSuffix(got["/settings.json"], " {}\n") {
		t.Errorf("%q", got)
	}
}

func TestTheFolderOfTheEnvironmentCounts(t *testing.T) {
	a, dir := agent(t, "codex"), t.TempDir()
	env := func(k string) string { return map[string]string{"CODEX_HOME": dir}[k] }
	if p, err := a.Connect(env, "/nowhere", hook); err != nil || p.Path != filepath.Join(dir, "hooks.json") {
		t.Errorf("%s, %v", p.Path, err)
	}
	if !a.Installed(env, "/nowhere") || a.Installed(noEnv, t.TempDir()) || a.Installed(noEnv, "") {
		t.Error("installed is told wrongly")
	}
	if _, err := a.Connect(noEnv, "", hook); err == nil {
		t.Error("without a home folder there is a file")
	}
}

func FuzzHooksComeOutOfAnyFile(f *testing.F) {
	for _, text := range texts {
		f.Add([]byte(text))
	}
	f.Add([]byte("{\"env\": {}}\n//"))
	f.Add([]byte(bom + "{\"env\": {}}"))
	a := agent(f, "claude-code")
	f.Fuzz(func(t *testing.T, text []byte) {
		if bytes.Contains(text, []byte("dormouse-hook")) || len(text) > 1<<14 {
			return
		}
		in, err := a.with(text, hook)
		if err != nil || len(bytes.TrimSpace(bytes.TrimPrefix(text, []byte(bom)))) == 0 {
			return
		}
		if again, err := a.with(in, hook); err != nil || !bytes.Equal(in, again) {
			t.Fatalf("%v: a second time\n%s\n%s", err, in, again)
		}
		out, err := a.takenOut(in)
		if err != nil {
			t.Fatal(err)
		}
		was, is := tidied(t, text), tidied(t, out)
		if !reflect.DeepEqual(was, is) {
			t.Fatalf("%q became %q by way of %q", text, out, in)
		}
	})
}

// tidied is a file's value without lists of hooks that are empty, which go with the last hook.
func tidied(t *testing.T, text []byte) any {
	std, err := hujson.Standardize(join(bytes.TrimPrefix(text, []byte(bom)), "\n")) // as the program reads it
	if err != nil {
		t.Fatal(err)
	}
	var v map[string]any
	if json.Unmarshal(std, &v) != nil {
		return nil
	}
	hooks, ok := v["hooks"].(map[string]any)
	if !ok {
		return v
	}
	for name, list := range hooks {
		if l, ok := list.([]any); ok && len(l) == 0 {
			delete(hooks, name)
		}
	}
	if len(hooks) == 0 {
		delete(v, "hooks")
	}
	return v
}
