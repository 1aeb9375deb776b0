package daemon

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/assets"
	"dormouse/service/api"
	"dormouse/service/spool"
	"dormouse/store/home"
)

func TestEventsOfEveryAgentAreUnderstood(t *testing.T) {
	for event, want := range map[string]hookKind{
		"PreCompact": compactHook, "preCompact": compactHook, "pre_compress": compactHook, "PostToolUse": toolHook, "post-tool-use": toolHook,
		"SessionEnd": endHook, "sessionEnd": endHook, "Stop": otherHook, "": otherHook, "Whatever": otherHook,
	} {
		if got := kindOfHook(event); got != want {
			t.Errorf("%q is %d, want %d", event, got, want)
		}
	}
}

// aSample is the path of one of Claude Code's sample sessions below the roots.
func aSample(t *testing.T, roots string) string {
	t.Helper()
	found := ""
	err := filepath.WalkDir(filepath.Join(roots, filepath.FromSlash(assets.SampleClaude)), func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".jsonl") {
			found = path
		}
		return err
	})
	if err != nil || found == "" {
		t.Fatal(found, err)
	}
	return found
}

func TestWhatAHookTellsIsReadAndCounted(t *testing.T) {
	p := learned(t)
	s := start(t, p)
	path := aSample(t, filepath.Dir(filepath.Dir(p.Config.Capture.Roots["claude-code"][0])))
	payload, _ := json.Marshal(map[string]string{"session_id": strings.TrimSuffix(filepath.Base(path), ".jsonl"), "transcript_path": path})
	for _, event := range []string{"UserPromptSubmit", "PostToolUse", "PreCompact", "Stop", "SessionEnd"} {
		if _, err := s.daemon.hook(t.Context(), api.Hook{Event: event, Agent: "claude-code", Payload: payload}); err != nil {
			t.Fatal(err)
		}
	}
	await(t, s, func(st api.Status) bool {
		return st.Hooks.Heard == 5 && st.Hooks.LastAt > 0 && st.Counts.Sessions == 9 && len(st.Problems) == 0
	})
}

func TestHooksThatComeFasterThanTheyAreDealtWithAreDroppedAndCounted(t *testing.T) {
	d := New(Params{Home: home.At(t.TempDir())})
	for range waitingHooks + 3 {
		if _, err := d.hook(t.Context(), api.Hook{Event: "Stop"}); err != nil {
			t.Fatal(err)
		}
	}
	if c := d.hooks.counts(); c.Heard != waitingHooks || c.Dropped != 3 {
		t.Errorf("%+v", c)
	}
}

func TestReportsThatCouldNotBeDeliveredArePickedUpAtTheStart(t *testing.T) {
	p := learned(t)
	run := p.Home.Run()
	for i := range 3 {
		r := spool.Report{At: time.Now().UnixMilli(), Agent: "claude-code", Event: "Stop", Session: fmt.Sprint("s", i), Transcript: aSample(t, filepath.Dir(filepath.Dir(p.Config.Capture.Roots["claude-code"][0])))}
		if _, err := spool.Put(filepath.Join(run, "spool"), r); err != nil {
			t.Fatal(err)
		}
	}
	s := start(t, p)
	await(t, s, func(st api.Status) bool { return st.Hooks.Spooled == 3 })
	if left, err := os.ReadDir(filepath.Join(run, "spool")); err != nil || len(left) != 0 {
		t.Errorf("left %v, %v", left, err)
	}
}
