package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"dormouse/service/distill"
	"dormouse/store/ledger"
	"dormouse/store/memory"
)

// idleSessions are distilled one by one after all others.
const idleSessions = 5

// scaled distils many sessions that are made of few, with a log of its own in a temporary folder, then some that went idle one by
// one, and opens the log anew.
func scaled(many *repeated) (fig distillFigures, err error) {
	home, err := os.MkdirTemp("", "dormouse-bench-")
	if err != nil {
		return fig, fmt.Errorf("make a folder for the log: %w", err)
	}
	defer os.RemoveAll(home) //nolint:errcheck // a temporary folder
	if err := distilMany(home, many, &fig); err != nil {
		return fig, err
	}
	debug.FreeOSMemory()
	return fig, openMany(home, &fig)
}

func distilMany(home string, many *repeated, fig *distillFigures) error {
	log := ledger.New(ledger.Options{Dir: home, Machine: "bench", Now: time.Now})
	if err := log.Open(); err != nil {
		return err
	}
	debug.FreeOSMemory()
	var all []string
	for i := range many.from[:len(many.from)-idleSessions] {
		all = append(all, many.meta(i).ID)
	}
	fig.Sessions, fig.BeforeMB = len(all), privateMB()
	peak, began := watchMemory(), cpuSeconds()
	one := distill.New(distill.Options{Sessions: many, Log: log})
	res, err := one.Run(context.Background(), all, "manual")
	fig.CPUSeconds, fig.PrivateMB, fig.Nodes = cpuSeconds()-began-many.spent, peak(), res.Counts.Nodes
	if err != nil {
		return err
	}
	log.Read(func(s *memory.State) {
		fig.Records, fig.Entities, fig.Edges = len(s.Events), len(s.Entities), len(s.Edges)
	})
	for i := range idleSessions {
		made, began := many.spent, cpuSeconds()
		if _, err := one.Run(context.Background(), []string{many.meta(len(all) + i).ID}, "light"); err != nil {
			return err
		}
		fig.IdleSeconds = max(fig.IdleSeconds, cpuSeconds()-began-(many.spent-made))
	}
	return nil
}

// openMany opens the log, as each start of the service does.
func openMany(home string, fig *distillFigures) error {
	size := int64(0)
	err := filepath.WalkDir(home, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	fig.LogMB = float64(size) / 1e6
	peak, began := watchMemory(), cpuSeconds()
	log := ledger.New(ledger.Options{Dir: home, Machine: "bench", Now: time.Now})
	err = errors.Join(err, log.Open())
	fig.OpenSeconds, fig.OpenMB = cpuSeconds()-began, peak()
	debug.FreeOSMemory()
	fig.OpenedMB = privateMB()
	log.Read(func(*memory.State) {}) // it is alive until here
	return err
}
