package gitsync

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"dormouse/store/gitrepo"
	"dormouse/store/home"
)

type carried struct {
	Generation int                   `json:"generation"` // of the key, on an encrypted remote
	Sent       map[string]carriedOne `json:"sent"`
	Old        map[string]bool       `json:"old,omitempty"`     // refs that are to go
	Brought    map[string]string     `json:"brought,omitempty"` // the commits that were brought, by session
}

type carriedOne struct {
	Stamp string `json:"stamp"`
	Ref   string `json:"ref"` // empty where the session is too large
}

func (c *carried) retire() {
	for id, one := range c.Sent {
		c.drop(one.Ref)
		delete(c.Sent, id)
	}
}

func (c *carried) drop(ref string) {
	if ref == "" {
		return
	}
	if c.Old == nil {
		c.Old = map[string]bool{}
	}
	c.Old[ref] = true
}

func (s *Syncer) noteBrought(url, id string, tip gitrepo.OID) error {
	all, err := s.readCarried()
	if err != nil {
		return err
	}
	if all[url] == nil {
		all[url] = &carried{Sent: map[string]carriedOne{}}
	}
	if all[url].Brought == nil {
		all[url].Brought = map[string]string{}
	}
	all[url].Brought[id] = tip.String()
	return s.writeCarried(all)
}

// forgetCarried forgets what a remote holds of this machine's sessions, so that they are sent again.
func (s *Syncer) forgetCarried(url string) error {
	s.carrying.Lock()
	defer s.carrying.Unlock()
	all, err := s.readCarried()
	if err != nil || all[url] == nil {
		return err
	}
	all[url] = &carried{Sent: map[string]carriedOne{}, Brought: all[url].Brought}
	return s.writeCarried(all)
}

// readCarried is what was noted, by address. It is kept in memory.
func (s *Syncer) readCarried() (map[string]*carried, error) {
	if s.carried != nil {
		return s.carried, nil
	}
	out := map[string]*carried{}
	raw, err := os.ReadFile(filepath.Join(s.o.Repo.Dir(), ".git", carriedFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("see which sessions are on the remote: %w", err)
	}
	if err == nil {
		if err := json.Unmarshal(raw, &out); err != nil {
			return nil, fmt.Errorf("see which sessions are on the remote: %s is damaged; delete it to send them anew: %w", carriedFile, err)
		}
	}
	for _, c := range out {
		if c.Sent == nil {
			c.Sent = map[string]carriedOne{}
		}
	}
	s.carried = out
	return out, nil
}

func (s *Syncer) writeCarried(all map[string]*carried) error {
	raw, err := json.Marshal(all)
	if err == nil {
		err = home.WriteFile(filepath.Join(s.o.Repo.Dir(), ".git", carriedFile), append(raw, '\n'))
	}
	if err != nil {
		s.carried = nil
	}
	return err
}
