package project

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// setup is something that the person has set up in git, and what a commit for the agent makes of it.
type setup struct {
	name  string
	make  func(t *testing.T, dir, settings string) string // returns the work tree
	act   func(t *testing.T, dir string)
	check func(t *testing.T, dir string)
}

func equal(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

func in(change func(t *testing.T, dir string)) func(*testing.T, string, string) string {
	return func(t *testing.T, dir, _ string) string {
		change(t, dir)
		return dir
	}
}

func setups() []setup {
	return []setup{
		{"files that the person's settings ignore are not committed", func(t *testing.T, dir, settings string) string {
			put(t, filepath.Join(filepath.Dir(settings), "excludes"), "*.mine\n")
			mine(t, dir, "config", "--global", "core.excludesFile", filepath.Join(filepath.Dir(settings), "excludes"))
			put(t, filepath.Join(dir, ".git", "info", "exclude"), "*.here\n")
			return dir
		}, func(t *testing.T, dir string) {
			for _, name := range []string{"x.mine", "x.here", "x.log", "x.txt"} {
				put(t, filepath.Join(dir, name), "x")
			}
		}, func(t *testing.T, dir string) {
			equal(t, "committed", mine(t, dir, "show", "--name-only", "--format="), "x.txt")
		}},
		{"line ends are stored as the person has them stored", in(func(t *testing.T, dir string) { mine(t, dir, "config", "core.autocrlf", "true") }),
			func(t *testing.T, dir string) { put(t, filepath.Join(dir, "crlf.txt"), "one\r\ntwo\r\n") },
			func(t *testing.T, dir string) {
				equal(t, "stored", mine(t, dir, "cat-file", "blob", "HEAD:crlf.txt"), "one\ntwo")
			}},
		{"clean filters, as LFS has one, are run", func(t *testing.T, dir, _ string) string {
			script(t, filepath.Join(dir, ".git", "pointer"), "cat >/dev/null; echo pointer")
			mine(t, dir, "config", "filter.big.clean", "'"+filepath.Join(dir, ".git", "pointer")+"'")
			mine(t, dir, "config", "filter.big.smudge", "cat")
			put(t, filepath.Join(dir, ".gitattributes"), "*.big filter=big\n")
			mine(t, dir, "add", ".")
			mine(t, dir, "commit", "-qm", "Attributes")
			return dir
		}, func(t *testing.T, dir string) { put(t, filepath.Join(dir, "x.big"), "much") },
			func(t *testing.T, dir string) {
				equal(t, "stored", mine(t, dir, "cat-file", "blob", "HEAD:x.big"), "pointer")
			}},
		{"hooks run, with the agent as the author", func(t *testing.T, dir, _ string) string {
			script(t, filepath.Join(dir, ".git", "hooks", "pre-commit"), `echo "$GIT_AUTHOR_EMAIL" > .git/pre; test ! -t 0`)
			script(t, filepath.Join(dir, ".git", "hooks", "commit-msg"), `printf "\\nChecked: yes\\n" >> "$1"`)
			script(t, filepath.Join(dir, ".git", "hooks", "post-commit"), `: > .git/post`)
			return dir
		}, edit, func(t *testing.T, dir string) {
			b, _ := os.ReadFile(filepath.Join(dir, ".git", "pre"))
			equal(t, "pre-commit", string(b), AgentMail+"\n")
			equal(t, "commit-msg", mine(t, dir, "log", "-1", "--format=%b"), "Checked: yes")
			if _, err := os.Stat(filepath.Join(dir, ".git", "post")); err != nil {
				t.Error(err)
			}
		}},
		{"hooks in a folder that the settings name run too", func(t *testing.T, dir, _ string) string {
			hooks := filepath.Join(t.TempDir(), "hooks")
			script(t, filepath.Join(hooks, "commit-msg"), `printf "\\nFrom elsewhere\\n" >> "$1"`)
			mine(t, dir, "config", "core.hooksPath", hooks)
			return dir
		}, edit, func(t *testing.T, dir string) {
			equal(t, "message", mine(t, dir, "log", "-1", "--format=%b"), "From elsewhere")
		}},
		{"files outside of a sparse checkout stay committed", in(func(t *testing.T, dir string) {
			mine(t, dir, "sparse-checkout", "set", "other")
			if _, err := os.Stat(filepath.Join(dir, "dir", "b.txt")); err == nil {
				t.Fatal("it is not sparse")
			}
		}), edit, func(t *testing.T, dir string) {
			equal(t, "tree", mine(t, dir, "ls-tree", "-r", "--name-only", "HEAD"), ".gitignore\na.txt\ndir/b.txt")
		}},
		{"a submodule's new commit is recorded, and what is uncommitted in it is not", func(t *testing.T, dir, _ string) string {
			mine(t, dir, "submodule", "--quiet", "add", work(t), "lib")
			mine(t, dir, "commit", "-qm", "Submodule")
			put(t, filepath.Join(dir, "lib", "a.txt"), "uncommitted in it from before\n")
			return dir
		}, func(t *testing.T, dir string) {
			mine(t, filepath.Join(dir, "lib"), "commit", "-q", "--allow-empty", "-m", "In the submodule")
		}, func(t *testing.T, dir string) {
			equal(t, "pointer", mine(t, dir, "rev-parse", "HEAD:lib"), mine(t, filepath.Join(dir, "lib"), "rev-parse", "HEAD"))
			equal(t, "status", mine(t, filepath.Join(dir, "lib"), "status", "--porcelain"), " M a.txt")
		}},
		{"a submodule that the agent added is committed", in(func(*testing.T, string) {}), func(t *testing.T, dir string) {
			mine(t, dir, "submodule", "--quiet", "add", work(t), "lib")
		}, func(t *testing.T, dir string) {
			equal(t, "committed", mine(t, dir, "show", "--name-only", "--format="), ".gitmodules\nlib")
		}},
		{"a submodule's own work tree is committed in the submodule", func(t *testing.T, dir, _ string) string {
			mine(t, dir, "submodule", "--quiet", "add", work(t), "lib")
			return filepath.Join(dir, "lib")
		}, edit, func(t *testing.T, dir string) {
			equal(t, "committed", mine(t, dir, "show", "--name-only", "--format="), "a.txt")
		}},
		{"a linked worktree has its own branch and index", func(t *testing.T, dir, _ string) string {
			tree := filepath.Join(t.TempDir(), "tree")
			mine(t, dir, "worktree", "add", "-q", "-b", "feature", tree)
			return tree
		}, edit, func(t *testing.T, dir string) {
			equal(t, "branch", mine(t, dir, "for-each-ref", "--format=%(refname:short)", "--points-at=HEAD"), "feature")
		}},
		{"a worktree of a bare repository is committed in", func(t *testing.T, dir, _ string) string {
			bare, tree := filepath.Join(t.TempDir(), "bare.git"), filepath.Join(t.TempDir(), "tree")
			mine(t, dir, "clone", "-q", "--bare", dir, bare)
			mine(t, bare, "worktree", "add", "-q", "-b", "feature", tree)
			return tree
		}, edit, func(t *testing.T, dir string) {
			equal(t, "committed", mine(t, dir, "show", "--name-only", "--format="), "a.txt")
		}},
		{"SHA-256 repositories are committed in", func(t *testing.T, _, _ string) string {
			dir := resolved(t.TempDir())
			mine(t, dir, "init", "-q", "--object-format=sha256")
			return dir
		}, edit, func(t *testing.T, dir string) {
			if id := mine(t, dir, "rev-parse", "HEAD"); len(id) != 64 {
				t.Error(id)
			}
		}},
		{"the first commit of a repository may be the agent's", func(t *testing.T, _, _ string) string {
			dir := resolved(t.TempDir())
			mine(t, dir, "init", "-q")
			return dir
		}, edit, func(t *testing.T, dir string) { equal(t, "commits", mine(t, dir, "rev-list", "--count", "HEAD"), "1") }},
		{"an index of version 4 stays one", in(func(t *testing.T, dir string) { mine(t, dir, "update-index", "--index-version=4") }), edit,
			func(t *testing.T, dir string) {
				b, err := os.ReadFile(filepath.Join(dir, ".git", "index"))
				if err != nil || b[7] != 4 {
					t.Errorf("version %d, %v", b[7], err)
				}
			}},
		{"a split index stays split", in(func(t *testing.T, dir string) {
			mine(t, dir, "config", "core.splitIndex", "true")
			mine(t, dir, "update-index", "--split-index")
		}),
			edit, func(t *testing.T, dir string) {
				if list, _ := filepath.Glob(filepath.Join(dir, ".git", "sharedindex.*")); len(list) == 0 {
					t.Error("it is whole now")
				}
			}},
		{"no name and mail of the person's are needed", func(t *testing.T, dir, settings string) string {
			put(t, settings, "[user]\n\tuseConfigOnly = true\n[init]\n\tdefaultBranch = main\n")
			return dir
		}, edit, func(t *testing.T, dir string) {
			equal(t, "committer", mine(t, dir, "log", "-1", "--format=%ce"), AgentMail)
		}},
		{"a template and an editor for messages are not asked", func(t *testing.T, dir, _ string) string {
			put(t, filepath.Join(dir, ".git", "template"), "TEMPLATE\n")
			mine(t, dir, "config", "commit.template", filepath.Join(dir, ".git", "template"))
			mine(t, dir, "config", "core.editor", "false")
			mine(t, dir, "config", "commit.verbose", "true")
			return dir
		}, edit, func(t *testing.T, dir string) { equal(t, "body", mine(t, dir, "log", "-1", "--format=%b"), "") }},
	}
}

func TestACommitForAnAgentHonoursTheSetUp(t *testing.T) {
	for _, s := range setups() {
		t.Run(s.name, func(t *testing.T) {
			settings := settle(t)
			dir := s.make(t, work(t), settings)
			before := mine(t, dir, "config", "--list", "--local")
			out := newDesk().during(t, dir, func() { s.act(t, dir) })
			if out.Commit == "" {
				t.Fatalf("%+v", out)
			}
			s.check(t, dir)
			if st := statusOf(t, dir); !st.Clean() {
				t.Errorf("left: %+v", st.Changes)
			}
			if now := mine(t, dir, "config", "--list", "--local"); now != before && !strings.Contains(s.name, "the agent added") {
				t.Errorf("the settings were\n%s\nand are\n%s", before, now)
			}
		})
	}
}

// key makes a key for the person in their own gnupg folder; phrase locks it.
func key(t *testing.T, phrase string) {
	t.Helper()
	if _, err := exec.LookPath("gpg"); err != nil {
		t.Skip("gpg is not installed")
	}
	home, err := os.MkdirTemp("", "g") // the path of gpg's sockets must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GNUPGHOME", home)
	t.Cleanup(func() {
		_ = exec.Command("gpgconf", "--homedir", home, "--kill", "all").Run()
		_ = os.RemoveAll(home)
	})
	cmd := exec.Command("gpg", "--batch", "--no-tty", "--pinentry-mode", "loopback", "--passphrase", phrase, "--quick-gen-key", "Robin <robin@example.org>", "ed25519", "sign", "never")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("make a key: %v\n%s", err, out)
	}
	_ = exec.Command("gpgconf", "--homedir", home, "--kill", "all").Run() // the agent forgets the phrase
}

func TestACommitIsSignedWhereThatAsksNothing(t *testing.T) {
	settle(t)
	key(t, "")
	dir, d := work(t), newDesk()
	mine(t, dir, "config", "commit.gpgsign", "true")
	if out := d.during(t, dir, func() { edit(t, dir) }); out.Commit == "" {
		t.Fatalf("%+v", out)
	}
	if got := mine(t, dir, "log", "-1", "--format=%G?|%GS|%an"); got != "U|Robin <robin@example.org>|agent (opus-4 via Dormouse)" && got != "G|Robin <robin@example.org>|agent (opus-4 via Dormouse)" {
		t.Errorf("signature %q", got)
	}
}

func TestALockedSigningKeyIsSkippedAndNothingIsAsked(t *testing.T) {
	settle(t)
	key(t, "a phrase that nobody types")
	dir, d := work(t), newDesk()
	asked := filepath.Join(t.TempDir(), "asked")
	pinentry := filepath.Join(t.TempDir(), "pinentry")
	script(t, pinentry, ": > '"+asked+"'; exit 1")
	put(t, filepath.Join(os.Getenv("GNUPGHOME"), "gpg-agent.conf"), "pinentry-program "+pinentry+"\n")
	mine(t, dir, "config", "commit.gpgsign", "true")
	out := d.during(t, dir, func() { edit(t, dir) })
	if out.Commit != "" || out.Reason != Unsigned || !strings.Contains(out.Text, "unlock") {
		t.Errorf("%+v", out)
	}
	if _, err := os.Stat(asked); err == nil {
		t.Error("the person was asked for the phrase")
	}
	if s := mine(t, dir, "status", "--porcelain"); s != " M a.txt" {
		t.Errorf("status %q", s)
	}
	sound(t, dir)
	fails(t, dir, "commit", "-qam", "With the person's own git")
	if _, err := os.Stat(asked); err != nil {
		t.Error("the trap does not work: plain git commit asks nobody")
	}
}

func TestSigningWithSSH(t *testing.T) {
	settle(t)
	if _, err := exec.LookPath("ssh-keygen"); err != nil {
		t.Skip("ssh-keygen is not installed")
	}
	for phrase, want := range map[string]Reason{"": "", "a phrase": Unsigned} {
		dir, d := work(t), newDesk()
		id := filepath.Join(t.TempDir(), "id")
		if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", phrase, "-C", "robin", "-f", id).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		mine(t, dir, "config", "commit.gpgsign", "true")
		mine(t, dir, "config", "gpg.format", "ssh")
		mine(t, dir, "config", "user.signingkey", id)
		out := d.during(t, dir, func() { edit(t, dir) })
		if out.Reason != want || (out.Commit == "") != (want != "") {
			t.Errorf("phrase %q: %+v", phrase, out)
		}
		if want == "" && !strings.Contains(mine(t, dir, "cat-file", "commit", "HEAD"), "BEGIN SSH SIGNATURE") {
			t.Error("it is not signed")
		}
	}
}

func TestASigningProgramThatMayAskIsNotCalled(t *testing.T) {
	settle(t)
	dir, d := work(t), newDesk()
	called := filepath.Join(t.TempDir(), "called")
	program := filepath.Join(t.TempDir(), "op-sign")
	script(t, program, ": > '"+called+"'; exit 1")
	mine(t, dir, "config", "commit.gpgsign", "true")
	for _, set := range [][2]string{{"gpg.program", "openpgp"}, {"gpg.ssh.program", "ssh"}, {"gpg.openpgp.program", "openpgp"}} {
		mine(t, dir, "config", "gpg.format", set[1])
		mine(t, dir, "config", set[0], program)
		out := d.during(t, dir, func() { edit(t, dir) })
		if out.Reason != Unsigned || !strings.Contains(out.Text, "op-sign") {
			t.Errorf("%v: %+v", set, out)
		}
		mine(t, dir, "checkout", "-q", "a.txt")
		mine(t, dir, "config", "--unset", set[0])
	}
	if _, err := os.Stat(called); err == nil {
		t.Error("it was called")
	}
}
