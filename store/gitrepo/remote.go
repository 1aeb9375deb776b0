package gitrepo

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	gitconfig "github.com/go-git/go-git/v5/plumbing/format/config"
)

// remoteName is the name under which a repository of ours keeps the URL of the one that it exchanges with.
const remoteName = "origin"

// RemoteURL is the URL of the repository that this one exchanges with, from its config; empty where there is none.
func (r *Repo) RemoteURL() (string, error) {
	c, err := r.readConfig()
	if err != nil {
		return "", err
	}
	if !c.Section("remote").HasSubsection(remoteName) {
		return "", nil
	}
	return c.Section("remote").Subsection(remoteName).Option("url"), nil
}

// SetRemoteURL writes that URL into the config, or takes it out for "". The git command then knows it as origin.
func (r *Repo) SetRemoteURL(url string) (err error) {
	r.writing.Lock()
	defer r.writing.Unlock()
	path := filepath.Join(r.git, "config")
	unlock, err := r.lock(path)
	if err != nil {
		return fmt.Errorf("set the remote of %s: %w", r.dir, err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
	c, err := r.readConfig()
	if err != nil {
		return err
	}
	if url == "" {
		c.RemoveSubsection("remote", remoteName)
	} else {
		s := c.Section("remote").Subsection(remoteName)
		s.SetOption("url", url)
		s.SetOption("fetch", "+refs/heads/*:refs/remotes/"+remoteName+"/*")
	}
	var b bytes.Buffer
	if err := gitconfig.NewEncoder(&b).Encode(c); err != nil {
		return fmt.Errorf("set the remote of %s: %w", r.dir, err)
	}
	return r.writeBytes(path, true, b.Bytes())
}

func (r *Repo) readConfig() (*gitconfig.Config, error) {
	raw, err := os.ReadFile(filepath.Join(r.git, "config"))
	if err != nil {
		return nil, fmt.Errorf("read the settings of %s: %w", r.dir, err)
	}
	c := gitconfig.New()
	if err := gitconfig.NewDecoder(bytes.NewReader(raw)).Decode(c); err != nil {
		return nil, fmt.Errorf("read the settings of %s: %w; mend %s", r.dir, err, filepath.Join(r.git, "config"))
	}
	return c, nil
}

// Exclude adds patterns to those that git status does not show, where they are missing.
func (r *Repo) Exclude(patterns ...string) error {
	path := filepath.Join(r.git, "info", "exclude")
	if r.wasDraft() {
		path = filepath.Join(r.git, draftExclude)
	}
	raw, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("exclude files from %s: %w", r.dir, err)
	}
	have := map[string]bool{}
	for line := range strings.Lines(string(raw)) {
		have[strings.TrimSpace(line)] = true
	}
	missing := ""
	for _, p := range patterns {
		if !have[p] {
			missing += p + "\n"
		}
	}
	if missing == "" {
		return nil
	}
	if len(raw) > 0 && raw[len(raw)-1] != '\n' {
		raw = append(raw, '\n')
	}
	return r.writeBytes(path, false, append(raw, missing...))
}
