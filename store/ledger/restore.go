package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"dormouse/store/disk"
	"dormouse/store/home"
)

// restore compares the logs with what was committed. A log only ever grows, and of a line only the body may be erased; a file
// that is neither what was committed nor goes on from it was damaged or tampered with, and is written again from the commit.
// What is not committed as it is, is noted.
func (l *Ledger) restore() error {
	if l.o.Committed == nil {
		return l.noteLoose(nil)
	}
	files, err := l.o.Committed()
	if err != nil {
		return fmt.Errorf("compare the logs with the memory repository: %w", err)
	}
	gone, err := erasuresIn(l.o.Dir)
	if err != nil {
		return err
	}
	same := map[string]bool{}
	for _, f := range files {
		if same[f.Path], err = l.restoreFile(f, gone); err != nil {
			return err
		}
	}
	return l.noteLoose(same)
}

// restoreFile brings one file back if need be. same reports whether it is now what was committed.
func (l *Ledger) restoreFile(f Committed, gone Erasures) (same bool, err error) {
	path := filepath.Join(l.o.Dir, filepath.FromSlash(f.Path))
	disk, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return false, fmt.Errorf("read log: %w", err)
	}
	lost := err != nil
	if !lost && f.Same(disk) {
		return true, nil
	}
	want, err := f.Read()
	if err != nil {
		l.problems = append(l.problems, fmt.Sprintf("%s: it cannot be compared with what was committed: %v", path, err))
		return false, nil
	}
	if !lost {
		if _, ok := goesOn(want, disk, gone); ok {
			return false, nil
		}
	}
	copied, err := l.keepAside(path, disk)
	if err != nil {
		return false, err
	}
	if err := home.Mkdir(filepath.Dir(path)); err != nil {
		return false, err
	}
	if err := home.WriteFile(path, want); err != nil {
		return false, fmt.Errorf("bring back the log: %w", err)
	}
	l.problems = append(l.problems, fmt.Sprintf("%s: it was cut, changed or deleted; it was brought back from the memory repository%s", path, copied))
	return true, nil
}

// goesOn reports whether a log begins with what was committed, apart from bodies that a decision erased, and if not, from which
// line on it does not.
func goesOn(committed, disk []byte, gone Erasures) (from int, ok bool) {
	if bytes.HasPrefix(disk, committed) {
		return 0, true
	}
	for n := 1; len(committed) > 0; n++ {
		want, rest, _ := bytes.Cut(committed, []byte("\n"))
		got, more, whole := bytes.Cut(disk, []byte("\n"))
		if !whole || !bytes.Equal(want, got) && !erased(want, got, gone) {
			return n, false
		}
		committed, disk = rest, more
	}
	return 0, true
}

// erased reports whether a line is another one without its body, which a decision erased.
func erased(before, now []byte, gone Erasures) bool {
	h, err := lineHash(before)
	if err != nil {
		return false
	}
	same, err := lineHash(now)
	var head head
	return err == nil && same == h && json.Unmarshal(now, &head) == nil && gone.covers(&head) && checkErased(now) == nil
}

// keepAside copies damaged bytes to where a person can look at them, and says where that is.
func (l *Ledger) keepAside(path string, data []byte) (told string, err error) {
	if l.o.Aside == "" || len(data) == 0 {
		return "", nil
	}
	if err := home.Mkdir(l.o.Aside); err != nil {
		return "", err
	}
	for n := 1; ; n++ {
		to := filepath.Join(l.o.Aside, fmt.Sprintf("%s-%s.%d", filepath.Base(filepath.Dir(path)), filepath.Base(path), n))
		if _, err := os.Lstat(to); errors.Is(err, os.ErrNotExist) {
			return "; what was there is in " + to, home.WriteFile(to, data)
		}
	}
}

// noteLoose lists the log files that are not committed as they are.
func (l *Ledger) noteLoose(same map[string]bool) error {
	machines, err := os.ReadDir(filepath.Join(l.o.Dir, "log"))
	if err != nil {
		return fmt.Errorf("list logs: %w", err)
	}
	for _, m := range machines {
		files, err := logFiles(l.logDir(m.Name()))
		if err != nil && m.IsDir() {
			return err
		}
		for _, f := range files {
			if name := "log/" + m.Name() + "/" + f.String(); !same[name] {
				l.loose = append(l.loose, name)
			}
		}
	}
	return nil
}

// cutDamage takes lines off the end of the own log's newest file that are torn or cannot be read: they were never acknowledged,
// or are no longer what was.
func (l *Ledger) cutDamage(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read log: %w", err)
	}
	end := bytes.LastIndexByte(data, '\n') + 1
	torn := len(data) - end
	for end > 0 {
		line := data[bytes.LastIndexByte(data[:end-1], '\n')+1 : end]
		if len(bytes.TrimSpace(line)) > 0 {
			if _, err := lineHash(line); err == nil {
				break
			}
		}
		end -= len(line)
	}
	cut := len(data) - end
	if cut == 0 {
		return nil
	}
	what, copied := fmt.Sprintf("a torn last line of %d bytes was", cut), ""
	if cut > torn {
		what = fmt.Sprintf("%d bytes at the end that cannot be read were", cut)
		if copied, err = l.keepAside(path, data); err != nil {
			return err
		}
	}
	if err := disk.Truncate(path, int64(end)); err != nil {
		return fmt.Errorf("repair the end of %s: %w", path, err)
	}
	l.problems = append(l.problems, fmt.Sprintf("%s: %s cut off%s; the work is repeated", path, what, copied))
	return nil
}
