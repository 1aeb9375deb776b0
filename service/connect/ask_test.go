package connect

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/service/inject"
)

// ways are settings of what agents are told.
var ways = map[string][]inject.Moment{
	"nothing": nil, "starts": {inject.Start}, "starts and prompts": {inject.Start, inject.Prompt}, "all": {inject.Start, inject.Prompt, inject.Child},
}

func TestConnectingAnewWithOtherSettingsAndDisconnectingLeavesTheFileAsItWas(t *testing.T) {
	for _, a := range settings() {
		for first, was := range ways {
			for then, is := range ways {
				for _, name := range []string{"comments", "other hooks"} {
					t.Run(a.Name+"/"+first+"/"+then+"/"+name, func(t *testing.T) {
						home := t.TempDir()
						path := filepath.Join(a.Folder(noEnv, home), a.File)
						if !a.Own {
							put(t, path, texts[name])
						}
						before := files(t, home)
						p, err := a.Asking(was...).Connect(noEnv, home, hook)
						apply(t, p, err)
						p, err = a.Asking(is...).Connect(noEnv, home, hook)
						apply(t, p, err)
						if ok, err := a.Asking(is...).Connected(noEnv, home, hook); !ok || err != nil {
							t.Errorf("not connected: %v", err)
						}
						asked(t, a.Asking(is...), path)
						p, err = a.Disconnect(noEnv, home)
						apply(t, p, err)
						if after := files(t, home); len(after) != len(before) || after[path] != before[path] {
							t.Errorf("it is\n%s\nand was\n%s", after[path], before[path])
						}
					})
				}
			}
		}
	}
}

// asked fails unless just the hooks ask that are to, each event has one, and Codex waits for those alone.
func asked(t *testing.T, a Agent, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	hooks, _ := value(t, text)["hooks"].(map[string]any)
	for event, list := range hooks {
		all := strings.ReplaceAll(render(toAny(list), "", "", ""), `\`, "")
		n, asks := strings.Count(all, hook+" "+event+" "), strings.Count(all, hook+" "+event+" --inject --agent "+a.Name)
		if a.Name == "copilot-cli" {
			n, asks = n/2, asks/2 // for two shells
		}
		want := 0
		if a.asks[event] {
			want = 1
		}
		if n > 1 || asks != want || n == 0 && strings.Contains(all, "dormouse-hook") {
			t.Errorf("%s: %d hooks, %d of them ask, want %d:\n%s", event, n, asks, want, all)
		}
		if a.Name == "codex" && event != "SessionEnd" && n == 1 && strings.Contains(all, `"async":true`) == a.asks[event] {
			t.Errorf("codex waits for %s: %v\n%s", event, !a.asks[event], all)
		}
	}
	for event := range a.asks {
		if hooks[event] == nil {
			t.Errorf("nothing is asked at %s", event)
		}
	}
}

func TestAnOlderConnectionGoesOnReportingAndIsKnown(t *testing.T) {
	for _, a := range Table() {
		t.Run(a.Name, func(t *testing.T) {
			home := t.TempDir()
			asking := a.Asking(inject.Start)
			if ok, err := asking.Reports(noEnv, home, hook); ok || err != nil {
				t.Errorf("hooks that are not there report: %v", err)
			}
			p, err := a.Connect(noEnv, home, hook)
			apply(t, p, err)
			if ok, err := asking.Connected(noEnv, home, hook); ok != !asking.Asks() || err != nil {
				t.Errorf("an older connection counts as one that tells: %v", err)
			}
			if ok, err := asking.Reports(noEnv, home, hook); !ok || err != nil {
				t.Errorf("an older connection does not count as one: %v", err)
			}
			if ok, err := asking.Reports(noEnv, home, "/elsewhere/dormouse-hook"); ok || err != nil {
				t.Errorf("hooks of another binary count: %v", err)
			}
			path := filepath.Join(a.Folder(noEnv, home), a.File)
			text, _ := os.ReadFile(path)
			if cut := bytes.Replace(text, []byte("PostToolUse --agent"), []byte("Other --agent"), 1); a.Name == "claude-code" {
				if err := os.WriteFile(path, cut, 0o600); err != nil {
					t.Fatal(err)
				}
				if ok, err := asking.Reports(noEnv, home, hook); ok || err != nil {
					t.Errorf("a connection counts whole that lacks an event: %v", err)
				}
			}
		})
	}
}

func TestThePluginAsksAtTheEventsOfTheSettings(t *testing.T) {
	a, _ := Find(Table(), "opencode")
	for name, want := range map[string]string{"nothing": "[]", "starts": `["SessionStart"]`, "all": `["SessionStart", "UserPromptSubmit"]`} {
		text, err := a.Asking(ways[name]...).with(nil, hook)
		if err != nil || !strings.Contains(string(text), "const asks = "+want+"\n") {
			t.Errorf("%s: %v\n%.700s", name, err, text)
		}
	}
}
