package doctor

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"dormouse/store/gitrepo"
	"dormouse/store/home"
)

// remoteTime is how long a remote may take to answer.
const remoteTime = 10 * time.Second

// loginFile names the login by which the service reaches a remote of the web; its token is in the system's keyring.
const loginFile = "dormouse-login"

// Remote looks at where the memory is exchanged: a folder has to be there, and a host has to answer. Nothing is sent but the question
// for the newest commit, and nobody is asked for a password.
func Remote(h home.Home) Check {
	return Check{Name: "remote", Limit: 2 * remoteTime, Look: func(ctx context.Context) []Finding {
		if _, err := os.Stat(filepath.Join(h.Memory(), ".git")); err != nil {
			return []Finding{fine("none is set")}
		}
		repo := gitrepo.Open(h.Memory())
		url, err := repo.RemoteURL()
		switch {
		case err != nil:
			return []Finding{failed("mend the file, or restore it from a backup", "%v", err)}
		case url == "":
			return []Finding{fine("none is set")}
		}
		path := strings.TrimPrefix(url, "file://")
		if filepath.IsAbs(path) {
			if info, err := os.Stat(path); err != nil || !info.IsDir() {
				return []Finding{warned("bring the disk with it back, or choose another one: dormouse sync setup URL", "the remote %s is not there, so nothing is exchanged", url)}
			}
			return []Finding{fine("%s", url)}
		}
		asking, cancel := context.WithTimeout(ctx, remoteTime)
		defer cancel()
		_, err = repo.Peer(url).Head(asking)
		return []Finding{answerOf(h, url, err, asking.Err() != nil)}
	}}
}

// answerOf is what an answer of a remote means, or none.
func answerOf(h home.Home, url string, err error, late bool) Finding {
	const again = "see whether you are online; what is new waits here and is sent once it answers"
	switch _, noLogin := os.Stat(filepath.Join(h.Memory(), ".git", loginFile)); {
	case err == nil:
		return fine("%s answers", url)
	case late:
		return warned(again, "the remote %s does not answer within %s", url, remoteTime)
	case errors.Is(err, gitrepo.ErrLogin) && noLogin == nil:
		return fine("%s answers; the service logs in with the token in your keyring", url)
	case errors.Is(err, gitrepo.ErrOffline):
		return warned(again, "%v", err)
	}
	return warned("dormouse sync says more; another one is chosen with: dormouse sync setup URL", "%v", err)
}
