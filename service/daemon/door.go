package daemon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"time"

	"dormouse/service/socket"
	"dormouse/store/process"
)

// errDoor says that clients find no way in any more, or that another service could begin on the same state folder.
var errDoor = errors.New("the socket or the lock of the service was deleted")

// errHomeGone says that there is nothing left to serve.
var errHomeGone = errors.New("the state folder was deleted or replaced while the service ran, so the service ends")

// lookAtDoor is how often the door is looked at. It is no setting: a clean-up of old files comes once a day at most.
const lookAtDoor = 5 * time.Second

// place is a folder or file as it was at some time.
type place struct {
	path string
	info fs.FileInfo // nil: it was not there
}

func standing(path string) place {
	info, _ := os.Lstat(path)
	return place{path, info}
}

// gone reports whether it is not there any more, or something else is.
func (p place) gone() bool {
	now, err := os.Lstat(p.path)
	return errors.Is(err, fs.ErrNotExist) || err == nil && (p.info == nil || !os.SameFile(p.info, now))
}

// watchDoor ends this life when the socket or the lock is deleted behind the service's back, so that the next one makes them
// again; and when the state folder is, for good. Windows lets nobody delete them.
func (d *Daemon) watchDoor(ctx context.Context, in place) {
	if runtime.GOOS == "windows" {
		return
	}
	door := []place{standing(d.p.Home.LockFile()), standing(socket.Path(d.p.Home.Dir()))}
	tick := time.NewTicker(lookAtDoor)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		switch {
		case in.gone():
			d.abandon(errHomeGone)
			return
		case door[0].gone(), door[1].gone():
			d.abandon(errDoor)
			return
		}
	}
}

// occupied says whose the socket is that another process has, though this one holds the state folder, and what to do about it.
func (d *Daemon) occupied(ctx context.Context, err error) error {
	pid := socket.Holder(ctx, d.p.Home.Dir())
	if !errors.Is(err, socket.ErrInUse) || pid == 0 {
		return err
	}
	who := process.Name(pid) + ", which is no service of Dormouse"
	if process.IsOurs(pid) {
		who = "a service of Dormouse that has lost the state folder's lock, as when somebody deletes what lies in " + d.p.Home.Run()
	}
	return fmt.Errorf("%w: it is %s; end it (%s), then start Dormouse again", err, who, process.HowToEnd(pid))
}
