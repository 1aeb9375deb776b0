package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"dormouse/service/config"
	"dormouse/service/daemon"
)

// page is a page of the manual, or the README.
type manualPage struct{ name, text string }

func manual(t *testing.T) []manualPage {
	t.Helper()
	top := filepath.Join("..", "..")
	names := []string{"README.md"}
	err := filepath.WalkDir(filepath.Join(top, "docs"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".md") {
			rel, _ := filepath.Rel(top, path)
			names = append(names, rel)
		}
		return err
	})
	if err != nil || len(names) < 20 {
		t.Fatalf("%v %v", names, err)
	}
	var out []manualPage
	for _, name := range names {
		b, err := os.ReadFile(filepath.Join(top, name))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, manualPage{filepath.ToSlash(name), string(b)})
	}
	return out
}

var (
	shellBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```")
	anyBlock   = regexp.MustCompile("(?ms)^```.*?^```")
	codeSpan   = regexp.MustCompile("`([^`\n]+)`")
	pageLink   = regexp.MustCompile(`\]\(([^)#: ]+)(?:#[^)]*)?\)`)
	makeTarget = regexp.MustCompile(`(?m)^([a-z0-9-]+):`)
)

// shellLines are the commands of a page's blocks of shell, one a line, without comments.
func (p manualPage) shellLines() (out []string) {
	for _, block := range shellBlock.FindAllStringSubmatch(p.text, -1) {
		for line := range strings.Lines(block[1]) {
			line, _, _ = strings.Cut(strings.TrimSpace(line), " #")
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				out = append(out, line)
			}
		}
	}
	return out
}

// spans are the commands of ours that a page names in its text, which may leave arguments out.
func (p manualPage) spans() (out []string) {
	for _, m := range codeSpan.FindAllStringSubmatch(anyBlock.ReplaceAllString(p.text, ""), -1) {
		if strings.HasPrefix(m[1], "dormouse ") && !strings.Contains(m[1], ": ") {
			out = append(out, m[1])
		}
	}
	return out
}

// words splits a command line as a shell does, as far as the manual needs it.
func words(line string) (out []string) {
	word, quote, open := "", rune(0), false
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, open = r, true
		case quote == 0 && r == ' ':
			if word != "" || open {
				out = append(out, word)
			}
			word, open = "", false
		default:
			word += string(r)
		}
	}
	if word != "" || open {
		out = append(out, word)
	}
	return out
}

// ours takes from a line of shell what is a command line of this program.
func ours(line string) ([]string, bool) {
	if _, inner, ok := strings.Cut(line, "$(dormouse "); ok {
		inner, _, _ = strings.Cut(inner, ")")
		line = "dormouse " + inner
	}
	line, _, _ = strings.Cut(line, " | ")
	line, _, _ = strings.Cut(line, " > ")
	w := words(line)
	for len(w) > 0 && strings.Contains(w[0], "=") { // variables before it
		w = w[1:]
	}
	if len(w) == 0 || w[0] != "dormouse" {
		return nil, false
	}
	return w[1:], true
}

// wrong says what a command line of ours would be refused for before it does anything. A span may leave arguments out.
func wrong(args []string, whole bool) error {
	root := newRootCommand(Params{Env: os.Getenv, Now: time.Now})
	cmd, rest, err := root.Find(args)
	if err != nil {
		return err
	}
	if err := cmd.ParseFlags(rest); err != nil {
		if errors.Is(err, pflag.ErrHelp) {
			return nil
		}
		return err
	}
	given := cmd.Flags().Args()
	if cmd.HasSubCommands() && len(given) > 0 && cmd.Args != nil {
		return cmd.Args(cmd, given)
	}
	if whole {
		return cmd.ValidateArgs(given)
	}
	return nil
}

func TestEveryCommandOfTheManualIsOneThatThereIs(t *testing.T) {
	makefile, err := os.ReadFile(filepath.Join("..", "..", "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	var targets []string
	for _, m := range makeTarget.FindAllStringSubmatch(string(makefile), -1) {
		targets = append(targets, m[1])
	}
	others := []string{"git", "minisign"}
	n := 0
	for _, p := range manual(t) {
		for _, line := range p.shellLines() {
			n++
			w := words(line)
			switch args, is := ours(line); {
			case is:
				if err := wrong(args, true); err != nil {
					t.Errorf("%s: %s: %v", p.name, line, err)
				}
			case w[0] == "make" && len(w) == 2 && slices.Contains(targets, w[1]), slices.Contains(others, w[0]):
			default:
				t.Errorf("%s: %s is no command that is known here", p.name, line)
			}
		}
		for _, span := range p.spans() {
			n++
			args, _ := ours(span)
			if err := wrong(args, false); err != nil {
				t.Errorf("%s: `%s`: %v", p.name, span, err)
			}
		}
	}
	if n < 150 {
		t.Errorf("%d commands were looked at", n)
	}
	for line, want := range map[string]bool{"timelin": false, "sync nwo": false, "timeline --snice 1d": false, "agents connect": false, "agents connect codex": true, "show cc_1 --turn 3": true} {
		if err := wrong(strings.Fields(line), true); (err == nil) != want {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// harmless are the commands of the manual that are run here: they ask, and change nothing outside of a home folder that is made for it.
var harmless = []string{"status", "timeline", "search", "show", "ask", "core", "sleep", "inject", "review", "ledger", "verify", "devices", "agents", "redact", "doctor", "cost",
	"completion", "docs", "version", "update", "setup", "uninstall", "project", "diff"}

func runnable(args []string) bool {
	switch {
	case !slices.Contains(harmless, args[0]), strings.Contains(strings.Join(args, " "), "1a2b3c4d"), strings.Contains(strings.Join(args, " "), "0123456789ab"):
		return false
	case args[0] == "setup", args[0] == "uninstall", args[0] == "agents" && len(args) > 1 && args[1] == "connect":
		return slices.Contains(args, "--dry-run")
	case args[0] == "review", args[0] == "devices":
		return len(args) == 1
	case args[0] == "project", args[0] == "agents" && len(args) > 1 && args[1] == "disconnect", args[0] == "docs" && args[1] == "man":
		return false
	}
	return true
}

// TestTheManualsCommandsWorkOnTheDemo runs, against a real service on the samples, the commands that change nothing.
func TestTheManualsCommandsWorkOnTheDemo(t *testing.T) {
	user, _ := newcomer(t)
	up(t, user, "Ctrl-C stops.", "--demo")
	ran := 0
	seen := map[string]bool{}
	for _, p := range manual(t) {
		for _, line := range p.shellLines() {
			args, is := ours(line)
			if !is || !runnable(args) || seen[line] {
				continue
			}
			seen[line] = true
			ran++
			var out, errs bytes.Buffer
			code := run(t.Context(), args, Params{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Width: 100, Env: userEnv(user), Dir: user,
				Exe: filepath.Join(user, "bin", "dormouse"), Now: time.Now})
			if code != exitOK {
				t.Errorf("%s: %s: code %d, %s%s", p.name, line, code, out.String(), errs.String())
			}
		}
	}
	if ran < 20 {
		t.Errorf("%d commands were run", ran)
	}
}

func TestLinksOfTheManualLeadSomewhereAndEveryAgentHasItsPage(t *testing.T) {
	for _, p := range manual(t) {
		for _, m := range pageLink.FindAllStringSubmatch(p.text, -1) {
			at := filepath.Join("..", "..", filepath.Dir(filepath.FromSlash(p.name)), filepath.FromSlash(m[1]))
			if _, err := os.Stat(at); err != nil {
				t.Errorf("%s: the link to %s leads nowhere", p.name, m[1])
			}
		}
	}
	index, err := os.ReadFile(filepath.Join("..", "..", "docs", "agents", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string]bool{}
	agents, err := daemon.Agents(config.Default(), userEnv(t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	for agent := range agents {
		if agent == "chatgpt" || agent == "claude-ai" { // exports
			continue
		}
		name := agent + ".md"
		pages[name] = true
		if _, err := os.Stat(filepath.Join("..", "..", "docs", "agents", name)); err != nil || !strings.Contains(string(index), "("+name+")") {
			t.Errorf("%s has no page, or the index does not name it", agent)
		}
	}
	entries, err := os.ReadDir(filepath.Join("..", "..", "docs", "agents"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != "README.md" && !pages[e.Name()] {
			t.Errorf("%s is the page of no agent", e.Name())
		}
	}
}
