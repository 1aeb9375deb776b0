package openprogram

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"dormouse/service/capture/document"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// library is a state folder, or a part of it.
type library struct {
	path string
	opts transcript.Options
	// found are the folders of each session, the one that changed last first, as the newest listing found them.
	found map[string][]folder
}

// folder is the folder of a session.
type folder struct {
	dir     string
	meta    gjson.Result
	cwd     string
	version string
	updated int64 // Unix seconds
	bytes   int64
}

// file is the file of a node.
type file struct {
	path   string
	number int
	id     string // as its name says
	info   fs.FileInfo
}

// Close has nothing to close.
func (l *library) Close() error { return nil }

// List tells of the sessions.
func (l *library) List(ctx context.Context, use func(transcript.Entry) error) error {
	if err := l.look(ctx, l.opts.Skip); err != nil {
		return err
	}
	ids := make([]string, 0, len(l.found))
	for id := range l.found {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		e := transcript.Entry{Session: id}
		for _, f := range l.found[id] {
			e.Version += f.version
			e.Updated, e.Bytes = max(e.Updated, f.updated), e.Bytes+f.bytes
		}
		if err := use(e); err != nil {
			return err
		}
	}
	return nil
}

// Read reads a session. Where several folders say that they are it, as copies do, they are read one after the other.
func (l *library) Read(ctx context.Context, id string, how transcript.Settle, use func(memory.Node) error) (transcript.Facts, error) {
	if l.found == nil {
		if err := l.look(ctx, func(transcript.Skip) {}); err != nil {
			return transcript.Facts{}, err
		}
	}
	folders := l.found[id]
	if len(folders) == 0 {
		return transcript.Facts{}, fmt.Errorf("session %s is not in %s any more", id, l.path)
	}
	if strings.HasPrefix(id, pagePrefix) {
		return l.page(id, &folders[0], use)
	}
	t := newTeller(id, how, l.opts, use)
	for i := len(folders) - 1; i >= 0; i-- { // the newest last: its end is the session's
		if err := t.folder(ctx, &folders[i]); err != nil {
			return t.b.Facts, err
		}
	}
	return t.end()
}

// look finds the sessions.
func (l *library) look(ctx context.Context, skip func(transcript.Skip)) error {
	dirs, err := l.folders()
	if err != nil {
		return fmt.Errorf("list the sessions of OpenProgram: %w", err)
	}
	found := map[string][]folder{}
	for _, dir := range dirs {
		if err := ctx.Err(); err != nil {
			return err
		}
		id, f, ok := about(dir, skip)
		if ok {
			found[id] = append(found[id], f)
		}
	}
	for _, all := range found {
		slices.SortFunc(all, func(a, b folder) int { return cmp.Or(cmp.Compare(b.updated, a.updated), cmp.Compare(a.dir, b.dir)) })
	}
	l.found = found
	return l.lookForPages(ctx, found)
}

// folders are the folders that may be sessions: this one, those in it, in its folder of sessions, in the project that it is, and
// those in projects that its locations name.
func (l *library) folders() ([]string, error) {
	if isFolder(filepath.Join(l.path, historyFolder)) {
		return []string{l.path}, nil
	}
	if _, err := os.Stat(l.path); err != nil {
		return nil, err
	}
	var out []string
	for _, root := range []string{l.path, filepath.Join(l.path, sessionsFolder), filepath.Join(l.path, stateName, sessionsFolder)} {
		entries, err := os.ReadDir(root)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, e := range entries {
			if dir := filepath.Join(root, e.Name()); isFolder(filepath.Join(dir, historyFolder)) {
				out = append(out, dir)
			}
		}
		for _, dir := range locations(root) {
			switch {
			case slices.Contains(out, dir):
			case isFolder(dir):
				out = append(out, dir)
			default:
				l.opts.Skip(transcript.Skip{Reason: "session in a project's folder that is not there", File: dir, Line: 1})
			}
		}
	}
	return out, nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// about looks at a folder without reading its nodes. ok is false where it is no session: it has neither nodes nor a meta.json.
func about(dir string, skip func(transcript.Skip)) (id string, f folder, ok bool) {
	files, odd, err := nodeFiles(dir)
	if err != nil {
		skip(transcript.Skip{Reason: "folder that cannot be read", File: dir, Line: 1})
		return "", f, false
	}
	for _, path := range odd {
		skip(transcript.Skip{Reason: "file among the nodes that is not named as one", File: path, Line: 1})
	}
	id, f = filepath.Base(dir), folder{dir: dir}
	sum := sha256.New()
	for _, n := range files {
		fmt.Fprintf(sum, "%s %s\n", filepath.Base(n.path), document.Version(n.info))
		f.bytes += n.info.Size()
		f.updated = max(f.updated, n.info.ModTime().Unix())
	}
	path := filepath.Join(dir, metaName)
	if info, err := os.Stat(path); err == nil {
		fmt.Fprintf(sum, "%s\n", document.Version(info))
		if raw := small(path); gjson.ValidBytes(raw) && gjson.ParseBytes(raw).IsObject() {
			f.meta = gjson.ParseBytes(raw)
		} else {
			skip(transcript.Skip{Reason: transcript.NotJSON, File: path, Line: 1, Bytes: info.Size()})
		}
	}
	if len(files) == 0 {
		return "", f, false
	}
	if t := seconds(f.meta.Get("updated_at")); t > 0 {
		f.updated = t
	}
	if s := f.meta.Get("id").String(); s != "" {
		id = s
	}
	f.version = hex.EncodeToString(sum.Sum(nil)[:12])
	f.cwd = workFolder(dir, f.meta)
	return id, f, true
}

// workFolder is the folder that the session works in: its own setting, the project that it lies in, or the one that it is bound to.
func workFolder(dir string, meta gjson.Result) string {
	if s := meta.Get("work_dir").String(); s != "" {
		return s
	}
	root := filepath.Dir(dir)
	state := filepath.Dir(root)
	if filepath.Base(root) != sessionsFolder {
		return ""
	}
	id := meta.Get("project_id").String()
	registry := gjson.ParseBytes(small(filepath.Join(state, "projects", "projects.json")))
	if !registry.Exists() && filepath.Base(state) == stateName {
		return filepath.Dir(state) // a project's own folder of sessions
	}
	var path string
	registry.ForEach(func(key, p gjson.Result) bool {
		if id != "" && (key.String() == id || p.Get("id").String() == id) && !p.Get("is_default").Bool() {
			path = p.Get("path").String()
		}
		return path == ""
	})
	return strings.Clone(path)
}

// nodeFiles are the files of a session's nodes, in their order, and the paths of others among them. Those that are being written are
// neither.
func nodeFiles(dir string) (out []file, odd []string, err error) {
	entries, err := os.ReadDir(filepath.Join(dir, historyFolder))
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return nil, nil, err
	}
	for _, e := range entries {
		m := nodeFile.FindStringSubmatch(e.Name())
		if m == nil {
			if !strings.HasPrefix(e.Name(), ".") && !strings.HasSuffix(e.Name(), ".tmp") {
				odd = append(odd, filepath.Join(dir, historyFolder, e.Name()))
			}
			continue
		}
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue // it went away, or is none
		}
		number, _ := strconv.Atoi(m[1]) // a number too large to be one is last
		out = append(out, file{path: filepath.Join(dir, historyFolder, e.Name()), number: number, id: m[3], info: info})
	}
	slices.SortStableFunc(out, func(a, b file) int { return cmp.Compare(a.number, b.number) })
	return out, odd, nil
}
