package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"dormouse/store/memory"
	"dormouse/store/session"
	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// turnFigures compares what a turn of five nodes costs at one length of session. Times are of CPU, in milliseconds a turn.
type turnFigures struct {
	Nodes       int     `json:"nodes"`
	Dormouse    float64 `json:"dormouse_ms"`
	GoGit       float64 `json:"go_git_ms"`
	Git         float64 `json:"git_ms"`
	ToGoGit     float64 `json:"go_git_over_dormouse"`
	ToGit       float64 `json:"git_over_dormouse"`
	StatusClean bool    `json:"git_status_clean"` // after each turn, by the git command
}

// committer commits turns to one repository by one method.
type committer interface {
	// commit takes one turn; what it costs is measured.
	commit(turn int, nodes []memory.Node) error
	// check may look at the result; it is not measured.
	check() error
}

// measureTurns commits the same turns after a session of size nodes by each method.
func measureTurns(dir string, c *corpus, size, turns int) (turnFigures, error) {
	fig := turnFigures{Nodes: size}
	history := c.session(size)
	next := make([][]memory.Node, turns)
	parent := memory.Ref(history[len(history)-1].ID)
	for i := range next {
		next[i] = c.turn(0, size/nodesATurn+1+i, parent)
		parent = memory.Ref(next[i][nodesATurn-1].ID)
	}
	ours, err := newOwn(filepath.Join(dir, "own"), history)
	if err != nil {
		return fig, err
	}
	tree := filepath.Join(dir, "tree")
	if err := makeTree(tree, history); err != nil {
		return fig, err
	}
	rival, err := newGoGit(filepath.Join(dir, "gogit"), tree)
	if err != nil {
		return fig, err
	}
	stock, err := newStock(filepath.Join(dir, "git"), tree)
	if err != nil {
		return fig, err
	}
	slow := min(turns, 3)
	for _, m := range []struct {
		into  *float64
		by    committer
		turns int
	}{{&fig.Dormouse, ours, turns}, {&fig.GoGit, rival, slow}, {&fig.Git, stock, min(turns, 5)}} {
		if *m.into, err = costOf(m.by, next[:m.turns], size/nodesATurn+1); err != nil {
			return fig, fmt.Errorf("at %d nodes: %w", size, err)
		}
	}
	fig.StatusClean = true // check fails otherwise
	fig.ToGoGit, fig.ToGit = fig.GoGit/fig.Dormouse, fig.Git/fig.Dormouse
	return fig, nil
}

// costOf is the milliseconds of CPU that a turn takes, those of git commands that it runs included.
func costOf(by committer, turns [][]memory.Node, first int) (float64, error) {
	sum := 0.0
	for i, nodes := range turns {
		begin := cpuSeconds() + childSeconds()
		if err := by.commit(first+i, nodes); err != nil {
			return 0, err
		}
		sum += cpuSeconds() + childSeconds() - begin
		if err := by.check(); err != nil {
			return 0, err
		}
	}
	return 1000 * sum / float64(len(turns)), nil
}

func (c *corpus) session(nodes int) []memory.Node {
	var out []memory.Node
	parent := memory.Ref("")
	for turn := 1; len(out) < nodes; turn++ {
		out = append(out, c.turn(0, turn, parent)...)
		parent = memory.Ref(out[len(out)-1].ID)
	}
	return out[:nodes]
}

// own is the product's way.
type own struct{ x *session.Session }

func newOwn(dir string, history []memory.Node) (*own, error) {
	s := session.New(session.Options{Dir: dir, Machine: "bench"})
	x, err := s.Ensure(memory.Session{Agent: "bench", AgentSessionID: "own"}, "b")
	if err != nil {
		return nil, err
	}
	return &own{x}, appendAll(x, true, history)
}

// appendAll adds nodes in one batch and commits them.
func appendAll(x *session.Session, bulk bool, nodes []memory.Node) error {
	b := x.Begin(bulk)
	defer b.Abort()
	for _, n := range nodes {
		if _, err := b.Append(n); err != nil {
			return err
		}
	}
	return b.Close(true)
}

func (o *own) commit(_ int, nodes []memory.Node) error { return appendAll(o.x, false, nodes) }

// check asks the user's own git whether work tree and index are what was committed.
func (o *own) check() error {
	out, err := runGit(o.x.Dir(), "status", "--porcelain")
	if err == nil && out != "" {
		err = fmt.Errorf("git status is not clean: %.300s", out)
	}
	return err
}

// makeTree writes the nodes as a plain work tree with one commit, by the git command.
func makeTree(dir string, nodes []memory.Node) error {
	if err := os.MkdirAll(filepath.Join(dir, "history"), 0o700); err != nil {
		return err
	}
	for i := range nodes {
		if _, err := writeNodeFile(dir, i+1, nodes[i]); err != nil {
			return err
		}
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"config", "gc.auto", "0"}, {"add", "history"}, {"commit", "-q", "-m", "turns"}, {"gc", "-q"}} {
		if _, err := runGit(dir, args...); err != nil {
			return err
		}
	}
	return nil
}

func writeNodeFile(dir string, seq int, n memory.Node) (name string, err error) {
	n.Seq = seq
	data, err := n.MarshalJSON()
	if err != nil {
		return "", err
	}
	name = fmt.Sprintf("history/%06d-%s-%s.json", seq, n.Role.Letter(), n.ID)
	return name, os.WriteFile(filepath.Join(dir, name), data, 0o600)
}

func writeTurn(dir string, turn int, nodes []memory.Node) (names []string, err error) {
	for i := range nodes {
		name, err := writeNodeFile(dir, (turn-1)*nodesATurn+i+1, nodes[i])
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

// goGit is the obvious way with the library: Worktree.Add for each file, then Commit.
type goGit struct {
	dir  string
	tree *git.Worktree
}

func newGoGit(dir, from string) (*goGit, error) {
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		return nil, err
	}
	if _, err := runGit(dir, "update-index", "-q", "--refresh"); err != nil { // the copies have times of their own
		return nil, err
	}
	r, err := git.PlainOpen(dir)
	if err != nil {
		return nil, err
	}
	w, err := r.Worktree()
	return &goGit{dir: dir, tree: w}, err
}

func (g *goGit) commit(turn int, nodes []memory.Node) error {
	names, err := writeTurn(g.dir, turn, nodes)
	if err != nil {
		return err
	}
	for _, n := range names {
		if _, err := g.tree.Add(n); err != nil {
			return err
		}
	}
	_, err = g.tree.Commit(fmt.Sprint("turn ", turn), &git.CommitOptions{Author: &object.Signature{Name: "b", Email: "b@localhost", When: time.Unix(firstTime, 0)}})
	return err
}

func (g *goGit) check() error { return nil }

// stockGit is the git command: add, then commit.
type stockGit struct{ dir string }

func newStock(dir, from string) (*stockGit, error) {
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		return nil, err
	}
	_, err := runGit(dir, "update-index", "-q", "--refresh")
	return &stockGit{dir}, err
}

func (s *stockGit) commit(turn int, nodes []memory.Node) error {
	names, err := writeTurn(s.dir, turn, nodes)
	if err != nil {
		return err
	}
	if _, err := runGit(s.dir, append([]string{"add", "--"}, names...)...); err != nil {
		return err
	}
	_, err = runGit(s.dir, "commit", "-q", "-m", "turn "+strconv.Itoa(turn))
	return err
}

func (s *stockGit) check() error { return nil }

// runGit runs the git command without the user's settings.
func runGit(dir string, args ...string) (string, error) {
	c := exec.Command("git", args...)
	c.Dir = dir
	c.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") }),
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C",
		"GIT_AUTHOR_NAME=b", "GIT_AUTHOR_EMAIL=b@localhost", "GIT_COMMITTER_NAME=b", "GIT_COMMITTER_EMAIL=b@localhost")
	out, err := c.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %.300s", args[0], err, out)
	}
	return strings.TrimSpace(string(out)), nil
}
