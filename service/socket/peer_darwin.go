package socket

import "golang.org/x/sys/unix"

func peerOf(fd int) peerProcess {
	cred, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return peerProcess{}
	}
	pid, err := unix.GetsockoptInt(fd, unix.SOL_LOCAL, unix.LOCAL_PEERPID)
	if err != nil {
		pid = 0
	}
	return peerProcess{known: true, uid: int(cred.Uid), pid: pid}
}

// listenerAt finds no process without knocking on this system.
func listenerAt(string) int { return 0 }
