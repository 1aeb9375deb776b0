package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dormouse/assets"
	"dormouse/service/config"
	"dormouse/service/connect"
)

// newcomer is a person with sample sessions of Claude Code, settings of three agents, and Dormouse's programs in a folder whose name has
// blanks and letters beyond ASCII.
func newcomer(t *testing.T) (user string, files map[string]string) {
	t.Helper()
	user = filepath.Join(t.TempDir(), "José Müller 测试")
	t.Setenv("HOME", user)
	t.Setenv("USERPROFILE", user)
	samples := t.TempDir()
	if _, err := assets.ExtractSamples(samples); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(user, ".claude", "projects"), os.DirFS(filepath.Join(samples, filepath.FromSlash(assets.SampleClaude)))); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-29 * 24 * time.Hour)
	all, err := filepath.Glob(filepath.Join(user, ".claude", "projects", "*", "*.jsonl"))
	if err != nil || len(all) == 0 {
		t.Fatalf("%v %v", all, err)
	}
	if err := os.Chtimes(all[0], old, old); err != nil {
		t.Fatal(err)
	}
	files = map[string]string{
		".claude/settings.json": "{\r\n  \"model\": \"opus\" // best\r\n}",
		".codex/config.toml":    "# mine\nmodel = \"x\"\n",
		".gemini/settings.json": "{\"theme\": \"dark\"}\n",
	}
	for name, text := range files {
		path := filepath.Join(user, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	bin := filepath.Join(user, "bin")
	if err := os.MkdirAll(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"dormouse", "dormouse-hook", "dormouse-hook.exe"} {
		if err := os.WriteFile(filepath.Join(bin, name), nil, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return user, files
}

// sameTree reports what of a folder is not as it was.
func sameTree(t *testing.T, root, before string) {
	t.Helper()
	was, is := strings.Split(before, "\n"), strings.Split(tree(t, root), "\n")
	for _, line := range is {
		if !slices.Contains(was, line) {
			t.Errorf("left behind: %.300s", line)
		}
	}
	for _, line := range was {
		if !slices.Contains(is, line) {
			t.Errorf("gone: %.300s", line)
		}
	}
}

// at runs one command line of a newcomer, who types what is given.
func at(t *testing.T, user, typed string, args ...string) result {
	t.Helper()
	var out, errs bytes.Buffer
	p := Params{Stdin: strings.NewReader(typed), Stdout: &out, Stderr: &errs, Width: 100, Env: userEnv(user), Exe: filepath.Join(user, "bin", "dormouse"), Now: time.Now}
	return result{run(t.Context(), args, p), out.String(), errs.String()}
}

// changed are those of a newcomer's files that are not as they were.
func changed(t *testing.T, user string, files map[string]string) (out []string) {
	t.Helper()
	for name, text := range files {
		if b, err := os.ReadFile(filepath.Join(user, filepath.FromSlash(name))); err != nil || string(b) != text {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func TestSetupConnectsCapturesAndUninstallLeavesNoTrace(t *testing.T) {
	user, files := newcomer(t)
	before := tree(t, user)
	r := at(t, user, "", "setup", "--yes", "--no-service", "--json")
	var got setupReport
	if err := json.Unmarshal([]byte(r.out), &got); err != nil || r.code != exitOK {
		t.Fatalf("%v %+v", err, r)
	}
	if !slices.Equal(got.Connected, []string{"claude-code", "codex", "gemini-cli"}) || len(got.Changes) != 5 || got.Service != "not installed" {
		t.Errorf("%+v", got)
	}
	if got.Captured == nil || got.Captured.Sessions < 4 || got.Captured.Events == 0 {
		t.Errorf("captured %+v", got.Captured)
	}
	if len(got.Found) == 0 || got.Found[0].Name != "claude-code" || got.Found[0].Files < 4 || got.Found[0].Hooks != connect.Missing {
		t.Errorf("found %+v", got.Found)
	}
	if c := changed(t, user, files); len(c) != 3 {
		t.Errorf("changed are %v", c)
	}
	if r := at(t, user, "", "agents", "--json"); strings.Count(r.out, `"hooks": "connected"`)+strings.Count(r.out, `"hooks": "not yet trusted"`) != 3 {
		t.Errorf("%+v", r)
	}
	r = at(t, user, "", "setup", "--yes", "--no-service")
	if r.code != exitOK || !strings.Contains(r.out, "connected already") || strings.Contains(r.out, "+++") {
		t.Errorf("again: %+v", r)
	}
	r = at(t, user, "", "uninstall", "--yes")
	if r.code != exitOK || !strings.Contains(r.out, "claude-code, codex, gemini-cli") || !strings.Contains(r.out, "Your memory stays in ~/.dormouse") {
		t.Errorf("%+v", r)
	}
	sameTree(t, user, before)
	r = at(t, user, "", "uninstall", "--yes", "--purge")
	if _, err := os.Stat(filepath.Join(user, ".dormouse")); err == nil || r.code != exitOK {
		t.Errorf("the memory is still there: %+v", r)
	}
}

func TestSetupAsksBeforeItWritesAndConnectsTheChosen(t *testing.T) {
	user, files := newcomer(t)
	if r := at(t, user, "", "setup"); r.code == exitOK || !strings.Contains(r.err, "nothing was changed") || len(changed(t, user, files)) > 0 {
		t.Errorf("without an answer: %+v", r)
	}
	r := at(t, user, "emacs\ncodex\nn\n", "setup")
	if r.code != exitOK || !strings.Contains(r.err, `"emacs" is none of them`) || !strings.Contains(r.err, "whenever you log on") || !strings.Contains(r.out, "/hooks") {
		t.Errorf("%+v", r)
	}
	for _, want := range []string{"+++ " + user + "/.codex/hooks.json", "+ \"hooks\": {", "deletes what was not changed for 30 days", "Dormouse does not start by itself"} {
		if all := strings.Join(strings.Fields(r.out), " "); !strings.Contains(all, want) {
			t.Errorf("it does not say %q:\n%s", want, r.out)
		}
	}
	if c := changed(t, user, files); !slices.Equal(c, []string{".codex/config.toml"}) {
		t.Errorf("changed are %v", c)
	}
	if r := at(t, user, "n\nn\n", "setup"); r.code != exitOK || len(changed(t, user, files)) != 1 {
		t.Errorf("none: %+v", r)
	}
}

func TestSetupByFlags(t *testing.T) {
	user, files := newcomer(t)
	r := at(t, user, "", "setup", "--dry-run")
	if r.code != exitOK || !strings.Contains(r.out, "Nothing was changed") || len(changed(t, user, files)) > 0 || strings.Contains(tree(t, user), ".before-dormouse") {
		t.Errorf("dry run: %+v", r)
	}
	if _, err := os.Stat(filepath.Join(user, ".dormouse")); err == nil {
		t.Error("a dry run made the state folder")
	}
	for args, want := range map[string]string{
		"setup --json":                   "nobody can be asked",
		"setup --agents emacs":           `"emacs" is no agent`,
		"setup --agents= --yes":          "--agents takes names",
		"setup now":                      "setup takes no arguments",
		"uninstall --json":               "nobody can be asked",
		"uninstall --yes --dry-run":      "exclude each other",
		"setup --yes --agents codex,vim": `"vim" is no agent`,
	} {
		if r := at(t, user, "", strings.Fields(args)...); r.code != exitUsage || !strings.Contains(r.err, want) {
			t.Errorf("%s: %+v", args, r)
		}
	}
	if err := os.WriteFile(filepath.Join(user, ".gemini", "settings.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	files[".gemini/settings.json"] = "{"
	r = at(t, user, "", "setup", "--yes", "--no-service", "--agents", "gemini-cli,codex")
	if r.code != exitOK || !strings.Contains(r.out, "gemini-cli is not connected") || !slices.Equal(changed(t, user, files), []string{".codex/config.toml"}) {
		t.Errorf("one that cannot be read keeps the others: %v %+v", changed(t, user, files), r)
	}
	if err := os.Remove(filepath.Join(user, "bin", "dormouse-hook")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", t.TempDir())
	if r := at(t, user, "", "setup", "--yes", "--no-service"); r.code == exitOK || !strings.Contains(r.err, "dormouse-hook") {
		t.Errorf("without the hooks' program: %+v", r)
	}
}

func TestSetupOnAnEmptyMachineSaysSo(t *testing.T) {
	user := filepath.Join(t.TempDir(), "new")
	t.Setenv("HOME", user)
	if err := os.MkdirAll(user, 0o700); err != nil {
		t.Fatal(err)
	}
	r := at(t, user, "", "setup", "--yes", "--no-service")
	if r.code != exitOK || !strings.Contains(r.out, "No coding agent was found") || !strings.Contains(r.out, "nothing yet") {
		t.Errorf("%+v", r)
	}
	if b, err := os.ReadFile(filepath.Join(user, ".dormouse", "config.toml")); err != nil || !bytes.Equal(b, config.Template) {
		t.Errorf("%v", err)
	}
}

func TestAgentsOfWindowsAreReadFromTheOtherSideOfWSL(t *testing.T) {
	user, _ := newcomer(t)
	windows := filepath.Join(user, "mnt", "c", "Users", "José", ".claude", "projects", "C--Users-Jos--shop")
	all, err := filepath.Glob(filepath.Join(user, ".claude", "projects", "*agentv", "*.jsonl"))
	if err != nil || len(all) != 1 {
		t.Fatalf("%v %v", all, err)
	}
	text, err := os.ReadFile(all[0])
	if err != nil {
		t.Fatal(err)
	}
	cwd := `"cwd":"/home/dev/projects/agentv`
	if !bytes.Contains(text, []byte(cwd)) {
		t.Fatal("the sample has another folder")
	}
	text = bytes.ReplaceAll(text, []byte(cwd), []byte(`"cwd":"C:\\Users\\José\\shop`))
	text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
	for path, data := range map[string][]byte{
		filepath.Join(windows, filepath.Base(all[0])):   text,
		filepath.Join(user, ".dormouse", "config.toml"): []byte("[capture]\nagents = [\"claude-code\"]\n[capture.roots]\nclaude-code = ['" + filepath.Dir(windows) + "']\n"),
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := at(t, user, "", "setup", "--yes", "--agents", "none", "--no-service", "--json")
	var got setupReport
	if err := json.Unmarshal([]byte(r.out), &got); err != nil || r.code != exitOK || got.Captured == nil || got.Captured.Sessions != 1 || got.Captured.Turns != 1 || got.Captured.Projects != 1 {
		t.Fatalf("%v %+v", err, r)
	}
	metas, err := filepath.Glob(filepath.Join(user, ".dormouse", "sessions", "*", "meta.json"))
	if err != nil || len(metas) != 1 {
		t.Fatalf("%v %v", metas, err)
	}
	meta, err := os.ReadFile(metas[0])
	if err != nil || !strings.Contains(string(meta), `"cwd":"C:\\Users\\José\\shop"`) {
		t.Errorf("%v %s", err, meta)
	}
}

func TestAnAgentWithThePluginIsNotConnectedBesides(t *testing.T) {
	user, files := newcomer(t)
	files[".claude/settings.json"] = "{\"enabledPlugins\": {\"dormouse@dormouse\": true}}\n"
	if err := os.WriteFile(filepath.Join(user, ".claude", "settings.json"), []byte(files[".claude/settings.json"]), 0o600); err != nil {
		t.Fatal(err)
	}
	r := at(t, user, "", "setup", "--yes", "--no-service")
	if r.code != exitOK || !strings.Contains(r.out, "by its plugin") || !strings.Contains(r.out, "Connected   codex, gemini-cli") {
		t.Errorf("%+v", r)
	}
	r = at(t, user, "", "uninstall", "--yes", "--purge")
	if r.code != exitOK || !strings.Contains(r.out, "claude plugin uninstall dormouse@dormouse") || len(changed(t, user, files)) > 0 {
		t.Errorf("%+v", r)
	}
}
