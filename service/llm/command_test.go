package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// actEnv makes this test's own program act as a command line.
const actEnv = "DORMOUSE_TEST_ACT"

func TestMain(m *testing.M) {
	if act := os.Getenv(actEnv); act != "" {
		os.Exit(perform(act))
	}
	os.Exit(m.Run())
}

// perform acts as claude or codex do: it notes how it was called, and answers, hangs or fails.
func perform(act string) int {
	in, _ := io.ReadAll(os.Stdin)
	cwd, _ := os.Getwd()
	files, _ := os.ReadDir(cwd)
	call := map[string]any{"args": os.Args[1:], "in": string(in), "cwd": cwd, "files": len(files), "env": os.Environ()}
	raw, _ := json.Marshal(call)
	f, _ := os.OpenFile(os.Getenv("DORMOUSE_TEST_CALLS"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	_, _ = f.Write(append(raw, '\n'))
	_ = f.Close()
	switch act {
	case "hang":
		time.Sleep(time.Hour)
	case "garbage":
		fmt.Print("Welcome to the future of coding!\n\x1b[31m")
	case "old":
		fmt.Fprint(os.Stderr, "error: unknown option '--no-session-persistence'")
		return 1
	case "endless":
		page := strings.Repeat("x", 1<<20)
		for range 20 {
			fmt.Print(page)
		}
	default:
		fmt.Print(act)
	}
	if strings.Contains(act, `"is_error":true`) || strings.Contains(act, "turn.failed") {
		return 1
	}
	return 0
}

type called struct {
	Args  []string
	In    string
	Cwd   string
	Files int
	Env   []string
}

// acting is a client of a command line that acts.
func acting(t *testing.T, provider, act string, change ...func(*Options)) (*bed, func() []called) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(t.TempDir(), "calls")
	env := append(os.Environ(), actEnv+"="+act, "DORMOUSE_TEST_CALLS="+log, "CLAUDECODE=1")
	b := newBed(t, provider, "", append([]func(*Options){func(o *Options) {
		o.Program = self
		o.Environ = func() []string { return env }
	}}, change...)...)
	return b, func() []called {
		raw, _ := os.ReadFile(log)
		var out []called
		for l := range strings.Lines(string(raw)) {
			var c called
			if err := json.Unmarshal([]byte(l), &c); err != nil {
				t.Fatal(err)
			}
			out = append(out, c)
		}
		return out
	}
}

const (
	claudeSays = `{"type":"result","subtype":"success","is_error":false,"result":"done","structured_output":{"a":1},"stop_reason":"end_turn","total_cost_usd":0.00045,` +
		`"usage":{"input_tokens":60,"cache_read_input_tokens":40,"output_tokens":20},"modelUsage":{"claude-m":{}}}`
	codexSays = "{\"type\":\"thread.started\"}\nnot an event\n{\"type\":\"item.completed\",\"item\":{\"type\":\"error\",\"message\":\"no metadata\"}}\n" +
		"{\"type\":\"item.completed\",\"item\":{\"type\":\"agent_message\",\"text\":\"{\\\"a\\\":1}\"}}\n{\"type\":\"turn.completed\",\"usage\":{\"input_tokens\":100,\"output_tokens\":20}}\n"
)

func TestCommandLinesAreAskedInAnEmptyFolderWithNothingOfThePersons(t *testing.T) {
	for provider, act := range map[string]string{Claude: claudeSays, Codex: codexSays} {
		b, calls := acting(t, provider, act, func(o *Options) { o.Args = []string{"--more"}; o.Effort = "low" })
		got, err := b.Complete(t.Context(), ask)
		if err != nil || got.Text != `{"a":1}` || got.InputTokens != 100 || got.OutputTokens != 20 {
			t.Fatalf("%s: %+v %v", provider, got, err)
		}
		if provider == Claude && (got.Model != "claude-m" || got.CostMicros != 450) {
			t.Errorf("%+v", got)
		}
		c := calls()[0]
		line := strings.Join(c.Args, "\x00")
		want := []string{"-p", "--no-session-persistence", "--setting-sources\x00\x00", "--strict-mcp-config", "--tools\x00\x00", "disableAllHooks", "--json-schema", "--model\x00m", "--more"}
		if provider == Codex {
			want = []string{"exec", "--ephemeral", "--ignore-user-config", "--ignore-rules", "read-only", "--output-schema", "features.hooks=false", "features.shell_tool=false", "--model\x00m", "--more\x00-"}
		}
		for _, w := range want {
			if !strings.Contains(line, w) {
				t.Errorf("%s: the arguments lack %q: %q", provider, w, c.Args)
			}
		}
		if !strings.Contains(c.In, "[own]\nthe text") || !strings.Contains(line+c.In, "Be brief.") || slices.Contains(c.Env, "CLAUDECODE=1") {
			t.Errorf("%s: given %q", provider, c.In)
		}
		if provider == Claude && c.Files != 0 || !strings.HasPrefix(filepath.Base(c.Cwd), "call-") {
			t.Errorf("%s: called in %s with %d files", provider, c.Cwd, c.Files)
		}
		if _, err := os.Stat(c.Cwd); !os.IsNotExist(err) {
			t.Errorf("%s: the folder is left: %v", provider, err)
		}
	}
}

func TestWhatGoesWrongWithACommandLineIsTold(t *testing.T) {
	failed := func(result string) string {
		return `{"type":"result","subtype":"success","is_error":true,"result":` + fmt.Sprintf("%q", result) + `}`
	}
	broken := func(message string) string {
		return "{\"type\":\"error\",\"message\":\"Reconnecting\"}\n{\"type\":\"turn.failed\",\"error\":{\"message\":" + fmt.Sprintf("%q", message) + "}}\n"
	}
	for _, c := range []struct {
		provider, act string
		kind          Kind
		calls         int
		say           string
	}{
		{Claude, "garbage", Server, 4, ""},
		{Codex, "garbage", Server, 4, ""},
		{Claude, "old", Setup, 1, "unknown option"},
		{Codex, "old", Setup, 1, "unknown option"},
		{Claude, "endless", Server, 1, "without end"},
		{Claude, failed("Invalid API key · Please run /login"), Auth, 1, "/login"},
		{Claude, failed("Claude AI usage limit reached|1796016848"), Quota, 1, "limit"},
		{Claude, failed("API Error: 529 Overloaded"), Server, 4, ""},
		{Claude, failed("Prompt is too long"), TooLong, 1, ""},
		{Claude, `{"type":"result","subtype":"success","is_error":true,"api_error_status":404,"result":"no such model"}`, Request, 1, "404"},
		{Claude, strings.Replace(claudeSays, "end_turn", "refusal", 1), Refused, 1, ""},
		{Claude, strings.Replace(claudeSays, "end_turn", "max_tokens", 1), Cut, 1, ""},
		{Claude, strings.Replace(claudeSays, `"structured_output":{"a":1}`, `"structured_output":{"b":1}`, 1), BadAnswer, 2, "a is missing"},
		{Claude, `{"type":"result","subtype":"error_max_structured_output_retries","is_error":true,"usage":{"input_tokens":5,"output_tokens":5}}`, BadAnswer, 2, ""},
		{Codex, broken("You've hit your usage limit. Try again in 3 days"), Quota, 1, "usage limit"},
		{Codex, broken("unexpected status 401 Unauthorized"), Auth, 1, ""},
		{Codex, broken("stream disconnected before completion"), Unreachable, 4, ""},
		{Codex, broken("The model `m` does not exist"), Request, 1, ""},
		{Codex, "{\"type\":\"turn.completed\",\"usage\":{}}", Server, 4, ""},
	} {
		b, calls := acting(t, c.provider, c.act)
		_, err := b.Complete(t.Context(), ask)
		if kindOf(t, err) != c.kind || len(calls()) != c.calls || !strings.Contains(err.Error(), c.say) {
			t.Errorf("%s %.60q: %v (%s), %d calls", c.provider, c.act, err, failureOf(err).Kind, len(calls()))
		}
	}
}

func TestACommandLineThatIsNotThereIsTold(t *testing.T) {
	b := newBed(t, Codex, "", func(o *Options) { o.Program = "dormouse-test-no-such-program" })
	if _, err := b.Complete(t.Context(), ask); kindOf(t, err) != Setup || !strings.Contains(err.Error(), "llm.program") {
		t.Error(err)
	}
}

func TestACommandLineThatHangsIsEnded(t *testing.T) {
	for _, provider := range []string{Claude, Codex} {
		b, calls := acting(t, provider, "hang", func(o *Options) { o.Timeout = 300 * time.Millisecond })
		if _, err := b.Complete(t.Context(), ask); kindOf(t, err) != Timeout {
			t.Errorf("%s: %v", provider, err)
		}
		for _, c := range calls() {
			if _, err := os.Stat(c.Cwd); !os.IsNotExist(err) {
				t.Errorf("%s: the folder is left: %v", provider, err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		b, calls = acting(t, provider, "hang")
		go func() {
			for len(calls()) == 0 && t.Context().Err() == nil {
				time.Sleep(10 * time.Millisecond)
			}
			cancel()
		}()
		if _, err := b.Complete(ctx, ask); err != context.Canceled {
			t.Errorf("%s: %v", provider, err)
		}
	}
}

func FuzzCommandLinesOutput(f *testing.F) {
	f.Add([]byte(claudeSays), 0)
	f.Add([]byte(codexSays), 1)
	f.Add([]byte("{}"), 2)
	f.Fuzz(func(t *testing.T, out []byte, exit int) {
		for _, d := range []dialect{claude{}, codex{}} {
			if got, err := d.read(out, exit); err != nil && failureOf(err).Kind == "" || len(got.text) > len(out) {
				t.Errorf("%+v %v", got, err)
			}
		}
	})
}
