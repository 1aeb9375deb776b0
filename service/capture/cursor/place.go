package cursor

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	"dormouse/service/capture/share"
	"dormouse/service/capture/sqlite"
	"github.com/tidwall/gjson"
)

// place is the folder of a conversation as the workspaces tell: each has a database that lists its conversations, and a file that names
// its folder. It is empty where none does.
func (x *state) place(ctx context.Context, id string) string {
	if x.places == nil {
		x.places = map[string]string{}
		if filepath.Base(filepath.Dir(x.path)) != "globalStorage" {
			x.places[""] = folderOf(filepath.Dir(x.path))
		} else {
			dbs, _ := filepath.Glob(filepath.Join(filepath.Dir(filepath.Dir(x.path)), "workspaceStorage", "*", "state.vscdb"))
			for _, db := range dbs {
				x.workspace(ctx, db)
			}
		}
	}
	return first(x.places[id], x.places[""])
}

// workspace notes the conversations of a workspace. One that cannot be read only leaves its conversations without a folder.
func (x *state) workspace(ctx context.Context, path string) {
	dir := folderOf(filepath.Dir(path))
	if dir == "" {
		return
	}
	_ = sqlite.Read(ctx, path, func(db *sqlite.DB) error {
		return db.Query(ctx, func(r sqlite.Row) error {
			gjson.Get(r.Text(0), "allComposers").ForEach(func(_, c value) bool {
				x.places[c.Get("composerId").String()] = dir
				return true
			})
			gjson.Get(r.Text(0), "selectedComposerIds").ForEach(func(_, c value) bool {
				x.places[c.String()] = dir
				return true
			})
			return nil
		}, "SELECT CAST(value AS TEXT) FROM ItemTable WHERE key = ? AND octet_length(value) < 16777216", oldComposers)
	})
}

// folderOf is the folder that a workspace is about.
func folderOf(dir string) string {
	in, err := share.Open(filepath.Join(dir, "workspace.json"))
	if err != nil {
		return ""
	}
	defer in.Close() //nolint:errcheck // opened for reading
	b, err := io.ReadAll(io.LimitReader(in, 64<<10))
	if err != nil {
		return ""
	}
	return strings.TrimRight(fromURI(gjson.GetBytes(b, "folder").String()), "/")
}
