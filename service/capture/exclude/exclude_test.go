package exclude

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func set(t *testing.T, entries ...string) *Set {
	t.Helper()
	env := map[string]string{"WORK": "/srv/work", "DRIVE": `D:\data`}
	s, err := New(entries, Env{Home: "/home/u", Get: func(name string) string { return env[name] }})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAllSpellingsOfAFolderAreOne(t *testing.T) {
	for entry, paths := range map[string][]string{
		"/a/b":         {"/a/b", "/a/b/", "/a/b/c", "/a/./b/../b/c", "file:///a/b/c", `\\wsl$\Ubuntu\a\b`, `\\wsl.localhost\Debian\a\b\c`, "//wsl.localhost/Debian/a/b"},
		"~":            {"/home/u", "/home/u/x"},
		"~/p":          {"/home/u/p/x"},
		"$WORK/p":      {"/srv/work/p"},
		"${WORK}/p":    {"/srv/work/p/x"},
		"%WORK%/p":     {"/srv/work/p/x"},
		`C:\Users\U\p`: {`c:\users\u\P\x`, "C:/Users/U/p", "/mnt/c/Users/U/p/x", "/cygdrive/c/users/u/p", `\\?\C:\Users\U\p\x`, "file:///C:/Users/U/p/x"},
		"/mnt/d/p":     {`D:\P\x`, "/mnt/d/p"},
		"$DRIVE/p":     {`d:\DATA\p\x`},
		`\\srv\s\p`:    {`\\SRV\S\P\x`, `\\?\UNC\srv\s\p`, "//srv/s/p/x"},
	} {
		s := set(t, entry)
		for _, p := range paths {
			if !s.Holds(p) {
				t.Errorf("%q does not hold %q: %q, %q", entry, p, s.dirs[0].key, keyOf(p))
			}
		}
		for _, p := range []string{"", "p", "a/b", "/a", "/a/bc", "/home/v", "/srv/work/pp", `C:\Users\U`, `C:\Users\U\pp`, `D:\`, "/mnt/e/p", `\\srv\s`, `\\other\s\p`} {
			if s.Holds(p) {
				t.Errorf("%q holds %q", entry, p)
			}
		}
	}
	if (*Set)(nil).Holds("/a") || !(*Set)(nil).Empty() {
		t.Error("no set holds something")
	}
}

func TestAnEntryThatLeadsNowhereIsRefused(t *testing.T) {
	for entry, says := range map[string]string{"$NOWHERE/a": "NOWHERE", "a/b": "root", "": "root", "~x/a": "root"} {
		if _, err := New([]string{entry}, Env{Home: "/h", Get: func(string) string { return "" }}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", entry, err)
		}
	}
	if _, err := New([]string{"~/a"}, Env{Get: func(string) string { return "" }}); err == nil || !strings.Contains(err.Error(), "home folder") {
		t.Errorf("no home folder: %v", err)
	}
}

func TestLinksWorktreesAndFoldersThatAreNotThereYet(t *testing.T) {
	home := t.TempDir()
	private, link := filepath.Join(home, "private"), filepath.Join(home, "link")
	git := filepath.Join(private, "repo", ".git", "worktrees", "w")
	tree, other := filepath.Join(home, "tree", "in"), filepath.Join(home, "other")
	for _, dir := range []string{git, tree, filepath.Join(other, ".git")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(home, "tree", ".git"), []byte("gitdir: ../private/repo/.git/worktrees/w\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := New([]string{private}, Env{Home: home})
	if err != nil {
		t.Fatal(err)
	}
	if !s.Holds(tree) || s.Holds(other) || s.Holds(home) || s.Holds(filepath.Join(home, "none")) {
		t.Error("a linked worktree lies in its repository's folder, or others do")
	}
	if err := os.Symlink(private, link); err != nil {
		t.Skipf("this system makes no links here: %v", err)
	}
	if !s.Holds(link) || !s.Holds(filepath.Join(link, "new", "file")) {
		t.Error("a link into the folder was not followed")
	}
	back, err := New([]string{link}, Env{Home: home})
	if err != nil || !back.Holds(filepath.Join(private, "new")) {
		t.Errorf("the folder was named by its link, %v", err)
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		if !s.Holds(filepath.Join(home, "PRIVATE", "x")) {
			t.Error("letters of another case")
		}
	} else if s.Holds(filepath.Join(home, "PRIVATE", "x")) {
		t.Error("another folder, by the case of its letters")
	}
}

func TestWordsOfCommands(t *testing.T) {
	s := set(t, "/home/u/p", "/srv/my clients")
	for _, c := range []string{"cat /home/u/p/f", "cat p/f", "cat ./p/f", "cd p && cat f", "git -C p log", "rg x -g '!y' ~/p", "tar cf - p/", `cat "/srv/my clients/f"`, `cat /srv/my\ clients/f`,
		"cp a:p/f b", "diff -u a/x p/x", "head -n3 < p/f", "cc -I/home/u/p/include x.c", "git show HEAD:p/f", "env X=~/p y", "cat /home/u/{p,q}/f", "cat /home/*/p/f", "cat ../u/p/f", "cd /home; ls u/p"} {
		if !s.Command(c, "/home/u") {
			t.Errorf("%q was not seen", c)
		}
	}
	for _, c := range []string{"", "cat q/f", "echo p", "cat pp/f", "cat /tmp/p/f", "cd q && cat p/f", "git log -p", "ls *.go"} {
		if s.Command(c, "/home/u/q") {
			t.Errorf("%q is none of it", c)
		}
	}
	if !s.Command(strings.Repeat("echo x; ", wordBytes/4)+"cat 'my clients/f'", "/srv") || s.Command(strings.Repeat("echo x; ", wordBytes/4), "/srv") {
		t.Error("a command too long to be read word by word")
	}
}

func TestLinesOfOutputs(t *testing.T) {
	s := set(t, "/home/u/p")
	for _, text := range []string{"p/f:3:x\n", "a\n./p/f\n", "/home/u/p/f: x", "./p:\nf\ng\n", "--- a/p/f\n", "Binary\n\"p/f\" 3\n", "diff --git a/p/f b/p/f\n"} {
		if !s.Lines(text, "/home/u") {
			t.Errorf("%q was not seen", text)
		}
	}
	for _, text := range []string{"", "p\n", "q\np\nr\n", "/home/u/p\n", "see p/f\n", "q/p/f:1:x\n"} {
		if s.Lines(text, "/home/u") {
			t.Errorf("%q is none of it", text)
		}
	}
}
