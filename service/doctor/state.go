package doctor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"dormouse/store/home"
	"dormouse/store/index"
	"dormouse/store/process"
)

// Format looks at which version of Dormouse the state folder is of.
func Format(h home.Home) Check {
	return Check{Name: "format", Look: func(context.Context) []Finding {
		n, err := h.FormatOf()
		switch {
		case errors.Is(err, home.ErrNewer):
			return []Finding{failed("start the newer version of Dormouse again, or set "+home.EnvHome+" to another folder", "%s has format %d, and this version knows %d at most: it leaves the folder alone", h.Dir(), n, home.Format)}
		case err != nil:
			return []Finding{failed("write the number of the format into the file again; "+fmt.Sprint(home.Format)+" if this version has used it last", "%v", err)}
		case n == 0:
			return []Finding{fine("new")}
		case n < home.Format:
			return []Finding{fine("%d; the next start brings it to %d, after a copy of what that changes", n, home.Format)}
		}
		return []Finding{fine("%d", n)}
	}}
}

// Permissions looks at whether other users can read what lies in the state folder.
func Permissions(h home.Home) Check {
	return Check{Name: "permissions", Look: func(context.Context) []Finding {
		if runtime.GOOS == "windows" {
			return []Finding{fine("your home folder's own")}
		}
		var open []string
		entries, err := os.ReadDir(h.Dir())
		if errors.Is(err, fs.ErrNotExist) {
			return []Finding{fine("there is nothing yet")}
		}
		if err != nil {
			return []Finding{failed("make the folder readable for you", "%v", err)}
		}
		for _, e := range entries {
			if info, err := e.Info(); err == nil && e.Type()&fs.ModeSymlink == 0 && info.Mode().Perm()&0o077 != 0 {
				open = append(open, filepath.Join(h.Dir(), e.Name()))
			}
		}
		if len(open) == 0 {
			return []Finding{fine("yours alone")}
		}
		return []Finding{warned("chmod go= "+strings.Join(open, " "), "other users can reach into %s", strings.Join(open, ", ")).
			Mend("take group and others out of the permissions of "+strings.Join(open, ", "), func() error { return closeTo(open) })}
	}}
}

// closeTo takes group and others out of the permissions of files.
func closeTo(paths []string) error {
	var errs []error
	for _, p := range paths {
		info, err := os.Lstat(p)
		if err == nil {
			err = os.Chmod(p, info.Mode().Perm()&0o700)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// Door looks at the socket: one that lies there while no service holds the state folder is a ghost's. listener tells which process listens
// at it; 0 for none.
func Door(h home.Home, socket string, listener func(context.Context) int) Check {
	return Check{Name: "socket", Look: func(ctx context.Context) []Finding {
		pid := listener(ctx)
		if pid != 0 && !process.IsOurs(pid) {
			return []Finding{failed("end it ("+process.HowToEnd(pid)+")", "%s listens at %s and is no Dormouse", process.Said(pid), socket)}
		}
		if runtime.GOOS == "windows" {
			return []Finding{fine("a named pipe, which ends with its service")}
		}
		info, err := os.Lstat(socket)
		there := err == nil
		free, err := h.Free()
		switch {
		case err != nil:
			return []Finding{failed("see who holds it", "%v", err)}
		case free && pid != 0:
			return []Finding{failed("end it ("+process.HowToEnd(pid)+"), then start Dormouse again", "%s listens at %s without the lock %s, which somebody may have deleted",
				process.Said(pid), socket, h.LockFile())}
		case !there && free:
			return []Finding{fine("none, since no service runs")}
		case !there && heldByAnother(h) != 0:
			pid := heldByAnother(h)
			return []Finding{failed("end it ("+process.HowToEnd(pid)+")", "%s holds the lock %s and is no Dormouse, so that none can start", process.Said(pid), h.LockFile())}
		case !there:
			return []Finding{warned("wait some seconds, it makes it again; else dormouse service restart", "a service holds the state folder and its socket %s is gone", socket)}
		case !free:
			return []Finding{fine("%s", socket)}
		case info.Mode()&fs.ModeSocket == 0:
			return []Finding{failed("move it away", "%s is no socket, and none can be made there", socket)}
		}
		return []Finding{warned("rm "+socket+"; the next start does it too", "%s was left behind by a service that is gone", socket).
			Mend("remove "+socket, func() error {
				if pid := listener(context.Background()); pid != 0 {
					return fmt.Errorf("%s has begun to listen there", process.Said(pid))
				}
				if free, err := h.Free(); err != nil || !free {
					return errors.Join(err, errors.New("a service has begun meanwhile"))
				}
				return os.Remove(socket)
			})}
	}}
}

// heldByAnother is the process that holds the state folder without being a Dormouse; 0 where none does.
func heldByAnother(h home.Home) int {
	pid, err := h.Holder()
	if err != nil || pid == 0 || process.IsOurs(pid) {
		return 0
	}
	return pid
}

// Disk looks at the room that is left. free tells it; nil asks the system.
func Disk(h home.Home, free func(dir string) (int64, error)) Check {
	if free == nil {
		free = index.FreeBytes
	}
	return Check{Name: "disk", Look: func(context.Context) []Finding {
		n, err := free(h.Dir())
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return []Finding{fine("the state folder is not there yet")}
		case err != nil:
			return []Finding{warned("see whether the disk is there", "how much room is left cannot be told: %v", err)}
		case n < index.NeededBytes:
			return []Finding{failed("make room; nothing is lost, and capture goes on by itself", "the disk is full: %d MB are left, so nothing is captured", n>>20)}
		case n < lowRoom:
			return []Finding{warned("make room before it is full", "%d MB are left on the disk", n>>20)}
		}
		return []Finding{fine("%d MB or more are left", lowRoom>>20)}
	}}
}

// lowRoom is below what the doctor warns.
const lowRoom = 1 << 30

// clockAhead is how far a file may be from the future: clocks of networks and zones differ a little.
const clockAhead = time.Hour

// Clock holds the clock against the times of the files that Dormouse has written itself. It asks no network.
func Clock(h home.Home, now func() time.Time) Check {
	return Check{Name: "clock", Look: func(context.Context) []Finding {
		at := now()
		newest, name := time.Time{}, ""
		logs, _ := filepath.Glob(filepath.Join(h.Memory(), "log", "*", "*.jsonl"))
		for _, path := range append(logs, h.Summary(), filepath.Join(h.Dir(), "llm.json"), h.Said(), h.Log()) {
			if info, err := os.Stat(path); err == nil && info.ModTime().After(newest) {
				newest, name = info.ModTime(), path
			}
		}
		if newest.Sub(at) > clockAhead {
			return []Finding{warned("set the clock, or have the system set it by the network; if it is right now, it was wrong then, and this goes by itself",
				"the clock says %s, and %s was written on %s", at.Format("2006-01-02 15:04"), name, newest.In(at.Location()).Format("2006-01-02 15:04"))}
		}
		return []Finding{fine("%s", at.Format("2006-01-02 15:04 MST"))}
	}}
}

// Index looks at the search index without opening it.
func Index(h home.Home) Check {
	return Check{Name: "index", Look: func(context.Context) []Finding {
		if err := index.Glance(h.Index()); err != nil {
			return []Finding{warned("dormouse service restart; the index is made again out of the sessions, and nothing is lost", "the search index cannot be used: %v", err)}
		}
		return []Finding{fine("%s", h.Index())}
	}}
}

// Log looks at the ends of the newest logs: a torn line is what a crash left.
func Log(h home.Home) Check {
	return Check{Name: "log", Look: func(context.Context) []Finding {
		dirs, _ := filepath.Glob(filepath.Join(h.Memory(), "log", "*"))
		var out []Finding
		n := 0
		for _, dir := range dirs {
			files, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
			if n += len(files); len(files) == 0 {
				continue
			}
			slices.Sort(files)
			last := files[len(files)-1]
			if torn, err := tornEnd(last); err != nil {
				out = append(out, failed("restore it from a backup or another machine: dormouse sync", "%v", err))
			} else if torn {
				out = append(out, warned("dormouse service restart; a whole line is never taken out", "the last line of %s is torn, which a crash leaves behind", last))
			}
		}
		if len(out) == 0 {
			return []Finding{fine("%s", files(n))}
		}
		return out
	}}
}

func files(n int) string {
	if n == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", n)
}

func tornEnd(path string) (bool, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return false, err
	}
	return len(raw) > 0 && !bytes.HasSuffix(raw, []byte("\n")), nil
}
