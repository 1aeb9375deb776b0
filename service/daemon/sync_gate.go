package daemon

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"dormouse/service/api"
	"dormouse/service/keyring"
	"dormouse/store/gitcmd"
	"dormouse/store/gitrepo"
	"dormouse/store/home"
	"dormouse/store/project"
	"dormouse/sync/gitsync"
)

// loginFile, in the memory repository's .git, names the host and user whose token is in the keyring. It holds no token.
const loginFile = "dormouse-login"

// tokenUser is the name that forges take beside a token, whatever the account is called.
const tokenUser = "x-access-token"

// connect is the remote at url, with the token that the person gave for its host.
func (d *Daemon) connect(repo *gitrepo.Repo, url string) *gitrepo.Peer {
	p := repo.Peer(url)
	if host, user := d.loginOf(url); host != "" {
		if token, err := keyring.Get(host, user); err != nil {
			d.p.Log.Warn("no token for the remote", "component", "sync", "host", host, "error", err)
		} else {
			p.SetToken(user, token)
		}
	}
	return p
}

func (d *Daemon) loginPath() string { return filepath.Join(d.p.Home.Memory(), ".git", loginFile) }

// loginOf are host and user of the token for an address of the web; empty where none was given.
func (d *Daemon) loginOf(remote string) (host, user string) {
	u, err := url.Parse(remote)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" {
		return "", ""
	}
	raw, err := os.ReadFile(d.loginPath())
	if err != nil {
		return "", ""
	}
	host, user, _ = strings.Cut(strings.TrimSpace(string(raw)), " ")
	if host != u.Host {
		return "", ""
	}
	return host, user
}

// syncLogin keeps a token for the host of an address of the web: with git's own credential helper where the person has one, else in
// the system's keyring. It is tried first by nothing: the next exchange tells whether it is right.
func (d *Daemon) syncLogin(ctx context.Context, remote, user, token string) error {
	u, err := url.Parse(remote)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return &api.Error{Code: api.CodeBadRequest, Message: "a token is for an https address; over ssh, keys are used"}
	}
	if token = strings.TrimSpace(token); token == "" || strings.ContainsAny(token, "\r\n\x00") {
		return &api.Error{Code: api.CodeBadRequest, Message: "the token is empty or of several lines"}
	}
	if user == "" {
		user = tokenUser
	}
	has, err := helped(ctx, d.p.Home.Memory(), remote)
	if err != nil {
		return err
	}
	if has {
		if err := os.Remove(d.loginPath()); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		_, err := gitcmd.Command{Dir: d.p.Home.Memory(), Args: []string{"credential", "approve"}, Writes: true,
			Stdin: fmt.Sprintf("protocol=%s\nhost=%s\npath=%s\nusername=%s\npassword=%s\n\n", u.Scheme, u.Host, strings.TrimPrefix(u.Path, "/"), user, token)}.Run(ctx)
		return err
	}
	if err := keyring.Set(u.Host, user, token); err != nil {
		return &api.Error{Code: api.CodeBadRequest, Message: err.Error()}
	}
	return home.WriteFile(d.loginPath(), []byte(u.Host+" "+user+"\n"))
}

// helped reports whether the person has a credential helper for an address.
func helped(ctx context.Context, dir, remote string) (bool, error) {
	out, err := gitcmd.Read(ctx, dir, "config", "--get-urlmatch", "credential.helper", remote)
	var e *gitcmd.Error
	switch {
	case errors.Is(err, gitcmd.ErrNoGit), errors.As(err, &e) && e.Code == 1:
		return false, nil
	case err != nil:
		return false, err
	}
	return strings.TrimSpace(string(out.Stdout)) != "", nil
}

// pass looks at a remote before it is used: who can read it, and whether it is a project's own. know takes it all the same.
func (d *Daemon) pass(ctx context.Context, remote string, know bool) (gitsync.Readers, error) {
	if normal := project.NormalizeURL(remote); normal != "" {
		if name := d.codeAt(normal); name != "" && !know {
			return gitsync.Readers{}, &api.Error{Code: api.CodeForbidden, Message: fmt.Sprintf("%s is where the code of %s lives: your memory of all projects would lie open "+
				"to everybody who works on it. Nothing was sent. Take a private repository of its own; if this is really meant: --i-know", remote, name)}
		}
	}
	readers := gitsync.WhoReads(ctx, remote, d.p.Anyone)
	if readers.Everybody && !know {
		return readers, &api.Error{Code: api.CodeForbidden, Message: fmt.Sprintf("%s is public: everybody could read your memory. Nothing was sent. "+
			"Make the repository private, or take another one; if this is really meant: --i-know", remote)}
	}
	return readers, nil
}

// codeAt is the project whose code lives at a normalised address; empty for none.
func (d *Daemon) codeAt(normal string) string {
	all, err := d.projects.List()
	if err != nil {
		return ""
	}
	for _, p := range all {
		if p.Remote != "" && strings.EqualFold(p.Remote, normal) {
			return p.Name
		}
	}
	return ""
}

// meetHost settles whether the ssh host is who it says: with the fingerprint that the person has compared, its key is trusted; without
// one, an unknown key is an error that shows it.
func (d *Daemon) meetHost(ctx context.Context, remote, fingerprint string, err error) error {
	peer := d.connect(d.sync.repo, remote)
	if fingerprint != "" {
		if err := peer.Trust(ctx, fingerprint); err != nil {
			return &api.Error{Code: api.CodeBadRequest, Message: err.Error()}
		}
		return nil
	}
	if !errors.Is(err, gitrepo.ErrUnknownHost) {
		return err
	}
	key, keyErr := peer.HostKey(ctx)
	if keyErr != nil {
		return &api.Error{Code: api.CodeBadRequest, Message: fmt.Sprintf("%v (%v)", err, keyErr)}
	}
	return &api.Error{Code: api.CodeUnknownHost, Candidates: []string{key.Fingerprint}, Message: fmt.Sprintf("the host %s is met for the first time. It shows the %s key %s. "+
		"Compare that with what the host's owner publishes; if it is the same, take it with: --trust %s", key.Host, key.Type, key.Fingerprint, key.Fingerprint)}
}
