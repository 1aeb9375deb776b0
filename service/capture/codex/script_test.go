package codex

import (
	"reflect"
	"testing"

	"dormouse/service/capture/chain"
)

func TestCommandsAndPatchesOfAScriptAreListed(t *testing.T) {
	tests := []struct {
		name, source string
		commands     []string
		patches      int
	}{
		{"one command", `const r = await tools.exec_command({cmd:"go test ./...\necho \"ok\"","workdir":"/w"}); text(r.output);`, []string{"go test ./...\necho \"ok\""}, 0},
		{"several at once", "await Promise.all([\n tools.exec_command({cmd:'ls'}),\n tools.exec_command({workdir:`/w`, cmd:`pwd`})\n])", []string{"ls", "pwd"}, 0},
		{"a constant", `const cmd = "make"; await tools.exec_command({cmd, yield_time_ms: 1}); const other="x"; tools.exec_command({cmd: other})`, []string{"make", "x"}, 0},
		{"a list of words", `tools.shell({command:["bash","-lc","ls -l"]}); tools.shell({command:["git","log"]})`, []string{"ls -l", "git log"}, 0},
		{"a quoted key", `tools.exec_command({"cmd":"a"})`, []string{"a"}, 0},
		{"a patch in a constant", "const patch = \"*** Begin Patch\\n*** Add File: a\\n+1\\n*** End Patch\";\ntext(await tools.apply_patch(patch));", nil, 1},
		{"a computed command is not guessed", `for (const f of files) tools.exec_command({cmd: "cat " + f})`, []string{"cat"}, 0},
		{"not in comments or strings", "// tools.exec_command({cmd:'x'})\n/* tools.exec_command({cmd:'y'}) */ const s = \"tools.exec_command({cmd:'z'})\"", nil, 0},
		{"escapes", `tools.exec_command({cmd:'a\u00e9\x41\u{1f600}\tb\'c'})`, []string{"aéA😀\tb'c"}, 0},
		{"torn", `tools.exec_command({cmd:"never closed`, []string{"never closed"}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			commands, patches := scripted(tt.source)
			if !reflect.DeepEqual(commands, tt.commands) || len(patches) != tt.patches {
				t.Errorf("commands %q, patches %q", commands, patches)
			}
		})
	}
}

func FuzzScript(f *testing.F) {
	f.Add(`tools.exec_command({cmd:"a"})`)
	f.Add("const p = `*** Begin Patch`; tools.shell({command:['a','\\u{1}'")
	f.Fuzz(func(t *testing.T, source string) {
		scripted(source)
		chain.Patched(source)
	})
}
