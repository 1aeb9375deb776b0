package connect

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Apply does what was planned. Before the first change of a file its copy is put beside it; it goes when the hooks are taken
// out. The error wraps ErrChanged when somebody else was faster.
func (p Plan) Apply() error {
	if p.Nothing() {
		return nil
	}
	now, err := os.ReadFile(p.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if !bytes.Equal(now, p.Before) || errors.Is(err, fs.ErrNotExist) != (p.Before == nil) {
		return fmt.Errorf("%s: %w", p.Path, ErrChanged)
	}
	if connecting, err := p.connects(); err != nil {
		return err
	} else if connecting {
		return p.connect()
	}
	return p.disconnect()
}

// connects reports whether the plan puts hooks in.
func (p Plan) connects() (bool, error) {
	if p.After == nil {
		return false, nil
	}
	out, err := p.Agent.takenOut(p.After)
	return err == nil && !bytes.Equal(out, p.After), err
}

func (p Plan) connect() error {
	if err := os.MkdirAll(filepath.Dir(p.Path), 0o700); err != nil {
		return unwritten(p.Path, err)
	}
	if err := p.keep(); err != nil {
		return fmt.Errorf("keep a copy of the settings before they are changed: %w", err)
	}
	return write(p.Path, p.After, p.mode)
}

// keep puts a copy of the file beside it, unless the hooks are in it already: then the copy of an earlier time is the right one, and of a
// file that began with them there is none.
// Of a file that is not there yet, or is Dormouse's own, there is none.
func (p Plan) keep() error {
	if p.Before == nil || p.Agent.Own {
		err := os.Remove(p.Path + keptSuffix)
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return err
	}
	if out, err := p.Agent.takenOut(p.Before); err == nil && !bytes.Equal(out, p.Before) {
		return nil
	}
	return write(p.Path+keptSuffix, p.Before, p.mode)
}

func (p Plan) disconnect() error {
	var err error
	if p.After == nil {
		if err = os.Remove(p.Path); err != nil {
			return unwritten(p.Path, err)
		}
		if p.Agent.Own {
			_ = os.Remove(filepath.Dir(p.Path)) // only where nothing else lies in it
		}
	} else {
		err = write(p.Path, p.After, p.mode)
	}
	if err != nil {
		return err
	}
	if err := os.Remove(p.Path + keptSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the copy of the settings: %w", err)
	}
	return nil
}

// write replaces a file in one step.
func write(path string, text []byte, mode fs.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".tmp-dormouse-*")
	if err != nil {
		return unwritten(path, err)
	}
	_, err = f.Write(text)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return unwritten(path, err)
	}
	return nil
}

// unwritten says which file could not be written, and what helps. The name of the temporary one beside it, which the system's error bears,
// would tell nobody anything.
func unwritten(path string, err error) error {
	var at *fs.PathError
	var to *os.LinkError
	switch {
	case errors.As(err, &at):
		err = at.Err
	case errors.As(err, &to):
		err = to.Err
	}
	return fmt.Errorf("write %s: %w; see that its folder can be written to by you and has room, then try again", path, err)
}
