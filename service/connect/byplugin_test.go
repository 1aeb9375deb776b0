package connect

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestAgentsThatHaveAPluginAreKnown(t *testing.T) {
	for _, tt := range []struct{ agent, file, text, want string }{
		{"claude-code", ".claude/settings.json", bom + "{\"enabledPlugins\": {\"x@dormouse\": true, \"dormouse@dormouse\": true,}} // mine", "claude plugin uninstall dormouse@dormouse"},
		{"claude-code", ".claude/settings.json", `{"enabledPlugins": {"dormouse@dormouse": false}}`, ""},
		{"claude-code", ".claude/settings.json", `{"enabledPlugins": 7}`, ""},
		{"claude-code", ".claude/other.json", `{}`, ""},
		{"codex", ".codex/config.toml", "[plugins.\"dormouse@local\"]\nenabled = true\n", "codex plugin remove dormouse@local"},
		{"codex", ".codex/config.toml", "[plugins.\"dormouse@local\"]\nenabled = false\n", ""},
		{"codex", ".codex/config.toml", "[plugins\n", ""},
		{"gemini-cli", ".gemini/extensions/dormouse/gemini-extension.json", `{}`, "gemini extensions uninstall dormouse"},
		{"gemini-cli", ".gemini/extensions/other/gemini-extension.json", `{}`, ""},
		{"opencode", ".config/opencode/opencode.jsonc", `{"plugin": [["x", {}], "file:///usr/share/dormouse/plugins/opencode/index.js"]}`, "opencode.jsonc"},
		{"opencode", ".config/opencode/opencode.json", `{"plugin": ["dormouse-opencode@0.1.0"]}`, "take dormouse-opencode@0.1.0 out"},
		{"opencode", ".config/opencode/opencode.json", `{"plugin": ["other"]}`, ""},
		{"cursor", ".cursor/hooks.json", `{}`, ""},
	} {
		home := t.TempDir()
		put(t, filepath.Join(home, filepath.FromSlash(tt.file)), tt.text)
		got := agent(t, tt.agent).ByPlugin(noEnv, home)
		if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s with %s: %q, want %q", tt.agent, tt.text, got, tt.want)
		}
		if got := agent(t, tt.agent).ByPlugin(noEnv, ""); got != "" {
			t.Errorf("%s without a home folder: %q", tt.agent, got)
		}
	}
}
