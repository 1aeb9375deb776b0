package daemon

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"runtime"
	"time"

	"dormouse/service/socket"
)

// errDoor says that clients find no way in any more, or that another service could begin on the same state folder.
var errDoor = errors.New("the socket or the lock of the service was deleted")

// errHomeGone says that there is nothing left to serve.
var errHomeGone = errors.New("the state folder was deleted; the service ends")

// lookAtDoor is how often the door is looked at. It is no setting: a clean-up of old files comes once a day at most.
const lookAtDoor = 5 * time.Second

// watchDoor ends this life when the socket or the lock is deleted behind the service's back, so that the next one makes them
// again; and when the whole state folder is, for good. Windows lets nobody delete them.
func (d *Daemon) watchDoor(ctx context.Context) {
	if runtime.GOOS == "windows" {
		return
	}
	dir := d.p.Home.Dir()
	marks := []string{d.p.Home.LockFile(), socket.Path(dir)}
	first := make([]fs.FileInfo, len(marks))
	for i, m := range marks {
		first[i], _ = os.Lstat(m) // nil: gone already
	}
	tick := time.NewTicker(lookAtDoor)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			d.abandon(errHomeGone)
			return
		}
		for i, m := range marks {
			now, err := os.Lstat(m)
			if errors.Is(err, fs.ErrNotExist) || err == nil && (first[i] == nil || !os.SameFile(first[i], now)) {
				d.abandon(errDoor)
				return
			}
		}
	}
}
