// Command child is the service as the tests of its parent folder run it: on a state folder and transcripts of their own, with a clock
// that they set. It is part of no product, and never reads the person's own folders.
//
// It prints each stage that it comes to, and "problems" with what status would tell once it is ready, a line each. It ends in order when
// its standard input does.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"dormouse/assets"
	"dormouse/service/client"
	"dormouse/service/config"
	"dormouse/service/daemon"
	"dormouse/service/machine"
	"dormouse/store/home"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	dir, roots := flag.String("home", "", "the state folder"), flag.String("roots", "", "the folder of transcripts, laid out as the samples")
	at := flag.String("at", "", "the time that its clock shows for ever (RFC 3339)")
	night := flag.Bool("night", false, "the person left an hour ago, and no session is idle yet")
	flag.Parse()
	now, err := time.Parse(time.RFC3339, *at)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // until it ends
		stop()
	}()
	p := params(*dir, *roots, now)
	if *night {
		p.Config.Sleep.IdleAfter = config.Duration(24 * time.Hour)
		hour := time.Hour
		p.Machine = func(context.Context) machine.Reading { return machine.Reading{Idle: &hour} }
	}
	p.Report = func(r daemon.Report) {
		fmt.Println(r.Stage)
		if r.Stage == daemon.StageReady {
			go tell(ctx, *dir)
		}
	}
	return daemon.New(p).Run(ctx)
}

func params(dir, roots string, now time.Time) daemon.Params {
	cfg := config.Default()
	cfg.Capture.Agents = []string{"claude-code", "codex"}
	cfg.Capture.Roots = map[string][]string{
		"claude-code": {filepath.Join(roots, filepath.FromSlash(assets.SampleClaude))},
		"codex":       {filepath.Join(roots, filepath.FromSlash(assets.SampleCodex))},
	}
	return daemon.Params{Home: home.At(dir), Config: cfg, Now: func() time.Time { return now }, Env: func(string) string { return "" }}
}

// tell prints the problems that status knows of.
func tell(ctx context.Context, dir string) {
	c := client.New(client.Options{Home: dir, Timeout: time.Minute})
	defer c.Close()
	st, err := c.Status(ctx)
	if err != nil && ctx.Err() == nil {
		st.Problems = append(st.Problems, err.Error())
	}
	fmt.Println("problems", strings.Join(st.Problems, "; "))
}
