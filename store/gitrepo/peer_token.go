package gitrepo

import (
	"encoding/base64"
	"net/url"
	"os"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/transport"
	githttp "github.com/go-git/go-git/v5/plumbing/transport/http"
	gitssh "github.com/go-git/go-git/v5/plumbing/transport/ssh"
	"golang.org/x/crypto/ssh"
)

// tokenEnv hands the token to git by its environment, where no list of processes shows it, and for the peer's host alone. No helper
// is asked beside it, so that a token which was refused is not looked for elsewhere, and none is told to forget its own.
func (p *Peer) tokenEnv() []string {
	u, err := url.Parse(p.url)
	if p.token == "" || err != nil || !strings.HasPrefix(u.Scheme, "http") {
		return nil
	}
	n, _ := strconv.Atoi(os.Getenv("GIT_CONFIG_COUNT"))
	set := func(i int, key, value string) []string {
		at := strconv.Itoa(n + i)
		return []string{"GIT_CONFIG_KEY_" + at + "=" + key, "GIT_CONFIG_VALUE_" + at + "=" + value}
	}
	basic := base64.StdEncoding.EncodeToString([]byte(p.user + ":" + p.token))
	out := append(set(0, "credential.helper", ""), set(1, "http."+u.Scheme+"://"+u.Host+"/.extraHeader", "Authorization: Basic "+basic)...)
	return append(out, "GIT_CONFIG_COUNT="+strconv.Itoa(n+2))
}

// auth is how go-git logs in: by the token, or by the ssh agent. nil leaves that to it.
func (p *Peer) auth() transport.AuthMethod {
	if at, err := transport.NewEndpoint(p.url); err == nil && at.Protocol == "ssh" {
		if agent, err := gitssh.DefaultAuthBuilder(at.User); err == nil { // else go-git says what it lacks
			return knownKeys{agent}
		}
		return nil
	}
	if p.token == "" || !strings.HasPrefix(p.url, "http") {
		return nil
	}
	return &githttp.BasicAuth{Username: p.user, Password: p.token}
}

// knownKeys asks a host for a key of the kinds that known_hosts has of it. Else go-git asks for any, and takes one that is not known for another
// host's: it leaves the kinds open where a login brings a callback of its own, as all of its logins do.
type knownKeys struct{ gitssh.AuthMethod }

// ClientConfig leaves host keys to go-git, which then looks into known_hosts for both.
func (k knownKeys) ClientConfig() (*ssh.ClientConfig, error) {
	c, err := k.AuthMethod.ClientConfig()
	if err != nil {
		return nil, err
	}
	c.HostKeyCallback, c.HostKeyAlgorithms = nil, nil
	return c, nil
}
