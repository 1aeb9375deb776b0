package opencode

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/service/capture/document"
	"dormouse/service/capture/share"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// maxDocument is how long a row may be, and what a message consists of, in bytes.
const maxDocument = 64 << 20

// tree is the tree of JSON files: session/<project>/<session>.json, message/<session>/<message>.json, part/<message>/<part>.json.
type tree struct {
	of   Variant
	root string
	opts transcript.Options
	how  transcript.Settle
	fam  *family // as when the sessions were listed, or the first one was read
	// loose are parts that lie in part/ itself, by their message; nil before they were looked for.
	loose map[string][]part
}

// Close has nothing to close.
func (t *tree) Close() error { return nil }

// List tells of the sessions that have messages.
func (t *tree) List(_ context.Context, use func(transcript.Entry) error) error {
	fam, err := t.family(true)
	if err != nil {
		return err
	}
	t.fam, t.loose = fam, nil
	return fam.list(use)
}

// Read reads one of them.
func (t *tree) Read(ctx context.Context, session string, how transcript.Settle, use func(memory.Node) error) (transcript.Facts, error) {
	if t.fam == nil {
		fam, err := t.family(false)
		if err != nil {
			return transcript.Facts{}, err
		}
		t.fam = fam
	}
	t.how = how
	return tell(ctx, t.of, t, t.fam, session, how, t.opts, use)
}

// family reads what the tree says of its sessions. A session without a document of its own has messages all the same.
func (t *tree) family(versions bool) (*family, error) {
	by := map[string]*about{}
	paths, _ := filepath.Glob(filepath.Join(escaped(t.root), "session", "*", "*.json")) // its only error is of the pattern
	for _, path := range paths {
		if v, ok, _ := t.read(path, transcript.Options{}); ok && v.Get("id").String() != "" {
			s := infoOf(v)
			by[s.id] = s
		}
	}
	dirs, err := entries(filepath.Join(t.root, "message"))
	if err != nil {
		return nil, err
	}
	var all []*about
	for _, d := range dirs {
		if !d.IsDir() {
			continue
		}
		s := by[d.Name()]
		if s == nil {
			s = &about{id: d.Name()}
		}
		if versions {
			if err := t.version(s); err != nil {
				return nil, err
			}
		}
		all = append(all, s)
		delete(by, d.Name())
	}
	for _, s := range by {
		s.version = "0" // no message yet; it may have sub-agents
		all = append(all, s)
	}
	return newFamily(all), nil
}

// version is made of names, sizes and times of the session's files.
func (t *tree) version(s *about) error {
	files, err := entries(filepath.Join(t.root, "message", s.id))
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprint(&b, s.title, s.directory, s.parent, s.revert, s.updated)
	newest := int64(0)
	add := func(f fs.DirEntry) {
		if info, err := f.Info(); err == nil {
			fmt.Fprint(&b, "\x00", info.Name(), info.Size(), info.ModTime().UnixNano())
			s.bytes += info.Size()
			newest = max(newest, info.ModTime().UnixMilli())
		}
	}
	for _, f := range files {
		add(f)
		parts, err := entries(filepath.Join(t.root, "part", strings.TrimSuffix(f.Name(), ".json")))
		if err != nil {
			return err
		}
		for _, p := range parts {
			add(p)
		}
	}
	if s.updated == 0 {
		s.updated = newest
	}
	s.version = digest(b.String())
	return nil
}

// messages reads the messages of a session, in the order of their times.
func (t *tree) messages(ctx context.Context, s *about, use func(*message) error) error {
	dir := filepath.Join(t.root, "message", s.id)
	files, err := entries(dir)
	if err != nil {
		return err
	}
	type dated struct {
		path, id string
		created  int64
	}
	var order []dated
	for _, f := range files {
		path := filepath.Join(dir, f.Name())
		v, ok, err := t.read(path, transcript.Options{Skip: t.opts.Skip})
		if err != nil {
			if err := t.broken(path, f); err != nil {
				return err
			}
		}
		if !ok {
			continue
		}
		order = append(order, dated{path, strings.Clone(first(v.Get("id").String(), strings.TrimSuffix(f.Name(), ".json"))), v.Get("time.created").Int()})
	}
	slices.SortFunc(order, func(a, b dated) int { return cmp.Or(cmp.Compare(a.created, b.created), cmp.Compare(a.id, b.id)) })
	for i, d := range order {
		if err := ctx.Err(); err != nil {
			return err
		}
		v, ok, err := t.read(d.path, t.opts)
		if err != nil || !ok {
			return fmt.Errorf("%s changed while it was read", d.path)
		}
		m := &message{id: d.id, data: v, last: i == len(order)-1, file: d.path, line: i + 1}
		if err := t.parts(m); err != nil {
			return err
		}
		if err := use(m); err != nil {
			return err
		}
	}
	return nil
}

// parts reads the parts of a message, in the order of their names, which are of their times.
func (t *tree) parts(m *message) error {
	dir := filepath.Join(t.root, "part", m.id)
	files, err := entries(dir)
	if err != nil {
		return err
	}
	for _, f := range files {
		path := filepath.Join(dir, f.Name())
		v, ok, err := t.read(path, t.opts)
		if err != nil {
			if err := t.broken(path, f); err != nil {
				return err
			}
		}
		if ok {
			m.add(part{first(v.Get("id").String(), strings.TrimSuffix(f.Name(), ".json")), v}, t.opts)
		}
	}
	for _, p := range t.looseParts(m.id) {
		m.add(p, t.opts)
	}
	return nil
}

// looseParts are parts that lie in no folder of a message.
func (t *tree) looseParts(message string) []part {
	if t.loose == nil {
		t.loose = map[string][]part{}
		paths, _ := filepath.Glob(filepath.Join(escaped(t.root), "part", "*.json"))
		for _, path := range paths {
			if v, ok, _ := t.read(path, t.opts); ok {
				id := v.Get("messageID").String()
				t.loose[id] = append(t.loose[id], part{v.Get("id").String(), v})
			}
		}
	}
	return t.loose[message]
}

// broken is an error for a file that is being written. In a session that is over it is only counted.
func (t *tree) broken(path string, f fs.DirEntry) error {
	if t.how != transcript.Over {
		return fmt.Errorf("%s is no whole JSON document; it is being written or was cut off", path)
	}
	size := int64(0)
	if info, err := f.Info(); err == nil {
		size = info.Size()
	}
	t.opts.Skip(transcript.Skip{Reason: transcript.NotJSON, File: path, Line: 1, Bytes: size})
	return nil
}

// read reads one file. One that is not one whole JSON document is an error; one that cannot be used is counted, and ok is false.
func (t *tree) read(path string, o transcript.Options) (v value, ok bool, err error) {
	in, err := share.Open(path)
	if err != nil {
		return v, false, err
	}
	defer in.Close() //nolint:errcheck // opened for reading
	if info, err := in.Stat(); err == nil && info.Size() > muchOfParts {
		o.Waiting()
	}
	v, ok, err = document.Source{File: path, In: in, Opts: o}.Whole()
	if err == nil && ok && !v.IsObject() {
		err = transcript.ErrNotJSON
	}
	return v, ok && err == nil, err
}

// entries are the files and folders in a folder; none where it is not there.
func entries(dir string) ([]os.DirEntry, error) {
	out, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || err != nil && !isDir(dir) {
		return nil, nil
	}
	return slices.DeleteFunc(out, func(e os.DirEntry) bool {
		return strings.HasPrefix(e.Name(), ".") || !e.IsDir() && filepath.Ext(e.Name()) != ".json"
	}), err
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// escaped is a path as a pattern that means itself.
func escaped(path string) string {
	if strings.ContainsAny(path, `*?[\`) && filepath.Separator == '/' {
		return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
	}
	return path
}
