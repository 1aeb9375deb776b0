package project

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"dormouse/store/gitcmd"
)

// maxWords is how many characters of the prompt stand in a commit's message.
const maxWords = 60

// commit commits everything that changed in the work tree and is the new commit; empty where o says why not. What git add did
// to the index is taken back when no commit comes of it.
func (c *Committer) commit(ctx context.Context, o *openTurn) string {
	sign, err := signing(ctx, o.git)
	if err != nil {
		o.refuse(CannotTell, "%v", err)
		return ""
	}
	if sign.refusal != "" {
		o.refuse(Unsigned, "%s", sign.refusal)
		return ""
	}
	defer sign.putAway()
	before, err := keepIndex(o.git.GitDir)
	if err != nil {
		o.refuse(CannotTell, "%v", err)
		return ""
	}
	if _, err := (gitcmd.Command{Dir: o.git.Root, Args: []string{"add", "--all"}, Writes: true}).Run(ctx); err != nil {
		o.refuse(Refused, "%s", o.why(err))
		if staged, err := o.git.staged(context.WithoutCancel(ctx)); err == nil { // with add.ignoreErrors, some files are staged
			o.takeBack(context.WithoutCancel(ctx), before, staged)
		}
		return ""
	}
	staged, err := o.git.staged(ctx)
	if err != nil {
		o.refuse(CannotTell, "%v", err)
	}
	c.inspect(ctx, o)
	if o.reason == "" {
		if err := o.write(ctx, c.message(o), sign); err == nil {
			return o.made(ctx)
		} else if sign.on && strings.Contains(gitcmd.Said(err), "failed to write commit object") {
			o.refuse(Unsigned, "commits are signed here, and that failed without asking you: %s; unlock the key, or turn auto-commit off (dormouse project autocommit off PROJECT)", o.why(err))
		} else {
			o.refuse(Refused, "%s", o.why(err))
		}
	}
	o.takeBack(context.WithoutCancel(ctx), before, staged)
	return ""
}

// takeBack makes the index what it was before, unless somebody has staged something else since.
func (o *openTurn) takeBack(ctx context.Context, before index, staged string) {
	if x, err := keepIndex(o.git.GitDir); err == nil && bytes.Equal(x.content, before.content) {
		return
	}
	now, err := o.git.staged(ctx)
	if err == nil && now != staged {
		err = errors.New("somebody has staged something else")
	}
	if err == nil {
		err = before.putBack()
	}
	if err != nil {
		o.text += fmt.Sprintf("; the changes are staged now, because git's index could not be put back: %v", err)
	}
}

// staged is all that the index holds: modes, contents and paths, without git's notes on when it last looked.
func (g Git) staged(ctx context.Context) (string, error) {
	out, err := g.read(ctx, "ls-files", "--stage", "-z")
	if err == nil && out.Cut {
		err = fmt.Errorf("git's index of %s lists more than can be compared", g.Root)
	}
	return string(out.Stdout), err
}

// maxWhy is how much of what git and the hooks said is told, in bytes.
const maxWhy = 800

// why is what git said, and what it may mean.
func (o *openTurn) why(err error) string {
	said, text := gitcmd.Said(err), err.Error()
	if len(text) > maxWhy { // the end says most
		text = "…" + strings.ToValidUTF8(text[len(text)-maxWhy:], "")
	}
	switch {
	case strings.Contains(said, "index.lock") && strings.Contains(said, "File exists"):
		return "another git command is at work in " + o.git.Root + ", or one has left its lock there: " + text
	case said == "":
		return "a hook of the repository refused it, or " + text
	}
	return text
}

// message is the commit's message: "[agent <session>] turn <N>: <first characters of the prompt>".
func (c *Committer) message(o *openTurn) string {
	words := o.Words
	if c.o.Redact != nil {
		clean, _, err := c.o.Redact(words)
		if words = clean; err != nil {
			words = ""
		}
	}
	return strings.TrimSpace(fmt.Sprintf("[agent %s] turn %d: %s", oneLine(o.Session), o.N, cutRunes(oneLine(words), maxWords)))
}

// oneLine is a text without line breaks, control characters and runs of spaces.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	return strings.Join(strings.Fields(s), " ")
}

func cutRunes(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return strings.TrimSpace(string(r[:n]))
	}
	return s
}

// author is the name that the commit has: "agent (<model> via Dormouse)".
func (o *openTurn) author() string {
	model := strings.Map(func(r rune) rune {
		if strings.ContainsRune("<>()", r) {
			return -1
		}
		return r
	}, oneLine(o.Model))
	return "agent (" + cmpOr(cutRunes(model, maxWords), "unknown model") + " via Dormouse)"
}

func (o *openTurn) write(ctx context.Context, message string, sign *signer) error {
	name := o.author()
	_, err := gitcmd.Command{
		Dir: o.git.Root, Writes: true, Stdin: message, Config: append([]string{"i18n.commitEncoding=UTF-8"}, sign.config...),
		Args: []string{"commit", "--quiet", "--cleanup=whitespace", "--file=-"},
		Env:  []string{"GIT_AUTHOR_NAME=" + name, "GIT_AUTHOR_EMAIL=" + AgentMail, "GIT_COMMITTER_NAME=" + name, "GIT_COMMITTER_EMAIL=" + AgentMail},
	}.Run(ctx)
	return err
}

// made is the commit that was just written.
func (o *openTurn) made(ctx context.Context) string {
	out, err := o.git.read(ctx, "rev-parse", "--verify", "HEAD")
	if err != nil {
		o.refuse(CannotTell, "the changes are committed, but not how: %v", err)
		return ""
	}
	return out.Line()
}

// index is git's index file as it was.
type index struct {
	path    string
	content []byte // nil when there was none
	info    os.FileInfo
}

func keepIndex(gitDir string) (index, error) {
	x := index{path: filepath.Join(gitDir, "index")}
	info, err := os.Stat(x.path)
	if os.IsNotExist(err) {
		return x, nil
	}
	if err == nil {
		x.info = info
		x.content, err = os.ReadFile(x.path)
	}
	if err != nil {
		return x, fmt.Errorf("read git's index: %w", err)
	}
	return x, nil
}

// putBack makes the index what it was, its time included, by which git tells what may have changed since. It holds git's own
// lock while it does.
func (x index) putBack() (err error) {
	lock, err := os.OpenFile(x.path+".lock", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(lock.Name())
		}
	}()
	_, err = lock.Write(x.content)
	if cerr := lock.Close(); err == nil {
		err = cerr
	}
	switch {
	case err != nil:
		return err
	case x.content == nil:
		if err := os.Remove(x.path); err != nil && !os.IsNotExist(err) {
			return err
		}
		return os.Remove(lock.Name())
	}
	if err := os.Chmod(lock.Name(), x.info.Mode().Perm()); err != nil {
		return err
	}
	if err := os.Chtimes(lock.Name(), x.info.ModTime(), x.info.ModTime()); err != nil {
		return err
	}
	return os.Rename(lock.Name(), x.path)
}
