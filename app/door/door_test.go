package door

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"dormouse/service/socket"
)

func TestASecondStartHandsItsWishToTheFirstWindow(t *testing.T) {
	run, home := t.TempDir(), t.TempDir()
	env := func(string) string { return run }
	d, err := Take(t.Context(), home, env, Request{})
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan Request, 2)
	d.Serve(func(r Request) { got <- r })
	want := Request{Page: "core", Session: "cc_1", Turn: 3}
	if second, err := Take(t.Context(), home, env, want); second != nil || !errors.Is(err, ErrOther) {
		t.Fatalf("%v, %v", second, err)
	}
	if r := <-got; r != want {
		t.Errorf("the first window heard %+v", r)
	}
	other, err := Take(t.Context(), home+"-other", env, Request{})
	if err != nil {
		t.Fatalf("a window for another memory: %v", err)
	}
	other.Close()
	d.Close()
	again, err := Take(t.Context(), home, env, Request{})
	if err != nil {
		t.Fatalf("after the first one was closed: %v", err)
	}
	again.Close()
}

func TestNonsenseAtTheDoorIsNotHandedOn(t *testing.T) {
	run, home := t.TempDir(), t.TempDir()
	d, err := Take(t.Context(), home, func(string) string { return run }, Request{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	heard := make(chan Request, 3)
	d.Serve(func(r Request) { heard <- r })
	for _, s := range []string{"nonsense", `{"turn":"x"}`, strings.Repeat(" ", 2*maxRequest) + `{}`} {
		c, err := socket.Dial(t.Context(), doorFolder(home, func(string) string { return run }))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = c.Write([]byte(s)) // the other end may have closed already
		_, _ = c.Read(make([]byte, 1))
		_ = c.Close()
	}
	select {
	case r := <-heard:
		t.Errorf("heard %+v", r)
	default:
	}
}

func TestAWindowThatDoesNotAnswerIsSaid(t *testing.T) {
	run, home := t.TempDir(), t.TempDir()
	env := func(string) string { return run }
	d, err := Take(t.Context(), home, env, Request{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	_ = d.ln.Close() // as if it had died behind its lock
	if _, err := Take(t.Context(), home, env, Request{}); err == nil || errors.Is(err, ErrOther) || !strings.Contains(err.Error(), "end the program") {
		t.Errorf("%v", err)
	}
}

func TestADoorThatCannotBeMadeIsSaid(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Take(t.Context(), "/m", func(string) string { return file }, Request{}); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("%v", err)
	}
	if dir := doorFolder("/m", func(string) string { return "" }); !strings.HasPrefix(dir, os.TempDir()) {
		t.Errorf("without a log-on's folder: %s", dir)
	}
	if runtime.GOOS == "windows" {
		return
	}
	run := t.TempDir()
	dir := doorFolder("/m", func(string) string { return run })
	if err := os.MkdirAll(filepath.Join(dir, "run", "dormouse.sock", "x"), 0o700); err != nil { // a folder where the socket should be
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := Take(ctx, "/m", func(string) string { return run }, Request{}); err == nil || !strings.Contains(err.Error(), "door") {
		t.Errorf("%v", err)
	}
}

func TestTheCommandLineSaysWhatToShow(t *testing.T) {
	pages := []string{"core", "sessions"}
	for args, want := range map[string]Request{
		"": {}, "--page core": {Page: "core"}, "-session cc_1 --turn 3": {Session: "cc_1", Turn: 3}, "--page sessions --session x": {Page: "sessions", Session: "x"},
	} {
		if got, err := Parse(strings.Fields(args), pages, nil); err != nil || got != want {
			t.Errorf("%s: %+v, %v", args, got, err)
		}
	}
	for args, want := range map[string]string{
		"--page x": "there is no page", "status": "no arguments but flags", "--turn 3": "--turn needs --session", "--session x --turn -1": "from 1", "--nope": "nope",
	} {
		var out bytes.Buffer
		if _, err := Parse(strings.Fields(args), pages, &out); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", args, err)
		}
	}
	var out bytes.Buffer
	if _, err := Parse([]string{"--help"}, pages, &out); !errors.Is(err, flag.ErrHelp) || !strings.Contains(out.String(), "a page: core, sessions") || !strings.Contains(out.String(), "--session cc_1a2b3c4d --turn 3") {
		t.Errorf("%v, %q", err, out.String())
	}
}
