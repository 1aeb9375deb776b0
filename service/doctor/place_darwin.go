package doctor

import "golang.org/x/sys/unix"

// networkDrive names the kind of file system where it is not one of this machine.
func networkDrive(dir string) string {
	var s unix.Statfs_t
	if unix.Statfs(dir, &s) != nil || s.Flags&unix.MNT_LOCAL != 0 {
		return ""
	}
	return unix.ByteSliceToString(s.Fstypename[:])
}
