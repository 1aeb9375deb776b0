package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"dormouse/assets"
)

// nobody is the user that owns nothing, as which a test that runs as root tries what is forbidden.
const nobody = 65534

// in runs the real program with these variables and no others, as somebody who owns the folder.
func in(t *testing.T, exe, dir string, env []string, args ...string) result {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.Command(exe, args...)
	cmd.Dir, cmd.Env = dir, append(env, "PATH="+os.Getenv("PATH"), "DBUS_SESSION_BUS_ADDRESS=unix:path=/nowhere")
	cmd.Stdout, cmd.Stderr = &out, &errs
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	_ = cmd.Run() // the exit code says it
	return result{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// given makes a folder with all above it that those of in may enter, and hands it to them.
func given(t *testing.T, dir string) string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() != 0 {
		return dir
	}
	for at := dir; at != filepath.Dir(os.TempDir()) && at != "/"; at = filepath.Dir(at) {
		if info, err := os.Stat(at); err == nil && info.Mode().Perm()&0o005 != 0o005 {
			if err := os.Chmod(at, info.Mode().Perm()|0o055); err != nil {
				t.Skipf("the folder of tests cannot be opened to others: %v", err)
			}
		}
	}
	if err := os.Chown(dir, nobody, nobody); err != nil {
		t.Skipf("this user may not give folders away: %v", err)
	}
	return dir
}

// TestSetupWorksInEveryKindOfPlace goes through a whole installation, and its end, wherever a person may have their home and their memory.
func TestSetupWorksInEveryKindOfPlace(t *testing.T) {
	exe := binary(t)
	base := given(t, t.TempDir())
	bin := given(t, filepath.Join(base, "bin with blanks & (ü)"))
	data, err := os.ReadFile(exe)
	if err != nil {
		t.Fatal(err)
	}
	exe = filepath.Join(bin, "dormouse")
	for path, text := range map[string][]byte{exe: data, exe + "-hook": nil} {
		if err := os.WriteFile(path, text, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	long := strings.Repeat("a long name of a folder/", 11) // 264 signs: longer than a socket's path, and than Windows' of old
	for name, tt := range map[string]struct {
		home string   // below the test's folder
		env  []string // HOME is the home, and %h stands for it
		at   string   // where the memory is then, below the home
		xdg  string   // where opencode has its settings, below the home
	}{
		"blanks":                           {home: "Robin Miller", at: ".dormouse"},
		"letters beyond ASCII":             {home: "José Müller 测试 Ωmega", at: ".dormouse"},
		"quotes and signs of shells":       {home: `it's "$HOME" & more; #1`, at: ".dormouse"},
		"a long path":                      {home: long, at: ".dormouse"},
		"a memory elsewhere":               {home: "home", env: []string{"DORMOUSE_HOME=%h/mein Gedächtnis/d"}, at: "mein Gedächtnis/d"},
		"a memory named from the folder":   {home: "home", env: []string{"DORMOUSE_HOME=memory"}, at: "memory"},
		"folders of the desktop's rule":    {home: "home", env: []string{"XDG_CONFIG_HOME=%h/set tings", "XDG_DATA_HOME=%h/data"}, at: ".dormouse", xdg: "set tings"},
		"a rule that is not from the root": {home: "home", env: []string{"XDG_DATA_HOME="}, at: ".dormouse"},
	} {
		t.Run(name, func(t *testing.T) {
			home := given(t, filepath.Join(base, strings.ReplaceAll(name, " ", "-"), tt.home))
			config := filepath.Join(home, ".config")
			if tt.xdg != "" {
				config = filepath.Join(home, tt.xdg)
			}
			samples := t.TempDir()
			if _, err := assets.ExtractSamples(samples); err != nil {
				t.Fatal(err)
			}
			if err := os.CopyFS(filepath.Join(home, ".claude", "projects"), os.DirFS(filepath.Join(samples, filepath.FromSlash(assets.SampleClaude)))); err != nil {
				t.Fatal(err)
			}
			given(t, filepath.Join(home, ".claude"))
			given(t, config)
			given(t, filepath.Join(config, "opencode"))
			env := []string{"HOME=" + home}
			for _, v := range tt.env {
				env = append(env, strings.ReplaceAll(v, "%h", home))
			}
			before := tree(t, filepath.Join(home, ".claude")) + tree(t, config)
			r := in(t, exe, home, env, "setup", "--yes", "--no-service")
			if r.code != exitOK || !strings.Contains(r.out, "Connected   claude-code, opencode") || !strings.Contains(r.out, "Captured    6 sessions") {
				t.Fatalf("%+v", r)
			}
			for _, file := range []string{filepath.Join(config, "opencode", "opencode.json"), filepath.Join(home, tt.at, "config.toml"), filepath.Join(home, ".claude", "settings.json")} {
				if _, err := os.Stat(file); err != nil {
					t.Errorf("%v", err)
				}
			}
			if r := in(t, exe, home, env, "doctor"); r.code != exitOK {
				t.Errorf("%+v", r)
			}
			if r := in(t, exe, home, env, "uninstall", "--yes", "--purge"); r.code != exitOK {
				t.Errorf("%+v", r)
			}
			if _, err := os.Stat(filepath.Join(home, tt.at)); err == nil {
				t.Error("the memory is still there")
			}
			if after := tree(t, filepath.Join(home, ".claude")) + tree(t, config); after != before {
				t.Errorf("left behind:\n%.2000s\nbefore:\n%.2000s", after, before)
			}
		})
	}
}

func TestAHomeThatCannotBeWrittenToIsSaidWithItsRemedy(t *testing.T) {
	exe := binary(t)
	base := given(t, t.TempDir())
	data, err := os.ReadFile(exe)
	if err != nil {
		t.Fatal(err)
	}
	exe = filepath.Join(base, "dormouse")
	if err := os.WriteFile(exe, data, 0o755); err != nil {
		t.Fatal(err)
	}
	home, elsewhere := given(t, filepath.Join(base, "home")), given(t, filepath.Join(base, "elsewhere"))
	if err := os.Chmod(home, 0o555); err != nil {
		t.Fatal(err)
	}
	env := []string{"HOME=" + home}
	for _, args := range []string{"setup --yes --no-service", "up --demo", "service install"} {
		if r := in(t, exe, home, env, strings.Fields(args)...); r.code != exitFailure || !strings.Contains(r.err, filepath.Join(home, ".dormouse")) || !strings.Contains(r.err, "DORMOUSE_HOME") {
			t.Errorf("%s: %+v", args, r)
		}
	}
	for _, args := range []string{"setup --dry-run", "uninstall --yes", "agents", "version"} {
		if r := in(t, exe, home, env, strings.Fields(args)...); r.code != exitOK {
			t.Errorf("%s: %+v", args, r)
		}
	}
	env = append(env, "DORMOUSE_HOME="+filepath.Join(elsewhere, "d"))
	if r := in(t, exe, home, env, "setup", "--yes", "--no-service"); r.code != exitOK {
		t.Errorf("with the memory elsewhere: %+v", r)
	}
	// As in a container: no home folder at all.
	if r := in(t, exe, elsewhere, env[1:], "setup", "--yes", "--no-service"); r.code != exitOK {
		t.Errorf("without a home folder: %+v", r)
	}
	if r := in(t, exe, elsewhere, nil, "status"); r.code != exitFailure || !strings.Contains(r.err, "set DORMOUSE_HOME") {
		t.Errorf("without any: %+v", r)
	}
}
