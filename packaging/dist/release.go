package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// release is one run of dist.
type release struct {
	root    string    // the checkout
	out     string    // the folder that is filled
	work    string    // a temporary folder
	version string    // as semantic versioning writes it
	made    time.Time // of the commit; all files in packages bear it
	say     io.Writer
	quick   bool     // packs loosely and names no licences
	left    []string // what could not be built here, and why
}

// newRelease asks git for what is built, and empties the folder that is filled.
func newRelease(ctx context.Context, root, out, version string, say io.Writer) (*release, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	if out == "" {
		out = filepath.Join(root, "dist")
	}
	if out, err = filepath.Abs(out); err != nil {
		return nil, err
	}
	r := &release{root: root, out: out, say: say}
	seconds, err := r.git(ctx, "log", "-1", "--format=%ct")
	if err != nil {
		return nil, fmt.Errorf("a release is made of a commit: %w", err)
	}
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("the time of the commit: %w", err)
	}
	r.made = time.Unix(n, 0).UTC()
	if r.version = version; version == "" {
		if r.version, err = r.ownVersion(ctx); err != nil {
			return nil, err
		}
	}
	if !semantic.MatchString(r.version) {
		return nil, fmt.Errorf("version %q: write it as 1.2.3 or 1.2.3-rc.1", r.version)
	}
	if err := emptied(r.out); err != nil {
		return nil, err
	}
	r.work, err = os.MkdirTemp("", "dormouse-dist-")
	return r, err
}

var semantic = regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?(\+[0-9A-Za-z.]+)?$`)

func (r *release) close() { _ = os.RemoveAll(r.work) } //nolint:errcheck // a temporary folder

var appVersion = regexp.MustCompile(`(?m)^\s*Version\s*=\s*"([^"]+)"`)

// ownVersion is the version of FyneApp.toml; of a commit that is not tagged with it, a version before it that names the commit.
func (r *release) ownVersion(ctx context.Context) (string, error) {
	text, err := os.ReadFile(filepath.Join(r.root, "FyneApp.toml"))
	if err != nil {
		return "", err
	}
	m := appVersion.FindSubmatch(text)
	if m == nil {
		return "", fmt.Errorf("%s names no Version", filepath.Join(r.root, "FyneApp.toml"))
	}
	version := string(m[1])
	if tags, err := r.git(ctx, "tag", "--points-at", "HEAD"); err == nil {
		for tag := range strings.FieldsSeq(tags) {
			if tag == "v"+version {
				return version, nil
			}
		}
	}
	n, err := r.git(ctx, "rev-list", "--count", "HEAD")
	if err != nil {
		return "", err
	}
	id, err := r.git(ctx, "rev-parse", "--short=10", "HEAD")
	return version + "-dev." + n + ".g" + id, err
}

func (r *release) git(ctx context.Context, args ...string) (string, error) {
	c := exec.CommandContext(ctx, "git", args...)
	c.Dir = r.root
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("git %s in %s: %w", args[0], r.root, withOutput(err))
	}
	return strings.TrimSpace(string(out)), nil
}

// withOutput adds what a command said when it failed.
func withOutput(err error) error {
	if e, ok := err.(*exec.ExitError); ok && len(e.Stderr) > 0 { //nolint:errorlint // as Output gives it
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(string(e.Stderr)))
	}
	return err
}

// ownFiles are what a folder of releases may hold. Others are not ours to remove.
var ownFiles = regexp.MustCompile(`^(dormouse[-_].*|Dormouse-.*|SHA256SUMS(\.asc)?)$`)

// emptied makes the folder, and removes what an earlier run left in it.
func emptied(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	all, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range all {
		if !ownFiles.MatchString(e.Name()) {
			return fmt.Errorf("%s holds %s, which is no release's; choose another folder with -out", dir, e.Name())
		}
	}
	for _, e := range all {
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// leave notes what could not be built here.
func (r *release) leave(what, why string) {
	r.left = append(r.left, what+": "+why)
}

func (r *release) step(format string, args ...any) {
	_, _ = fmt.Fprintf(r.say, format+"\n", args...) // nobody to tell if that fails
}

// command runs a program in the checkout. What it says is told only when it fails.
func (r *release) command(ctx context.Context, env []string, name string, args ...string) error {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = r.root
	c.Env = append(os.Environ(), append(env, "SOURCE_DATE_EPOCH="+strconv.FormatInt(r.made.Unix(), 10))...)
	out, err := c.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}

// all builds the targets and what is made of them.
func (r *release) all(ctx context.Context, targets []target) error {
	r.step("Dormouse %s, commit of %s", r.version, r.made.Format(time.DateTime))
	pages, err := r.pages(ctx)
	if err != nil {
		return err
	}
	for _, t := range targets {
		b, err := r.compile(ctx, t)
		if err != nil {
			return err
		}
		pack := map[string]func(context.Context, built, string) error{"linux": r.linux, "windows": r.windows, "darwin": r.darwin}[t.os]
		if err := pack(ctx, b, pages); err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
		if err := r.bill(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

// sum writes the checksums, signs them, and tells what there is.
func (r *release) sum(strict bool) error {
	all, err := checksums(r.out)
	if err != nil {
		return err
	}
	if err := r.signSums(context.Background()); err != nil {
		return err
	}
	for _, s := range all {
		r.step("%8.1f MB  %s", float64(s.size)/1e6, s.name)
	}
	for _, l := range r.left {
		r.step("left out    %s", l)
	}
	if strict && len(r.left) > 0 {
		return fmt.Errorf("%d things were left out", len(r.left))
	}
	return nil
}
