package osservice

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
)

// Spawn starts a program on its own: it lives on when this one ends, without its terminal. It returns once the program is
// started; whether it comes up is for the caller to see. It is kept running where the program says how (Program.Keep).
func Spawn(p Program) error {
	if err := p.check(); err != nil {
		return err
	}
	words := p.onceStarted()
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Env = os.Environ()
	for k, v := range p.Env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	slices.Sort(cmd.Env[len(os.Environ()):])
	cmd.SysProcAttr = Apart()
	if p.Log != "" {
		log, err := os.OpenFile(p.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return fmt.Errorf("open the log of %s: %w", p.Title, err)
		}
		defer log.Close() //nolint:errcheck // the program has its own handle
		cmd.Stderr = log
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", p.Title, err)
	}
	go cmd.Wait() //nolint:errcheck // only so that no zombie is left
	return nil
}
