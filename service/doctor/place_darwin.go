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

// writable reports whether the system lets this user make files in a folder.
func writable(dir string) bool { return unix.Access(dir, unix.W_OK|unix.X_OK) == nil }
