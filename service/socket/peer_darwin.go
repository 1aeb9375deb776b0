package socket

import "golang.org/x/sys/unix"

func peerOf(fd int) (uid int, ok bool) {
	cred, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return 0, false
	}
	return int(cred.Uid), true
}
