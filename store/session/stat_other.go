//go:build !linux && !darwin

package session

import (
	"io/fs"
	"path/filepath"
)

// folder is the folder of all sessions.
type folder struct{ dir string }

func openFolder(dir string) folder { return folder{dir} }

func (folder) close() {}

// stat is the stamp of the meta.json of a session in the folder; nil where there is none.
func (f folder) stat(id string) *stamp { return statMeta(filepath.Join(f.dir, id)) }

func stampOf(info fs.FileInfo) stamp {
	return stamp{size: info.Size(), time: info.ModTime().UnixNano()}
}
