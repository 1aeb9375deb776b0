package proxy

import (
	"crypto/subtle"
	"net"
	"net/http"
	"regexp"
	"strings"
)

// Header is where a client may bring its token that cannot have it in the address: "name:token". It goes no further.
const Header = "Dormouse-Token"

// refusal is why a request goes no further.
type refusal struct {
	status  int
	message string
}

var (
	forbidden = &refusal{http.StatusForbidden, "Dormouse passes on what agents on this machine ask, and nothing of web pages or other machines"}
	unknown   = &refusal{http.StatusUnauthorized, "the token in the address is missing or wrong: dormouse proxy env tells the address"}
	nowhere   = &refusal{http.StatusNotFound, "Dormouse knows no provider of this name: [proxy.upstreams] in config.toml names them"}
)

// clientName is what a client may be called.
var clientName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)

// admit says whose request it is and where it is to go, or why nowhere.
func (p *Proxy) admit(r *http.Request) (route, *refusal) {
	if !local(r.RemoteAddr) || !atLoopback(r.Host) || fromPage(r) {
		return route{}, forbidden
	}
	first, rest := segment(r.URL.EscapedPath())
	client, token := first, ""
	if _, ok := p.upstreams[first]; ok && r.Header.Get(Header) != "" {
		client, token, _ = strings.Cut(r.Header.Get(Header), ":")
	} else {
		token, rest = segment(rest)
		first, rest = segment(rest)
	}
	if !clientName.MatchString(client) || subtle.ConstantTimeCompare([]byte(token), []byte(p.Token(client))) != 1 {
		return route{}, unknown
	}
	to := p.upstreams[first]
	if to == nil {
		return route{}, nowhere
	}
	return route{client: client, upstream: first, to: to, rest: rest, form: formOf(r.Method, rest)}, nil
}

// segment cuts the first part off a path.
func segment(path string) (first, rest string) {
	path = strings.TrimPrefix(path, "/")
	if i := strings.IndexByte(path, '/'); i >= 0 {
		return path[:i], path[i:]
	}
	return path, ""
}

func local(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// atLoopback reports whether a host is this machine by a name that only it has, so that no name of a page was bent to it.
func atLoopback(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.Trim(host, "[]")
	if ip := net.ParseIP(host); ip != nil {
		return ip.IsLoopback()
	}
	return strings.EqualFold(host, "localhost")
}

// fromPage reports whether a browser sent the request for a page; agents set none of these. Sec-Fetch-Mode says nothing: Node sends it.
func fromPage(r *http.Request) bool {
	return len(r.Header.Values("Origin")) > 0 || len(r.Header.Values("Sec-Fetch-Site")) > 0
}
