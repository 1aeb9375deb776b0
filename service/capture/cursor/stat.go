package cursor

import "os"

// statNewest is the newest time of a database and of its log, in Unix seconds, and their length in bytes.
func statNewest(path string) (n newest, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return n, err
	}
	n = newest{info.ModTime().Unix(), info.Size()}
	if wal, err := os.Stat(path + "-wal"); err == nil {
		n.modified, n.size = max(n.modified, wal.ModTime().Unix()), n.size+wal.Size()
	}
	return n, nil
}
