package capture

import "os"

// inode is not known without opening the file; size, time and content tell versions apart.
func inode(os.FileInfo) uint64 { return 0 }
