package socket

import "syscall"

func peerOf(fd int) (uid int, ok bool) {
	cred, err := syscall.GetsockoptUcred(fd, syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	if err != nil {
		return 0, false
	}
	return int(cred.Uid), true
}
