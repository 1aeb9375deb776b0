package session

import (
	"fmt"
	"os"
	"testing"

	"dormouse/store/disk"
)

// TestASessionWhoseFolderIsThereCanBeOpenedAtOnce opens new sessions in the moment in which their folders get their place.
func TestASessionWhoseFolderIsThereCanBeOpenedAtOnce(t *testing.T) {
	s := newStore(t)
	for i := range 40 {
		x := ensure(t, s, fmt.Sprint("a", i))
		opened := make(chan error, 1)
		stop := disk.Watch(func(step disk.Step) error {
			if step.Op == "rename" && step.To == x.Dir() {
				go func() {
					for {
						if _, err := os.Stat(x.Dir()); err == nil {
							_, err = s.Open(x.id)
							opened <- err
							return
						}
					}
				}()
			}
			return nil
		})
		add(t, x, true, true, talk(1, 2)...)
		stop()
		if err := <-opened; err != nil {
			t.Fatalf("session %d: %v", i, err)
		}
	}
}
