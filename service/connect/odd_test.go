package connect

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// everything are all files that Dormouse writes to, of every agent: hooks, server, or both where they are in one file.
func everything(user string) (out []Agent) {
	for _, a := range Table() {
		server, ok := Find(MCPTable(), a.Name)
		if !ok {
			out = append(out, a)
			continue
		}
		out = append(out, Joined(a, server.Server("/opt/dormouse/dormouse"), noEnv, user)...)
	}
	return out
}

func isTOML(a Agent) bool { return a.entry != nil && a.entry.toml }

// oddText is a file of settings as a person, an editor or another program may have left it.
type oddText struct{ r *rand.Rand }

func (o oddText) of(a Agent) string {
	text := ""
	if isTOML(a) {
		text = o.toml()
	} else {
		text = o.space() + o.object(2, a) + o.space()
	}
	if o.r.IntN(3) == 0 {
		text = strings.TrimRight(text, " \t\n")
	}
	if o.r.IntN(3) == 0 {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if o.r.IntN(4) == 0 {
		text = bom + text
	}
	return text
}

func (o oddText) pick(from ...string) string { return from[o.r.IntN(len(from))] }

func (o oddText) space() string {
	return o.pick("", "", " ", "\n", "\n  ", "\t", "\n\n", " // mine\n", " /* of José: { [ , */ ", "\n// {\"hooks\": 1}\n\t")
}

func (o oddText) key() string {
	return o.pick("model", "env", "ä \\\"b\\\"", "permissions", "hook", "mcp_servers", "x/y", "", "測試") + fmt.Sprint(o.r.IntN(1000))
}

func (o oddText) object(depth int, a Agent) string {
	var b strings.Builder
	b.WriteString("{" + o.space())
	n := o.r.IntN(4)
	for i := range n {
		b.WriteString(`"` + o.key() + `"` + o.space() + ":" + o.space() + o.value(depth-1) + o.space())
		if i < n-1 || o.r.IntN(4) == 0 {
			b.WriteString("," + o.space())
		}
	}
	if depth == 2 && n == 0 && o.r.IntN(2) == 0 { // hooks and servers of others
		other := `"hooks"` + o.space() + `: {` + o.space() + `"Stop": [` + o.space() + `{"matcher": "", "hooks": [{"type": "command", "command": "say 'done'"}]}` + o.space() + `]}`
		if !a.HasHooks() {
			other = `"` + a.entry.list + `": {` + o.space() + `"github": {"command": "gh-mcp"}` + o.space() + `}`
		}
		b.WriteString(other + o.space())
	}
	b.WriteString("}")
	return b.String()
}

func (o oddText) value(depth int) string {
	if depth > 0 && o.r.IntN(3) == 0 {
		return o.object(depth, Agent{entry: &entry{list: "x"}})
	}
	return o.pick("1", "-0.5e3", "true", "null", `"// no comment"`, `"{["`, `"\u00fc\n"`, "[]", "[1, 2]", "{}")
}

func (o oddText) toml() string {
	parts := []string{"model = \"x\"\n", "# [mcp_servers.dormouse]\n", "\n", "a.b = 'c' # d\n", "list = [\n  1, # one\n  2\n]\n"}
	text := ""
	for _, i := range o.r.Perm(len(parts))[:o.r.IntN(len(parts)+1)] {
		text += parts[i]
	}
	tables := []string{"[mcp_servers.github]\ncommand = \"gh\"\n", "\n\n[profiles.\"a b\"]\nx = 1\n", "[[things]]\ny = '''\n[not.a.table]\n'''\n", "   [indented]\n\tz = 2\n# the end\n"}
	for _, i := range o.r.Perm(len(tables))[:o.r.IntN(len(tables)+1)] {
		text += tables[i]
	}
	return text
}

// TestAnyFileIsByteForByteAsBeforeOnceDisconnected connects and disconnects what people, editors and other programs leave behind.
func TestAnyFileIsByteForByteAsBeforeOnceDisconnected(t *testing.T) {
	const rounds = 120
	for _, a := range everything("/home/u") {
		if a.Own {
			continue // no file of the person's
		}
		t.Run(a.Name+"/"+a.File, func(t *testing.T) {
			for seed := range uint64(rounds) {
				text := oddText{rand.New(rand.NewPCG(seed, 1))}.of(a)
				if problem := roundTrip(t, a, text, seed); problem != "" {
					t.Fatalf("seed %d: %s\nbefore: %q", seed, problem, text)
				}
			}
		})
	}
}

// roundTrip connects a file twice, as after an upgrade, and disconnects it. It says what is not as it was.
func roundTrip(t *testing.T, a Agent, text string, seed uint64) string {
	t.Helper()
	user := t.TempDir()
	path := filepath.Join(a.Folder(noEnv, user), a.File)
	put(t, path, text)
	before := listing(t, user)
	for _, program := range []string{"/old/dormouse-hook", hook} {
		p, err := a.Connect(noEnv, user, program)
		if err != nil {
			return "connect: " + err.Error()
		}
		if p.Nothing() && a.HasHooks() {
			return "there is nothing to connect"
		}
		if err := p.Apply(); err != nil {
			return "connect: " + err.Error()
		}
	}
	now, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(now), "dormouse") || strings.Contains(string(now), "/old/") {
		return fmt.Sprintf("it is not connected: %v\n%s", err, now)
	}
	if strings.HasPrefix(text, bom) != strings.HasPrefix(string(now), bom) {
		return "the mark of its encoding came or went"
	}
	if seed%3 == 0 { // without the copy the file alone has to do
		if err := os.Remove(path + keptSuffix); err != nil {
			return err.Error()
		}
	}
	p, err := a.Disconnect(noEnv, user)
	if err != nil {
		return "disconnect: " + err.Error()
	}
	if err := p.Apply(); err != nil {
		return "disconnect: " + err.Error()
	}
	if seed%3 == 0 {
		if now, err := os.ReadFile(path); err == nil && strings.Contains(string(now), "/opt/dormouse") {
			return "something of it is left: " + string(now)
		}
		return ""
	}
	if after := listing(t, user); after != before {
		return "not as before:\n" + after + "\nbefore:\n" + before
	}
	return ""
}

// listing is every file below a folder, with what it is, its bytes and where it leads.
func listing(t *testing.T, root string) string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		line := fmt.Sprintf("%s %s", info.Mode(), strings.TrimPrefix(path, root))
		switch {
		case info.Mode().IsRegular():
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			line += fmt.Sprintf(" %q", data)
		case info.Mode()&fs.ModeSymlink != 0:
			to, err := os.Readlink(path)
			if err != nil {
				return err
			}
			line += " -> " + to
		}
		out = append(out, line)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

func TestOddFilesStayWhatTheyAre(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links and modes are those of Unix")
	}
	const text = "{\n  \"model\": \"opus\"\n}\n"
	for name, make := range map[string]func(path string) error{
		"read-only": func(path string) error {
			return errors.Join(os.WriteFile(path, []byte(text), 0o600), os.Chmod(path, 0o444))
		},
		"for the group too": func(path string) error {
			return errors.Join(os.WriteFile(path, []byte(text), 0o600), os.Chmod(path, 0o664))
		},
		"a link to a folder of dotfiles": func(path string) error {
			dots := filepath.Join(filepath.Dir(filepath.Dir(path)), "my dotfiles")
			return errors.Join(os.MkdirAll(dots, 0o755), os.WriteFile(filepath.Join(dots, "settings.json"), []byte(text), 0o644),
				os.Symlink(filepath.Join("..", "my dotfiles", "settings.json"), path))
		},
		"a link to a link": func(path string) error {
			return errors.Join(os.WriteFile(path+".real", []byte(text), 0o644), os.Symlink(path+".real", path+".link"), os.Symlink(path+".link", path))
		},
		"a link to nothing yet": func(path string) error {
			dots := filepath.Join(filepath.Dir(filepath.Dir(path)), "dots")
			return errors.Join(os.MkdirAll(dots, 0o755), os.Symlink(filepath.Join("..", "dots", "new.json"), path))
		},
		"empty": func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"none":  func(string) error { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			user, a := t.TempDir(), agent(t, "claude-code")
			path := filepath.Join(user, ".claude", "settings.json")
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), make(path)); err != nil {
				t.Fatal(err)
			}
			before := listing(t, user)
			p, err := a.Connect(noEnv, user, hook)
			if err == nil {
				err = p.Apply()
			}
			if err != nil {
				t.Fatal(err)
			}
			if b, err := os.ReadFile(path); err != nil || !strings.Contains(string(b), hook) {
				t.Fatalf("it is not connected: %v\n%s", err, b)
			}
			if before, after := before, listing(t, user); strings.Count(before, " -> ") != strings.Count(after, " -> ") {
				t.Errorf("a link is no link any more:\n%s", after)
			}
			if p, err = a.Disconnect(noEnv, user); err == nil {
				err = p.Apply()
			}
			if after := listing(t, user); err != nil || after != before {
				t.Errorf("%v, not as before:\n%s\nbefore:\n%s", err, after, before)
			}
		})
	}
}

func TestAFolderThatCannotBeWrittenToIsSaidAndLeft(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("nothing is forbidden here")
	}
	user, a := t.TempDir(), agent(t, "claude-code")
	path := filepath.Join(user, ".claude", "settings.json")
	put(t, path, "{}\n")
	if err := os.Chmod(filepath.Dir(path), 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Dir(path), 0o700) })
	p, err := a.Connect(noEnv, user, hook)
	if err == nil {
		err = p.Apply()
	}
	if err == nil || !strings.Contains(err.Error(), filepath.Dir(path)) {
		t.Errorf("error %v", err)
	}
}
