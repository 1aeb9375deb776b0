package connect

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// sums are those that Codex 0.171.0 tells of its hooks, for a binary at /opt/dormouse/dormouse-hook.
var sums = map[string]string{
	"PostToolUse":      "sha256:3cbb556d43c2c9cb3bd07e44c7f87b677bacf2f65ac0791e1a7a8428ee0550f2",
	"PreCompact":       "sha256:1d9c999a8ac1fff5a09894d0dabafbfde460afc449075c06d00da7c8839d39bd",
	"SessionStart":     "sha256:5958b1a234b404c5a028a32b41e7c857bca2f6e6914a133a4776bc7107fb1c0d",
	"SessionEnd":       "sha256:db36c674bf984555b5f24994e46bab41b35d6f5748a7af2034bf742828a177f4",
	"UserPromptSubmit": "sha256:1213922ffde0d7641b3977dbc80e91c922b550bf6f9798dfa772e585c1f30e60",
	"SubagentStop":     "sha256:9497cbe7ac1c4c38651dd39b44e3e45c96c2782d3776b725e672a56ab5fb81cb",
	"Stop":             "sha256:357e29926b536cb1268895d16f8e0d7a36326276dedbb859172e569bbd43c7e4",
}

func TestHooksThatThePersonHasNotTrustedAreKnown(t *testing.T) {
	a, home := agent(t, "codex"), t.TempDir()
	path := filepath.Join(home, ".codex", "hooks.json")
	if a.Untrusted(noEnv, home) {
		t.Error("hooks that are not there are not trusted")
	}
	put(t, path, `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"mine"}]}]}}`)
	p, err := a.Connect(noEnv, home, hook)
	apply(t, p, err)
	var state strings.Builder
	for _, event := range a.Events {
		group := 0
		if event == "Stop" {
			group = 1 // behind the person's own
		}
		fmt.Fprintf(&state, "[hooks.state.%q]\ntrusted_hash = %q\n", fmt.Sprintf("%s:%s:%d:0", path, snake(event), group), sums[event])
	}
	whole := state.String()
	for name, tt := range map[string]struct {
		config string
		want   bool
	}{
		"no settings":           {"", true},
		"other settings":        {"model = \"x\"\n[hooks.state.\"/else/hooks.json:stop:1:0\"]\ntrusted_hash = \"sha256:00\"\n", true},
		"all trusted":           {whole, false},
		"trusted and turned on": {strings.ReplaceAll(whole, "\"\n[", "\"\nenabled = true\n["), false},
		"one turned off":        {whole + "enabled = false\n", true},
		"one at another place":  {strings.Replace(whole, ":stop:1:0", ":stop:0:0", 1), true},
		"one seen and no more":  {strings.Replace(whole, "trusted_hash = ", "enabled = true\nother = ", 1), true},
		"changed since":         {strings.Replace(whole, sums["Stop"], sums["PreCompact"], 1), true},
		"damaged":               {"[hooks.state", false},
	} {
		put(t, filepath.Join(home, ".codex", "config.toml"), tt.config)
		if got := a.Untrusted(noEnv, home); got != tt.want {
			t.Errorf("%s: untrusted %v", name, got)
		}
	}
	if agent(t, "claude-code").Untrusted(noEnv, home) {
		t.Error("an agent that asks for no trust has untrusted hooks")
	}
}
