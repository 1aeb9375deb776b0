package capture

import (
	"errors"
	"fmt"
)

// errPaused says that nothing is read for now, because nothing could be written. It is no fault of the session.
var errPaused = errors.New("capture is paused")

// ErrOff is what Options.Room gives while the person wants nothing to be captured. It is no trouble and is not told.
var ErrOff = errors.New("switched off by the person")

// diskPlace is where a Problem says that there is no room.
const diskPlace = "disk"

// hasRoom is nil when there is room for what is captured. Otherwise capture is paused; the files that wait are found again by
// the next scan.
func (e *Engine) hasRoom() error {
	err := e.o.Room()
	if err == nil {
		if e.troubled(diskPlace) {
			e.fine(diskPlace)
		}
		return nil
	}
	off := errors.Is(err, ErrOff)
	err = fmt.Errorf("%w: %w", errPaused, err)
	if off {
		return err
	}
	if !e.paused(diskPlace) { // told now and then, not once a session
		e.trouble("", diskPlace, err)
	}
	return err
}
