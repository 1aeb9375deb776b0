package connect

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestAPluginComesAndGoesWithItsFolder(t *testing.T) {
	for _, name := range []string{"opencode", "kilo"} {
		t.Run(name, func(t *testing.T) { comesAndGoes(t, name) })
	}
}

func comesAndGoes(t *testing.T, name string) {
	a, home := agent(t, name), t.TempDir()
	put(t, filepath.Join(home, ".config", name, name+".json"), "{}")
	before := files(t, home)
	p, err := a.Connect(noEnv, home, hook)
	apply(t, p, err)
	path := filepath.Join(home, ".config", name, "plugin", "dormouse.js")
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), `const hook = "`+hook+`"`) || !strings.Contains(string(text), `const agent = "`+name+`"`) || strings.Contains(string(text), "DORMOUSE_") {
		t.Errorf("%v\n%s", err, text)
	}
	p, err = a.Connect(noEnv, home, "/moved/dormouse-hook")
	apply(t, p, err)
	if ok, err := a.Connected(noEnv, home, hook); ok || err != nil {
		t.Errorf("a plugin with another binary counts as connected: %v", err)
	}
	p, err = a.Disconnect(noEnv, home)
	apply(t, p, err)
	if after := files(t, home); len(after) != len(before) {
		t.Errorf("left %q", after)
	}
	if _, err := os.Stat(filepath.Dir(path)); err == nil {
		t.Error("the empty folder of plugins is left")
	}
	if p, err = a.Disconnect(noEnv, home); err != nil || !p.Nothing() {
		t.Errorf("disconnecting again: %v, %s", err, p.Diff())
	}
}

func TestAFileOfThePersonInPlaceOfThePluginIsLeft(t *testing.T) {
	a, home := agent(t, "opencode"), t.TempDir()
	path := filepath.Join(home, ".config", "opencode", "plugin", "dormouse.js")
	put(t, path, "export const Mine = async () => ({})\n")
	if _, err := a.Connect(noEnv, home, hook); err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "move it away") {
		t.Errorf("error %v", err)
	}
	if p, err := a.Disconnect(noEnv, home); err != nil || !p.Nothing() {
		t.Errorf("%v, %s", err, p.Diff())
	}
	env := func(k string) string { return map[string]string{"XDG_CONFIG_HOME": filepath.Join(home, "c")}[k] }
	if p, err := a.Connect(env, home, hook); err != nil || p.Path != filepath.Join(home, "c", "opencode", "plugin", "dormouse.js") {
		t.Errorf("%s, %v", p.Path, err)
	}
}

// drive loads the plugin as opencode does and tells it what happens in a session with a sub-agent.
const drive = `const { Dormouse } = await import(process.argv[2])
const hooks = await Dormouse({ directory: "/work" })
const event = (type, properties) => hooks.event({ event: { type, properties } })
await event("session.created", { info: { id: "ses_1" } })
await hooks["chat.message"]({ sessionID: "ses_1" }, { parts: [{ type: "text", text: "count the stars" }, { type: "text", text: "hidden", synthetic: true }, { type: "file" }] })
await event("session.created", { info: { id: "ses_2", parentID: "ses_1" } })
await hooks["chat.message"]({ sessionID: "ses_2" }, { parts: [{ type: "text", text: "a task" }] })
await hooks["tool.execute.after"]({ tool: "bash", sessionID: "ses_2", callID: "c" }, {})
await event("session.idle", { sessionID: "ses_2" })
await hooks["experimental.session.compacting"]({ sessionID: "ses_1" }, { context: [] })
await event("session.idle", { sessionID: "ses_1" })
await event("session.idle", {})
await event("message.updated")
await hooks.event()
await hooks["chat.message"]()
await hooks["tool.execute.after"]()
`

func TestThePluginTellsOfASessionAndIsSilent(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("node is not here to run the plugin; the real agent does with make agents")
	}
	dir := t.TempDir()
	fake, told := filepath.Join(dir, "dormouse-hook"), filepath.Join(dir, "told")
	if err := os.Mkdir(told, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(fake, []byte("#!/bin/sh\nf=\""+told+"/$$\"\n{ echo \"$*\"; cat; } > \"$f.part\" && mv \"$f.part\" \"$f\"\necho heard\nexit 3\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "drive.mjs"), drive)
	run := func(hook string) {
		t.Helper()
		put(t, filepath.Join(dir, "dormouse.mjs"), string(opencodePlugin("opencode", hook, nil)))
		out, err := exec.Command(node, filepath.Join(dir, "drive.mjs"), filepath.Join(dir, "dormouse.mjs")).CombinedOutput()
		if err != nil || len(out) > 0 {
			t.Errorf("with %s: %v, it printed %q", hook, err, out)
		}
	}
	run(filepath.Join(dir, "gone"))
	run(fake)
	want := []string{
		`PostToolUse {"agent_id":"ses_2","cwd":"/work","session_id":"ses_1","tool_name":"bash"}`,
		`PreCompact {"cwd":"/work","session_id":"ses_1"}`,
		`SessionStart {"cwd":"/work","session_id":"ses_1"}`,
		`Stop {"cwd":"/work","session_id":"ses_1"}`,
		`SubagentStop {"agent_id":"ses_2","cwd":"/work","session_id":"ses_1"}`,
		`UserPromptSubmit {"cwd":"/work","prompt":"count the stars","session_id":"ses_1"}`,
	}
	var got []string
	for deadline := time.Now().Add(2 * time.Minute); len(got) < len(want) && time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		got = reported(t, told)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// driveAsking drives a plugin that asks, and prints the parts of the messages.
const driveAsking = `const { Dormouse } = await import(process.argv[2])
const hooks = await Dormouse({ directory: "/work" })
const event = (type, properties) => hooks.event({ event: { type, properties } })
const message = async (session, text, ...more) => {
  const parts = [{ id: "prt_1", messageID: "msg_1", sessionID: session, type: "text", text }]
  await hooks["chat.message"]({ sessionID: session }, { message: {}, parts })
  console.log(JSON.stringify(parts.slice(1)))
}
await event("session.created", { info: { id: "ses_1" } })
await message("ses_1", "one")
await message("ses_1", "two")
await event("session.compacted", { sessionID: "ses_1" })
await message("ses_1", "three")
await message("ses_9", "from before")
await event("session.created", { info: { id: "ses_2", parentID: "ses_1" } })
await message("ses_2", "a task")
await hooks["chat.message"]({ sessionID: "ses_3" }, { parts: [] })
`

func TestThePluginPutsWhatTheHookTellsBehindThePrompt(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("node is not here to run the plugin; the real agent does with make agents")
	}
	dir := t.TempDir()
	fake := filepath.Join(dir, "dormouse-hook")
	script := "#!/bin/sh\nin=$(cat)\ncase \"$*\" in *--inject*) ;; *) exit 0;; esac\nsource=${in##*source\\\":\\\"}\nprintf '{\"additionalContext\":\"told at %s %s\"}' \"$1\" \"${source%%\\\"*}\"\n"
	if err := os.WriteFile(fake, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "drive.mjs"), driveAsking)
	run := func(hook string) string {
		t.Helper()
		// a slow machine may take longer to start a program than a person would wait
		text := strings.Replace(string(opencodePlugin("opencode", hook, map[string]bool{"SessionStart": true})), "const patience = 200", "const patience = 60000", 1)
		put(t, filepath.Join(dir, "dormouse.mjs"), text)
		out, err := exec.Command(node, filepath.Join(dir, "drive.mjs"), filepath.Join(dir, "dormouse.mjs")).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return string(out)
	}
	part := func(source string) string {
		return `[{"id":"prt_1z","sessionID":"ses_1","messageID":"msg_1","type":"text","text":"told at SessionStart ` + source + `","synthetic":true}]`
	}
	want := part("startup") + "\n[]\n" + part("compact") + "\n" + strings.Replace(part("resume"), "ses_1", "ses_9", 1) + "\n[]\n"
	if got := run(fake); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := run(filepath.Join(dir, "gone")); got != "[]\n[]\n[]\n[]\n[]\n" {
		t.Errorf("without a hook it added\n%s", got)
	}
}

// driveSecond drives a plugin as version 2 does, and prints what the model would be told with each request.
const driveSecond = `const plugin = (await import(process.argv[2])).default
if (typeof plugin.id !== "string" || typeof plugin.server !== "function") throw new Error("it is not to be loaded")
const hooks = {}
let push, ended = false
const waiting = []
const events = { async *[Symbol.asyncIterator]() { while (!ended) { if (waiting.length) yield waiting.shift(); else await new Promise((r) => (push = r)) } } }
const domain = (of) => ({ hook: async (name, use) => { hooks[of + "." + name] = use } })
const ctx = {
  location: { directory: "/work" }, tool: domain("tool"), event: { subscribe: () => events },
  session: { ...domain("session"), get: async ({ sessionID }) => {
    if (sessionID === "ses_gone") throw new Error("no such session")
    return sessionID === "ses_2" ? { id: "ses_2", parentID: "ses_1" } : { id: sessionID }
  } },
}
const cleanup = await plugin.setup(ctx)
const event = async (type, sessionID) => { waiting.push({ type, data: { sessionID } }); push?.(); await new Promise((r) => setTimeout(r, 5)) }
const asks = async (sessionID, text) => {
  await hooks["session.prompt"]({ sessionID, prompt: { text } })
  for (let i = 0; i < 2; i++) {
    const system = [{ type: "text", text: "you are" }]
    await hooks["session.context"]({ sessionID, system })
    console.log(JSON.stringify(system.slice(1)))
  }
}
await event("session.execution.started", "ses_1")
await asks("ses_1", "count the stars")
await event("session.execution.started", "ses_2")
await asks("ses_2", "a task")
await hooks["tool.execute.after"]({ tool: "bash", sessionID: "ses_2", status: "completed" })
await event("session.execution.succeeded", "ses_2")
await event("session.compaction.started", "ses_1")
await event("session.compaction.ended", "ses_1")
await event("session.execution.succeeded", "ses_1")
await event("session.idle", "ses_1")
await asks("ses_gone", "nobody knows")
await event("message.updated")
for (const use of Object.values(hooks)) await use()
ended = true
push?.()
cleanup()
await (await import(process.argv[2])).default.setup({})
await (await import(process.argv[2])).default.setup()
`

func TestThePluginServesTheSecondVersionToo(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("node is not here to run the plugin")
	}
	dir := t.TempDir()
	fake, told := filepath.Join(dir, "dormouse-hook"), filepath.Join(dir, "told")
	if err := os.Mkdir(told, 0o700); err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\nf=\"" + told + "/$$\"\ncase \"$*\" in *--inject*) cat >/dev/null; printf '{\"additionalContext\":\"the core\"}'; exit 0;; esac\n" +
		"{ echo \"$*\"; cat; } > \"$f.part\" && mv \"$f.part\" \"$f\"\necho heard\nexit 3\n"
	if err := os.WriteFile(fake, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "drive.mjs"), driveSecond)
	run := func(hook string, asks map[string]bool) string {
		t.Helper()
		text := strings.Replace(string(opencodePlugin("opencode", hook, asks)), "const patience = 200", "const patience = 60000", 1)
		put(t, filepath.Join(dir, "dormouse.mjs"), text)
		out, err := exec.Command(node, filepath.Join(dir, "drive.mjs"), filepath.Join(dir, "dormouse.mjs")).CombinedOutput()
		if err != nil {
			t.Fatalf("with %s: %v, it printed %q", hook, err, out)
		}
		return string(out)
	}
	core := `[{"type":"text","text":"the core"}]` + "\n"
	if got, want := run(fake, map[string]bool{"SessionStart": true}), core+core+"[]\n[]\n[]\n[]\n"; got != want {
		t.Errorf("the models were told\n%s\nnot\n%s", got, want)
	}
	if got := run(filepath.Join(dir, "gone"), map[string]bool{"SessionStart": true}); got != strings.Repeat("[]\n", 6) {
		t.Errorf("without a hook they were told\n%s", got)
	}
	want := []string{
		`PostToolUse {"agent_id":"ses_2","cwd":"/work","session_id":"ses_1","tool_name":"bash"}`,
		`PreCompact {"cwd":"/work","session_id":"ses_1"}`,
		`Stop {"cwd":"/work","session_id":"ses_1"}`,
		`SubagentStop {"agent_id":"ses_2","cwd":"/work","session_id":"ses_1"}`,
		`UserPromptSubmit {"cwd":"/work","prompt":"count the stars","session_id":"ses_1"}`,
	}
	var got []string
	for deadline := time.Now().Add(2 * time.Minute); len(got) < len(want) && time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		got = reported(t, told)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// reported is what the hook was called with: event and payload, its fields in order.
func reported(t *testing.T, dir string) (out []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".part") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		line, rest, _ := strings.Cut(string(text), "\n")
		event, args, _ := strings.Cut(line, " ")
		var payload map[string]any
		if err := json.Unmarshal([]byte(rest), &payload); err != nil || args != "--agent opencode" {
			t.Errorf("called with %q, %v", text, err)
		}
		sorted, _ := json.Marshal(payload)
		out = append(out, event+" "+string(sorted))
	}
	slices.Sort(out)
	return out
}
