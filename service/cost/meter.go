package cost

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"dormouse/store/disk"
	"dormouse/store/home"
)

// Bounds of what the meter keeps. A month whose file is longer than foldAt has the calls of a day that are alike summed up.
const (
	foldAt    = 1 << 20 // bytes
	maxMonths = 36      // files; older ones are deleted
	maxModels = 50      // of a day that are told apart in a sum
)

// Meter keeps entries in a folder, one file a month. Its methods may be called from several goroutines.
type Meter struct {
	dir string

	mu   sync.Mutex
	torn map[string]bool // files whose last line may not be whole; nil where none was looked at
	size int64           // of the file that was written last
}

// At is the meter in a folder, which is made with the first entry.
func At(dir string) *Meter { return &Meter{dir: dir, torn: map[string]bool{}} }

// Append writes an entry down for good. After an error it is not there, or its torn line counts as none.
func (m *Meter) Append(e Entry) error {
	month := Month(e.Day)
	if month == "" {
		return fmt.Errorf("meter a call: %q is no day", e.Day)
	}
	line, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("meter a call: %w", err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.append(m.file(month), append(line, '\n')); err != nil {
		return fmt.Errorf("meter a call: %w", err)
	}
	return nil
}

func (m *Meter) append(path string, line []byte) error {
	if err := home.Mkdir(m.dir); err != nil {
		return err
	}
	_, err := os.Lstat(path)
	fresh := errors.Is(err, fs.ErrNotExist)
	if torn, looked := m.torn[path]; torn || !looked {
		if err := cutTail(path); err != nil {
			return err
		}
	}
	m.torn[path] = true // until the line is written whole
	f, err := disk.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, home.FileMode)
	if err != nil {
		return err
	}
	_, err = f.Write(line)
	if err == nil {
		err = f.Sync()
	}
	if info, e := f.Stat(); e == nil {
		m.size = info.Size()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	m.torn[path] = false
	if fresh {
		return disk.SyncDir(m.dir)
	}
	return nil
}

// cutTail takes a last line that is not whole out of a file: a crash has left it, and its call is not in the meter yet.
func cutTail(path string) error {
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if keep := bytes.LastIndexByte(raw, '\n') + 1; keep < len(raw) {
		return disk.Truncate(path, int64(keep))
	}
	return nil
}

// Found are the entries that were read, and how many lines could not be.
type Found struct {
	Entries []Entry
	Damaged int // lines
}

// Read gives the entries of the days from one to another, in the order in which they were written; empty bounds nothing.
func (m *Meter) Read(from, to string) (Found, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out Found
	files, err := m.files()
	if err != nil {
		return out, err
	}
	for _, path := range files {
		month := monthOf(path)
		if from != "" && month < Month(from) || to != "" && month > Month(to) {
			continue
		}
		entries, damaged, err := read(path)
		if err != nil {
			return out, err
		}
		out.Damaged += damaged
		for _, e := range entries {
			if (from == "" || e.Day >= from) && (to == "" || e.Day <= to) {
				out.Entries = append(out.Entries, e)
			}
		}
	}
	return out, nil
}

// Find looks for the entries of calls.
func (m *Meter) Find(ids []string) (map[string]Entry, error) {
	all, err := m.Read("", "")
	if err != nil {
		return nil, err
	}
	out := map[string]Entry{}
	for _, e := range all.Entries {
		if e.ID != "" && slices.Contains(ids, e.ID) {
			out[e.ID] = e
		}
	}
	return out, nil
}

// Long reports whether the file that was written last wants to be folded.
func (m *Meter) Long() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.size > foldAt
}

// Fold sums up the calls of a day that are alike, in files that have grown long, and deletes the oldest months beyond the bound. No sum
// changes. What Find may still be asked for must not be folded.
func (m *Meter) Fold() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	files, err := m.files()
	if err != nil {
		return err
	}
	if err := home.RemoveTemps(m.dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for i, path := range files {
		if i < len(files)-maxMonths {
			if err := disk.Remove(path); err != nil {
				return fmt.Errorf("delete what calls took long ago: %w", err)
			}
			continue
		}
		if info, err := os.Stat(path); err != nil || info.Size() <= foldAt {
			continue
		}
		entries, damaged, err := read(path)
		if err != nil || damaged > 0 { // a damaged line stays where a person can look at it
			continue
		}
		if err := home.WriteFile(path, encode(fold(entries))); err != nil {
			return fmt.Errorf("sum up what calls took: %w", err)
		}
	}
	m.size = 0
	return nil
}

// fold sums up the entries of a day that are alike.
func fold(entries []Entry) []Entry {
	at := map[Entry]int{}
	models := map[string]map[string]bool{} // by day
	var out []Entry
	for _, e := range entries {
		if models[e.Day] == nil {
			models[e.Day] = map[string]bool{}
		}
		if m := models[e.Day]; !m[e.Model] && len(m) >= maxModels {
			e.Model = "other models"
		} else {
			m[e.Model] = true
		}
		key := Entry{Day: e.Day, Provider: e.Provider, Model: e.Model, Purpose: e.Purpose, Estimated: e.Estimated}
		i, ok := at[key]
		if !ok {
			at[key] = len(out)
			e.ID = ""
			out = append(out, e)
			continue
		}
		out[i].Usage, out[i].At = out[i].Plus(e.Usage), max(out[i].At, e.At)
	}
	return out
}

func encode(entries []Entry) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	for _, e := range entries {
		_ = enc.Encode(e) // it is made of texts and numbers
	}
	return b.Bytes()
}

// read gives a file's entries. Lines that are none are counted; a last one without its end is none yet.
func read(path string) (out []Entry, damaged int, err error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, 0, fmt.Errorf("read what calls took: %w", err)
	}
	raw = raw[:bytes.LastIndexByte(raw, '\n')+1]
	for line := range bytes.Lines(raw) {
		var e Entry
		if json.Unmarshal(line, &e) != nil || Month(e.Day) == "" {
			damaged++
			continue
		}
		out = append(out, e)
	}
	return out, damaged, nil
}

func (m *Meter) file(month string) string { return filepath.Join(m.dir, month+".jsonl") }

var monthFile = regexp.MustCompile(`^\d{4}-\d{2}\.jsonl$`)

func monthOf(path string) string { return strings.TrimSuffix(filepath.Base(path), ".jsonl") }

// files are those of all months, oldest first.
func (m *Meter) files() (out []string, err error) {
	entries, err := os.ReadDir(m.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read what calls took: %w", err)
	}
	for _, e := range entries {
		if monthFile.MatchString(e.Name()) {
			out = append(out, filepath.Join(m.dir, e.Name()))
		}
	}
	return out, nil
}
