package launch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/store/home"
)

// logOn is the question in folders of its own, with what was run.
func logOn(t *testing.T, env map[string]string) (*LogOn, *[]string) {
	t.Helper()
	l, _ := launcher(t, env)
	l.Self = filepath.Join(t.TempDir(), "dormouse-desktop")
	program(t, filepath.Dir(l.Self), "dormouse")
	o := l.LogOn(home.At(filepath.Join(t.TempDir(), "state")))
	o.enabled = o.enabled[1:] // the machine's own is not the test's
	var ran []string
	o.Run = func(_ context.Context, exe string, args ...string) (string, error) {
		ran = append(ran, filepath.Base(exe)+" "+strings.Join(args, " "))
		return "said so", nil
	}
	return o, &ran
}

func TestTheLogOnIsAskedAboutOnceAndTheAnswerIsKept(t *testing.T) {
	o, ran := logOn(t, nil)
	for range 2 { // to ask is no answer
		if !o.Wanted(t.Context()) {
			t.Fatal("nobody is asked")
		}
	}
	if err := o.Answer(); err != nil || o.Wanted(t.Context()) || len(*ran) != 0 {
		t.Errorf("%v, ran %q", err, *ran)
	}
	next := o.l.LogOn(home.At(filepath.Dir(filepath.Dir(o.answered)))) // of the window that is opened then
	if next.enabled = nil; next.Wanted(t.Context()) {
		t.Error("asked again")
	}
}

func TestTheLogOnIsInstalledWithTheTray(t *testing.T) {
	o, ran := logOn(t, nil)
	if err := o.Install(t.Context()); err != nil || len(*ran) != 1 || (*ran)[0] != "dormouse service install --tray" || o.Wanted(t.Context()) {
		t.Errorf("%v, ran %q", err, *ran)
	}
	o, _ = logOn(t, nil)
	boom := errors.New("exit status 1")
	o.Run = func(context.Context, string, ...string) (string, error) { return "no room\n", boom }
	if err := o.Install(t.Context()); !errors.Is(err, boom) || !strings.Contains(err.Error(), "no room") || !o.Wanted(t.Context()) {
		t.Errorf("%v", err)
	}
}

func TestNobodyIsAskedWhereItStartsAlreadyOrCannot(t *testing.T) {
	o, _ := logOn(t, map[string]string{home.EnvHome: "/x"})
	if o.Wanted(t.Context()) {
		t.Error("asked for another state folder")
	}
	o, _ = logOn(t, nil)
	unit := filepath.Join(o.l.User, ".config", "systemd", "user", "default.target.wants", "dormouse.service")
	if err := os.MkdirAll(filepath.Dir(unit), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/nowhere", unit); err != nil {
		t.Skip("no links here:", err)
	}
	if o.Wanted(t.Context()) {
		t.Error("asked although the package's unit is enabled")
	}
	o, _ = logOn(t, nil)
	exe, _ := o.l.Find("dormouse")
	if _, err := o.l.entry(exe).Install(t.Context()); err != nil {
		t.Skip("no entry can be made here:", err)
	}
	if o.Wanted(t.Context()) {
		t.Error("asked although it is installed")
	}
	o, _ = logOn(t, nil)
	t.Setenv("PATH", t.TempDir())
	if err := os.Remove(filepath.Join(filepath.Dir(o.l.Self), "dormouse")); err != nil {
		t.Fatal(err)
	}
	if o.Wanted(t.Context()) {
		t.Error("asked for what is not there")
	}
	if err := o.Install(t.Context()); err == nil {
		t.Error("installed what is not there")
	}
}
