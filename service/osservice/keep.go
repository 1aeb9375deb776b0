package osservice

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"time"
)

// Keeper starts a program again when it has failed, where the system does not: a desktop and the Run key start a program once.
// It waits as systemd does, see RetryAfter, and ends when the program ended in order or was called wrongly.
type Keeper struct {
	// File says that the keeper is to go on. Removing it ends a keeper that waits within a second, and one whose program runs
	// when that has ended. Its folder must be there.
	File string
	// Life runs the program once and returns its exit code; when ctx ends it asks the program to end. An error means that it
	// could not be started.
	Life func(ctx context.Context) (code int, err error)
	// Told hears why the program is started again; it may be nil.
	Told func(why string, again time.Time)
}

// Exit codes after which a program is not started again: it ended in order, or was called wrongly.
const (
	exitInOrder = 0
	exitUsage   = 2
)

// keepLook is how often a keeper that waits looks whether it is to go on.
const keepLook = time.Second

// kept is what a keeper's file holds, for those who want to know.
type kept struct {
	PID    int       `json:"pid"`
	Failed int       `json:"failed,omitempty"` // how often in a row
	Why    string    `json:"why,omitempty"`
	Again  time.Time `json:"again,omitzero"` // when it is started again
}

// RetryAfter is how long is waited before a program that has failed so many times in a row (1 or more) is started again:
// from firstWait up to lastWait in waitSteps equal factors, as systemd's RestartSteps.
func RetryAfter(failed int) time.Duration {
	step := min(max(failed-1, 0), waitSteps)
	wait := firstWait * math.Pow(float64(lastWait)/firstWait, float64(step)/waitSteps)
	return time.Duration(wait * float64(time.Second))
}

// Run keeps the program running until it ends in order, is called wrongly, the file is gone or another keeper's, or ctx ends.
// It returns the program's last exit code.
func (k Keeper) Run(ctx context.Context) (int, error) {
	mine := kept{PID: os.Getpid()}
	if err := k.write(mine); err != nil {
		return 0, err
	}
	defer k.drop(mine.PID)
	for {
		begun := time.Now()
		code, err := k.Life(ctx)
		if ctx.Err() != nil || err == nil && (code == exitInOrder || code == exitUsage) {
			return code, err
		}
		if time.Since(begun) > lastWait*time.Second {
			mine.Failed = 0 // it ran well for a while
		}
		mine.Failed++
		mine.Why = fmt.Sprintf("it ended with exit code %d", code)
		if err != nil {
			mine.Why = err.Error()
		}
		mine.Again = time.Now().Add(RetryAfter(mine.Failed))
		if !k.goesOn(mine.PID) {
			return code, err
		}
		if err := k.write(mine); err != nil {
			return code, err
		}
		if k.Told != nil {
			k.Told(mine.Why, mine.Again)
		}
		if !k.wait(ctx, mine) {
			return code, err
		}
	}
}

// wait returns true when the time has come.
func (k Keeper) wait(ctx context.Context, mine kept) bool {
	look := time.NewTicker(keepLook)
	defer look.Stop()
	for time.Until(mine.Again) > 0 {
		select {
		case <-ctx.Done():
			return false
		case <-look.C:
			if !k.goesOn(mine.PID) {
				return false
			}
		}
	}
	return true
}

func (k Keeper) write(x kept) error {
	b, err := json.Marshal(x)
	if err == nil {
		err = os.WriteFile(k.File, append(b, '\n'), 0o600)
	}
	if err != nil {
		return fmt.Errorf("note that the program is to be kept running: %w", err)
	}
	return nil
}

// goesOn reports whether the file is there and this keeper's.
func (k Keeper) goesOn(pid int) bool {
	x, err := readKept(k.File)
	return err == nil && x.PID == pid
}

// drop removes the file unless another keeper has written it anew.
func (k Keeper) drop(pid int) {
	if k.goesOn(pid) {
		_ = os.Remove(k.File) // one that stays says no more than that of a keeper that was killed
	}
}

func readKept(file string) (x kept, err error) {
	b, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(b, &x)
	}
	return x, err
}

// letGo ends the keeper of a file, when there is one.
func letGo(file string) error {
	if file == "" {
		return nil
	}
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("end what keeps the program running: %w", err)
	}
	return nil
}

// keeping is the state of a program that does not run: a keeper may be about to start it again.
func keeping(file string, now time.Time) (State, string) {
	x, err := readKept(file)
	if file == "" || err != nil || x.Failed == 0 || now.After(x.Again.Add(2*keepLook)) {
		return Stopped, ""
	}
	often := "failed once"
	if x.Failed > 1 {
		often = fmt.Sprintf("failed %d times in a row", x.Failed)
	}
	return Starting, fmt.Sprintf("%s; is started again at %s: %s", often, x.Again.Local().Format(time.TimeOnly), x.Why)
}
