package project

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"dormouse/store/gitcmd"
)

// Stretch is a run of lines of a file that one commit made what they are.
type Stretch struct {
	From, To int    // lines, from 1, both inclusive
	Commit   string // empty for lines that no commit has
	Path     string // of the file in that commit, from the work tree's root
	Lines    []string
}

// Blamed is who made the lines of a file what they are.
type Blamed struct {
	Path string // from the work tree's root, with slashes
	// State says where the lines are from: "" for the file as it lies on the disk, Untracked for one that git does not know, Deleted for one that
	// is gone, as it was last.
	State string
	Lines int // of the file
	Made  []Stretch
}

// The states of a Blamed.
const (
	Untracked = "untracked"
	Deleted   = "deleted"
)

// ErrNoFile says that there is no such file, now or in any commit, or no such lines in it.
var ErrNoFile = errors.New("there is no such file")

// maxBlame is the longest file that is looked at, in bytes.
const maxBlame = 8 << 20

// Blame tells which commits made lines of a file what they are, through renames. from and to are lines from 1; 0 is the file's own bound. It
// writes nothing and runs nothing that the repository's settings name.
func (g Git) Blame(ctx context.Context, path string, from, to int) (Blamed, error) {
	rel, err := filepath.Rel(g.Root, path)
	if err != nil || rel == "." || strings.HasPrefix(rel, "..") {
		return Blamed{}, fmt.Errorf("%w: %s is not in the work tree %s", ErrNoFile, path, g.Root)
	}
	b := Blamed{Path: filepath.ToSlash(rel)}
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return b, fmt.Errorf("%w: %s is a folder or something else that has no lines", ErrNoFile, path)
	case err == nil && info.Size() > maxBlame:
		return b, fmt.Errorf("%s has %d bytes, and at most %d are looked at", path, info.Size(), maxBlame)
	case err != nil:
		return g.blameGone(ctx, b, from, to)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return b, err
	}
	if b.Lines = countLines(text); b.Lines == 0 {
		return b, nil
	}
	if from, to, err = bounds(from, to, b.Lines); err != nil {
		return b, err
	}
	if known, err := g.inHead(ctx, b.Path); err != nil || !known {
		b.State = Untracked
		lines := strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
		b.Made = []Stretch{{From: from, To: to, Path: b.Path, Lines: lines[from-1 : to]}}
		return b, err
	}
	b.Made, err = g.blame(ctx, "", b.Path, from, to)
	return b, err
}

// blameGone is Blame for a file that is not on the disk: as it was in the newest commit, or before the one that deleted it.
func (g Git) blameGone(ctx context.Context, b Blamed, from, to int) (Blamed, error) {
	b.State = Deleted
	at := "HEAD"
	known, err := g.inHead(ctx, b.Path)
	if err != nil {
		return b, err
	}
	if !known {
		out, err := g.read(ctx, "log", "-1", "--format=%H", "--diff-filter=D", "--no-renames", "--all", "--", ":(literal)"+b.Path)
		if err != nil || out.Line() == "" {
			return b, fmt.Errorf("%w: %s, on the disk or in a commit", ErrNoFile, b.Path)
		}
		at = out.Line() + "^"
	}
	text, err := g.read(ctx, "cat-file", "blob", at+":"+b.Path)
	if err != nil {
		return b, err
	}
	if b.Lines = countLines(text.Stdout); b.Lines == 0 {
		return b, nil
	}
	if from, to, err = bounds(from, to, b.Lines); err != nil {
		return b, err
	}
	b.Made, err = g.blame(ctx, at, b.Path, from, to)
	return b, err
}

// inHead reports whether the newest commit or the index has a file.
func (g Git) inHead(ctx context.Context, path string) (bool, error) {
	_, err := g.read(ctx, "cat-file", "-e", "HEAD:"+path)
	if gitcmd.Code(err) > 0 {
		return false, nil
	}
	return err == nil, err
}

func countLines(text []byte) int {
	n := bytes.Count(text, []byte("\n"))
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

func bounds(from, to, lines int) (int, int, error) {
	if from == 0 {
		from = 1
	}
	if to == 0 {
		to = lines
	}
	if from > lines || from > to {
		return 0, 0, fmt.Errorf("%w: it has %d lines, and none from %d to %d", ErrNoFile, lines, from, to)
	}
	return from, min(to, lines), nil
}

// blame asks git, for the file in a commit or, for none, on the disk.
func (g Git) blame(ctx context.Context, at, path string, from, to int) ([]Stretch, error) {
	args := []string{"blame", "--porcelain", "-L", fmt.Sprintf("%d,%d", from, to)}
	if at != "" {
		args = append(args, at)
	}
	out, err := gitcmd.Command{Dir: g.Root, Args: append(args, "--", path), Config: []string{"blame.ignoreRevsFile="}}.Run(ctx)
	if err != nil {
		return nil, fmt.Errorf("git blame %s: %w", path, err)
	}
	return parseBlame(string(out.Stdout))
}

// parseBlame reads git blame --porcelain: for each line "commit old new [count]", facts of the commit where it comes first, and the line
// behind a tab.
func parseBlame(text string) ([]Stretch, error) {
	var out []Stretch
	names := map[string]string{} // of the file, by commit
	var commit string
	var number int
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if content, ok := strings.CutPrefix(line, "\t"); ok {
			sha := commit
			if strings.Trim(commit, "0") == "" {
				sha = ""
			}
			last := len(out) - 1
			if last >= 0 && out[last].Commit == sha && out[last].Path == names[commit] && out[last].To == number-1 {
				out[last].To, out[last].Lines = number, append(out[last].Lines, strings.TrimSuffix(content, "\r"))
				continue
			}
			out = append(out, Stretch{From: number, To: number, Commit: sha, Path: names[commit], Lines: []string{strings.TrimSuffix(content, "\r")}})
			continue
		}
		f := strings.Fields(line)
		switch {
		case len(f) >= 3 && len(f[0]) >= 40 && strings.Trim(f[0], "0123456789abcdef") == "":
			n, err := strconv.Atoi(f[2])
			if err != nil {
				return nil, fmt.Errorf("git blame: cannot read %.80q", line)
			}
			commit, number = f[0], n
		case strings.HasPrefix(line, "filename "):
			names[commit] = strings.TrimPrefix(line, "filename ")
		}
	}
	return out, nil
}
