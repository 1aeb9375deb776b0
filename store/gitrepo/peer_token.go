package gitrepo

import (
	"encoding/base64"
	"net/url"
	"os"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/transport"
	githttp "github.com/go-git/go-git/v5/plumbing/transport/http"
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

// auth is the token for go-git; nil where there is none.
func (p *Peer) auth() transport.AuthMethod {
	if p.token == "" || !strings.HasPrefix(p.url, "http") {
		return nil
	}
	return &githttp.BasicAuth{Username: p.user, Password: p.token}
}
