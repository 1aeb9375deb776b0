package connect

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/aymanbagabas/go-udiff"
)

// ErrChanged says that a file was changed between the plan and its execution.
var ErrChanged = errors.New("the file was changed meanwhile; nothing was written, try again")

// keptSuffix ends the name of the copy that lies beside a file while the hooks are in it.
const keptSuffix = ".before-dormouse"

// Plan is what is going to be done to one agent's file. A plan whose two texts are equal does nothing.
type Plan struct {
	Agent  Agent
	Path   string // of the file; where a link was named, of what it leads to
	Before []byte // nil where there is no file
	After  []byte // nil where there is to be none
	mode   fs.FileMode
	kept   []byte // the copy beside the file; nil where there is none
}

// Nothing reports whether there is nothing to do.
func (p Plan) Nothing() bool {
	return bytes.Equal(p.Before, p.After) && (p.Before == nil) == (p.After == nil)
}

// Diff is the plan as a unified diff.
func (p Plan) Diff() string {
	from, to := p.Path, p.Path
	if p.Before == nil {
		from = "/dev/null"
	}
	if p.After == nil {
		to = "/dev/null"
	}
	return udiff.Unified(from, to, string(p.Before), string(p.After))
}

// Installed reports whether the agent is on this machine, by the folder of its settings.
func (a Agent) Installed(env func(string) string, home string) bool {
	dir := a.Folder(env, home)
	if dir == "" {
		return false
	}
	info, err := os.Stat(dir)
	return err == nil && info.IsDir()
}

// Connected reports whether all hooks are in the agent's file with this binary. Hooks of another binary count as missing.
func (a Agent) Connected(env func(string) string, home, hook string) (bool, error) {
	p, err := a.Connect(env, home, hook)
	return err == nil && p.Nothing(), err
}

// Connect plans to put the hooks into the agent's file. hook is the absolute path of dormouse-hook.
func (a Agent) Connect(env func(string) string, home, hook string) (Plan, error) {
	p, err := a.open(env, home)
	if err != nil {
		return p, err
	}
	if p.After, err = a.with(p.Before, hook); err != nil {
		return p, unreadable(p.Path, err)
	}
	return p, nil
}

// Disconnect plans to take the hooks out again: the copy that was kept is put back if the file is as it was left, else the hooks
// alone are taken out of it.
func (a Agent) Disconnect(env func(string) string, home string) (Plan, error) {
	p, err := a.open(env, home)
	if err != nil || p.Before == nil {
		return p, err
	}
	if p.After, err = a.takenOut(p.Before); err != nil {
		return p, unreadable(p.Path, err)
	}
	if p.kept != nil && a.leftAlone(p.kept, p.After) {
		p.After = p.kept
	}
	return p.gone(), nil
}

// leftAlone reports whether a text without the hooks is what the copy would be if the hooks had come and gone: then nobody
// touched the file in between. Where the binary lay does not matter.
func (a Agent) leftAlone(kept, without []byte) bool {
	in, err := a.with(kept, "dormouse-hook")
	if err != nil {
		return false
	}
	out, err := a.takenOut(in)
	return err == nil && bytes.Equal(out, without)
}

// gone makes the file go that Dormouse began: there is no copy of an earlier one, and nothing is left in it.
func (p Plan) gone() Plan {
	empty, err := p.Agent.empty(p.After)
	if !p.Nothing() && err == nil && empty && p.kept == nil {
		p.After = nil
	}
	return p
}

// empty reports whether a text says no more than a new file does before the hooks are in it.
func (a Agent) empty(text []byte) (bool, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return true, nil
	}
	if a.plugin != nil || a.entry != nil && a.entry.toml {
		return false, nil
	}
	root, err := document{text}.parse()
	if err != nil {
		return false, err
	}
	return len(spanOf(&root).items) <= len(a.shape.first), nil
}

func unreadable(path string, err error) error {
	return fmt.Errorf("%s cannot be read as the settings that it should be, and is left as it is; mend it and try again: %w", path, err)
}

// open reads what there is.
func (a Agent) open(env func(string) string, home string) (Plan, error) {
	dir := a.Folder(env, home)
	if dir == "" {
		return Plan{}, fmt.Errorf("there is no home folder to look for the settings of %s in", a.Name)
	}
	p := Plan{Agent: a, Path: filepath.Join(dir, a.File), mode: 0o600}
	p.Path = behind(p.Path)
	info, err := os.Stat(p.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err != nil {
		return p, fmt.Errorf("look at the settings of %s: %w", a.Name, err)
	}
	p.mode = info.Mode().Perm()
	if p.Before, err = os.ReadFile(p.Path); err != nil {
		return p, fmt.Errorf("read the settings of %s: %w", a.Name, err)
	}
	p.Before = append([]byte{}, p.Before...) // an empty file is not nil
	if p.kept, err = os.ReadFile(p.Path + keptSuffix); err == nil {
		p.kept = append([]byte{}, p.kept...)
	}
	return p, nil
}

// maxLinks is how many links in a row are followed.
const maxLinks = 40

// behind is where a path leads, through links, also where nothing lies there yet: what is written there does not replace the link.
func behind(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	for range maxLinks {
		to, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return path
}
