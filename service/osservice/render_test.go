package osservice

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"
)

var update = flag.Bool("update", false, "write the golden files")

// plain is what a person has; odd is all that a path and a variable may hold.
var (
	plain = Program{Name: "dormouse", Title: "Dormouse", Exe: "/usr/bin/dormouse", Args: []string{"up", "--service"}}
	odd   = Program{Name: "dormouse", Title: `Dormouse 100 % \ Hasel`, Exe: `/home/robin/a b %h $HOME <&>/dormouse`,
		Args: []string{"up", "--service", "$HOME `x` 50%"}, Env: map[string]string{"DORMOUSE_HOME": `/data/ä "m" % $x \`, "CODEX_HOME": "/c"},
		Log: "/home/robin/a & b/service.log", Keep: "--keep"}
)

func TestEntriesAreRenderedAsTheSystemsReadThem(t *testing.T) {
	desktop := plain
	desktop.Name, desktop.Desktop = "dormouse-tray", true
	for name, text := range map[string]string{
		"unit-252":        unit(plain, 252, 0),
		"unit-256":        unit(plain, 256, 3),
		"unit-odd":        unit(odd, 252, 1),
		"plist":           plist(plain, 0),
		"plist-odd":       plist(odd, 2),
		"plist-desktop":   plist(desktop, 0),
		"autostart":       desktopEntry(plain, 1),
		"autostart-odd":   desktopEntry(odd, 0),
		"run-key":         runCommand(plain) + "\n",
		"run-key-odd":     runCommand(odd) + "\n",
		"run-key-windows": runCommand(Program{Exe: `C:\Program Files\Dormouse\dormouse.exe`, Args: []string{"up", `C:\a b\`, `\\"`, ""}}) + "\n",
	} {
		path := filepath.Join("testdata", name+".golden")
		if *update {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if text != string(want) {
			t.Errorf("%s differs (go test ./service/osservice -update writes it anew):\n%s", path, text)
		}
	}
}

// tool skips where a checker of the system is not installed.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed on this machine", name)
	}
	return path
}

func TestSystemdFindsNothingWrongWithTheUnit(t *testing.T) {
	tool(t, "systemd-analyze")
	real := plain
	real.Exe = "/bin/sh"
	strange := odd
	strange.Exe = filepath.Join(t.TempDir(), `a b %h $HOME <&>`)
	if err := os.WriteFile(strange.Exe, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, p := range []Program{real, strange} {
		path := filepath.Join(t.TempDir(), "dormouse.service")
		if err := os.WriteFile(path, []byte(unit(p, 252, 0)), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("systemd-analyze", "verify", "--user", "--man=no", path)
		cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+t.TempDir(), "HOME="+t.TempDir())
		out, err := cmd.CombinedOutput()
		if err != nil || len(out) > 0 { // it only prints what it does not like
			t.Errorf("%v\n%s", err, out)
		}
	}
}

func TestThePlistSaysWhatWasMeant(t *testing.T) {
	python := tool(t, "python3")
	path := filepath.Join(t.TempDir(), "x.plist")
	if err := os.WriteFile(path, []byte(plist(odd, 2)), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(python, "-c", `
import plistlib, sys
p = plistlib.load(open(sys.argv[1], "rb"))
print(p["Label"], p["RunAtLoad"], p["KeepAlive"], p["ThrottleInterval"])
print("\n".join(p["ProgramArguments"]))
print(p["EnvironmentVariables"]["DORMOUSE_HOME"])
print(p["StandardErrorPath"])`, path).CombinedOutput()
	want := "app.dormouse True {'SuccessfulExit': False} 30\n" + odd.Exe + "\n" + strings.Join(odd.Args, "\n") + "\n" +
		odd.Env["DORMOUSE_HOME"] + "\n" + odd.Log + "\n"
	if err != nil || string(out) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, out, want)
	}
}

func TestTheDesktopEntryIsValid(t *testing.T) {
	check := tool(t, "desktop-file-validate")
	for _, p := range []Program{plain, odd} {
		path := filepath.Join(t.TempDir(), "x.desktop")
		if err := os.WriteFile(path, []byte(desktopEntry(p, 0)), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(check, path).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%v\n%s", err, out)
		}
	}
}

func TestWhatNoEntryCanCarryIsRefused(t *testing.T) {
	for _, p := range []Program{
		{}, {Name: "x", Exe: "relative"}, {Name: "x", Exe: "/a\nExecStart=/evil"}, {Name: "x", Exe: "/a", Args: []string{"\x00"}},
		{Name: "x", Exe: "/a", Env: map[string]string{"K": "a\nb"}}, {Name: "x", Exe: "/{{Path}}"}, {Name: "x", Exe: `/a"b`}, {Name: "x", Exe: `/a'b`}, {Name: "x", Exe: `/a\b`},
	} {
		if p.check() == nil {
			t.Errorf("%+v is accepted", p)
		}
	}
	if err := odd.check(); err != nil {
		t.Error(err)
	}
}

func TestTheCountOfMadeFoldersIsReadBack(t *testing.T) {
	for n := range 12 {
		for _, text := range []string{unit(plain, 252, n), plist(plain, n), desktopEntry(plain, n)} {
			if madeIn(text) != n {
				t.Errorf("%d is read as %d in\n%s", n, madeIn(text), text)
			}
		}
	}
	for _, text := range []string{"", "[Unit]", madeWords, madeWords + "x", madeWords + "99999999999999999999"} {
		if n := madeIn(text); n != 0 {
			t.Errorf("%q is read as %d", text, n)
		}
	}
}

// FuzzWindowsQuote holds our quoting against the rules that Windows documents for reading a command line.
func FuzzWindowsQuote(f *testing.F) {
	for _, s := range []string{"", "a", "a b", `a\`, `a b\`, `a"b`, `\"`, `a\\"b c\\`, "\t", "ä"} {
		f.Add(s, "next")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if strings.ContainsAny(a+b, "\x00\n") || string(utf16.Decode(utf16.Encode([]rune(a+b)))) != a+b {
			return
		}
		got := splitWindows(windowsQuote(a) + " " + windowsQuote(b))
		if len(got) != 2 || got[0] != a || got[1] != b {
			t.Errorf("%q %q became %q", a, b, got)
		}
	})
}

// splitWindows reads a command line: 2n backslashes and a quote are n backslashes and a mark, 2n+1 are n and a quote.
func splitWindows(line string) []string {
	var words []string
	word, in, quoted := "", false, false
	for i := 0; i < len(line); {
		n := 0
		for i+n < len(line) && line[i+n] == '\\' {
			n++
		}
		switch {
		case n > 0 && i+n < len(line) && line[i+n] == '"':
			word, in = word+strings.Repeat(`\`, n/2), true
			if i += n; n%2 == 1 {
				word += `"`
				i++
			}
		case n > 0:
			word, in = word+strings.Repeat(`\`, n), true
			i += n
		case line[i] == '"':
			quoted, in = !quoted, true
			i++
		case !quoted && (line[i] == ' ' || line[i] == '\t'):
			if in {
				words = append(words, word)
			}
			word, in = "", false
			i++
		default:
			word, in = word+line[i:i+1], true
			i++
		}
	}
	if in {
		words = append(words, word)
	}
	return words
}
