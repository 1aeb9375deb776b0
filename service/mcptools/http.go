package mcptools

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Path is where the tools are reached over HTTP. The query "project" names the folder or project that the agent works in, where it does
// not tell by itself.
const Path = "/mcp"

// Bounds of what comes over HTTP.
const (
	maxBody     = 1 << 20
	sessionTime = time.Hour // that a silent client's session is kept
)

// Handler answers agents over streamable HTTP, at the loopback alone and with the token alone: to a page in a browser, to a name that was
// bent to this machine and to another user it says no more than that it is forbidden.
func (t *Tools) Handler(token string) http.Handler {
	inner := mcp.NewStreamableHTTPHandler(func(r *http.Request) *mcp.Server { return t.Server(localPath(r.URL.Query().Get("project"))) },
		&mcp.StreamableHTTPOptions{Logger: t.o.Log, SessionTimeout: sessionTime, MaxRequestBodyBytes: maxBody})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		switch {
		case !atLoopback(r), fromPage(r):
			http.Error(w, "forbidden: Dormouse answers agents on this machine, and no web pages", http.StatusForbidden)
		case !bearer(r, token):
			w.Header().Set("WWW-Authenticate", `Bearer realm="dormouse"`)
			http.Error(w, "the token is missing or wrong: dormouse mcp url says where it is", http.StatusUnauthorized)
		case r.URL.Path != Path:
			http.NotFound(w, r)
		default:
			inner.ServeHTTP(w, r)
		}
	})
}

// atLoopback reports whether a request is for this machine by a name that only it has, so that no name of a page was bent to it.
func atLoopback(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = r.Host
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

// bearer reports whether a request has the token. Tokens are compared by their sums, in equal time.
func bearer(r *http.Request, token string) bool {
	list := r.Header.Values("Authorization")
	if len(list) != 1 || token == "" {
		return false
	}
	scheme, given, ok := strings.Cut(list[0], " ")
	a, b := sha256.Sum256([]byte(strings.TrimSpace(given))), sha256.Sum256([]byte(token))
	return ok && strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(a[:], b[:]) == 1
}
