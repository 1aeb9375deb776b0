//go:build linux || darwin

package session

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// folder is the open folder of all sessions: a file in it is found without walking the whole path again.
type folder struct{ file *os.File }

func openFolder(dir string) folder {
	f, err := os.Open(dir)
	if err != nil {
		return folder{}
	}
	return folder{f}
}

func (f folder) close() {
	if f.file != nil {
		_ = f.file.Close()
	}
}

// stat is the stamp of the meta.json of a session in the folder; nil where there is none.
func (f folder) stat(id string) *stamp {
	if f.file == nil {
		return nil
	}
	var st unix.Stat_t
	for {
		err := unix.Fstatat(int(f.file.Fd()), id+"/"+metaFile, &st, 0)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return nil
		}
		return &stamp{size: st.Size, time: st.Mtim.Nano(), changed: st.Ctim.Nano(), inode: st.Ino}
	}
}

func stampOf(info fs.FileInfo) stamp {
	s := stamp{size: info.Size(), time: info.ModTime().UnixNano()}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		s.changed, s.inode = changedAt(st), st.Ino
	}
	return s
}
