package index

import (
	"io/fs"

	"golang.org/x/sys/windows"
)

// freeBytes is how many bytes this process may still write to the disk with a folder.
func freeBytes(dir string) (int64, error) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, err
	}
	var free uint64
	if err := windows.GetDiskFreeSpaceEx(name, &free, nil, nil); err != nil {
		return 0, err
	}
	return int64(min(free, 1<<62)), nil
}

// allocated is how many bytes a file has on the disk: all of its size, since the database's files have no holes here.
func allocated(info fs.FileInfo) int64 { return info.Size() }
