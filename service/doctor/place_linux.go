package doctor

import "golang.org/x/sys/unix"

// networkKinds are file systems of the network, and the one through which a virtual machine sees its host, by the kernel's numbers. FUSE is
// not among them: most of what is under it is on this machine.
var networkKinds = map[uint32]string{unix.NFS_SUPER_MAGIC: "NFS", unix.SMB_SUPER_MAGIC: "SMB", unix.CIFS_SUPER_MAGIC: "SMB", unix.SMB2_SUPER_MAGIC: "SMB",
	unix.V9FS_MAGIC: "9P, as Windows' disks are under WSL", unix.AFS_SUPER_MAGIC: "AFS", unix.CEPH_SUPER_MAGIC: "Ceph", unix.CODA_SUPER_MAGIC: "Coda"}

// networkDrive names the kind of file system where it is one of the network.
func networkDrive(dir string) string {
	var s unix.Statfs_t
	if unix.Statfs(dir, &s) != nil {
		return ""
	}
	return networkKinds[uint32(s.Type)]
}

// writable reports whether the system lets this user make files in a folder.
func writable(dir string) bool { return unix.Access(dir, unix.W_OK|unix.X_OK) == nil }
