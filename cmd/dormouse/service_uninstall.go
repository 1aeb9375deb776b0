package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/cmd/internal/text"
	"dormouse/service/connect"
	"dormouse/service/daemon"
	"dormouse/service/osservice"
	"dormouse/store/home"
)

func (s *hosted) uninstall(ctx context.Context) error {
	out, err := s.takeBack(ctx)
	if err != nil {
		return err
	}
	out.note("Your memory stays in " + s.a.view().path(s.home.Dir()) + ".")
	return s.answerDone(ctx, out)
}

// takeBack stops the service and removes its entries.
func (s *hosted) takeBack(ctx context.Context) (out said, err error) {
	entry, _, _ := s.tray()
	tray, err := entry.Uninstall(ctx)
	if err != nil {
		return out, err
	}
	if known, err := s.entry.Status(ctx); err == nil && known.Installed && known.State == osservice.Stopped {
		if _, err := s.end(ctx); err != nil { // one that was started by hand
			return out, err
		}
	}
	service, err := s.entry.Uninstall(ctx)
	if err != nil {
		return out, err
	}
	out = said{brief: true, Done: "Uninstalled: Dormouse no longer starts when you log on."}
	if !service && !tray {
		out.Done = "Nothing to uninstall."
	}
	if tray {
		out.note("The icon in the tray stays until you quit it or log out.")
	}
	out.note(s.hooksLeft())
	return out, nil
}

// hooksLeft names the agents whose settings still call Dormouse: those are changed by a command of their own.
func (s *hosted) hooksLeft() string {
	var names []string
	for _, agent := range connect.Table() {
		files, err := s.a.linking(s.a.Env).Files(agent, connect.All, true)
		if err != nil {
			continue
		}
		if slices.ContainsFunc(files, func(f connect.Agent) bool {
			p, err := s.a.linking(s.a.Env).Disconnecting(f)
			return err == nil && !p.Nothing()
		}) {
			names = append(names, agent.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "The settings of " + strings.Join(names, ", ") + " still name Dormouse, which harms nothing. To take that out: dormouse agents disconnect " +
		strings.Join(names, " ")
}

// purge takes everything back, the memory included, once the person has agreed.
func (s *hosted) purge(ctx context.Context, yes bool) error {
	homes, err := s.purgeable()
	if err != nil {
		return err
	}
	if len(homes) > 0 && !yes {
		if s.a.json {
			return errors.New("with --json nobody can be asked; --yes does not ask")
		}
		for _, h := range homes {
			s.a.note("%s: %s", s.a.view().path(h.Dir()), holds(h))
		}
		if err := s.a.sure("Stop Dormouse and delete this for good?", "nothing was uninstalled or deleted"); err != nil {
			return err
		}
	}
	if _, err := s.end(ctx); err != nil { // one that was started by hand as well
		return err
	}
	out, err := s.takeBack(ctx)
	if err != nil {
		return err
	}
	for _, h := range homes {
		gone, left, err := s.remove(h)
		if err != nil {
			return err
		}
		for _, path := range gone {
			out.note("Removed: " + s.a.view().path(path))
		}
		for _, path := range left {
			out.note("Not Dormouse's, so it stays: " + s.a.view().path(path))
		}
	}
	return s.answerDone(ctx, out)
}

// remove deletes a memory: what it has in the folders of projects and in the system's keyring, and its own folder. left is what stays.
func (s *hosted) remove(h home.Home) (gone, left []string, err error) {
	projects, err := daemon.Outside(h)
	if err == nil {
		var kept string
		if kept, err = daemon.GiveUp(h); kept != "" {
			s.a.note("%s", "Not removed: "+text.Line(kept))
		}
	}
	if err == nil {
		left, err = h.Purge(s.user)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("it is uninstalled, but its memory is not removed: %w", err)
	}
	for _, p := range projects {
		own := filepath.Join(p, ".dormouse")
		if isHere(own) { // others have something in it
			own = "the sessions in " + own
		}
		gone = append(gone, own)
	}
	return append(gone, h.Dir()), left, nil
}

// purgeable are the state folders that are there, this one's and the demo's.
func (s *hosted) purgeable() (out []home.Home, err error) {
	for _, h := range []home.Home{s.home, s.home.Demo()} {
		switch err := h.Purgeable(s.user); {
		case err == nil:
			out = append(out, h)
		case !errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("nothing is removed: %w", err)
		}
	}
	return out, nil
}

// holds says what a person would lose with a state folder.
func holds(h home.Home) string {
	sessions := 0
	entries, _ := os.ReadDir(h.Sessions()) // none is none
	for _, e := range entries {
		if e.IsDir() {
			sessions++
		}
	}
	where := ""
	if projects, err := daemon.Outside(h); err == nil && len(projects) > 0 {
		where = "more in the folders of " + count(len(projects), "project")
	}
	bytes := int64(0)
	_ = filepath.WalkDir(h.Dir(), func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // what cannot be read is not counted
		}
		if info, err := d.Info(); err == nil && !d.IsDir() {
			bytes += info.Size()
		}
		return nil
	})
	return joined(count(sessions, "session"), size(bytes), where)
}
