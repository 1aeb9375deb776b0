package mcptools

// Roots are how agents of today say where they work. The protocol's newest version has nothing in their place but what a client says in
// a tool's arguments, and goes on with them for a year at least.
//lint:file-ignore SA1019 see above

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
	"weak"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// rootsTime is how long a client may take to say where it works.
const rootsTime = 5 * time.Second

// newProtocol is the first version of the protocol in which a server asks for roots with its answer.
const newProtocol = "2026-07-28"

// rootsKey names the question for roots in an answer.
const rootsKey = "roots"

// roots remembers the folders of each agent.
type roots struct {
	known sync.Map // weak.Pointer[mcp.ServerSession] -> []string
}

// follow has a server forget an agent's folders when they change.
func (r *roots) follow(o *mcp.ServerOptions) {
	o.RootsListChangedHandler = func(_ context.Context, req *mcp.RootsListChangedRequest) { r.known.Delete(weak.Make(req.Session)) }
}

// whereAreYou asks a client for its folders with an answer; it then asks anew.
func whereAreYou() mcp.InputRequestMap { return mcp.InputRequestMap{rootsKey: &mcp.ListRootsParams{}} }

// asker is a request that may bring what was asked for with an earlier answer.
type asker struct {
	session *mcp.ServerSession
	given   mcp.InputResponseMap
}

// folders are where an agent works, by its roots. ask is set where the client has to be asked with the answer.
func (r *roots) folders(ctx context.Context, a asker) (dirs []string, ask bool) {
	p := a.session.InitializeParams()
	if p == nil || p.Capabilities == nil || p.Capabilities.RootsV2 == nil {
		return nil, false
	}
	if res, ok := a.given[rootsKey].(*mcp.ListRootsResult); ok {
		return paths(res), false
	}
	if p.ProtocolVersion >= newProtocol {
		return nil, a.given == nil
	}
	key := weak.Make(a.session)
	if v, ok := r.known.Load(key); ok {
		return v.([]string), false
	}
	ctx, cancel := context.WithTimeout(ctx, rootsTime)
	defer cancel()
	if res, err := a.session.ListRoots(ctx, nil); err == nil { // a client that does not answer is known by its folder alone
		dirs = paths(res)
	}
	r.known.Store(key, dirs)
	return dirs, false
}

// maxRoots is how many folders of a client are looked at.
const maxRoots = 20

func paths(res *mcp.ListRootsResult) (out []string) {
	for _, root := range res.Roots {
		if p := rootPath(root.URI); p != "" && len(out) < maxRoots {
			out = append(out, p)
		}
	}
	return out
}

// rootPath is the path that a root's address names on this system; empty where it names none.
func rootPath(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	p := u.Path
	if u.Host != "" && u.Host != "localhost" {
		p = "//" + u.Host + p // a share: file://wsl.localhost/Ubuntu/home/me
	}
	if len(p) > 2 && p[0] == '/' && isDrive(p[1:]) {
		p = p[1:] // file:///C:/work
	}
	if p = localPath(p); !filepath.IsAbs(p) {
		return ""
	}
	return p
}

func isDrive(p string) bool {
	return len(p) >= 2 && p[1] == ':' && (p[0]|0x20) >= 'a' && (p[0]|0x20) <= 'z'
}

// localPath is a path as this system writes it: an agent on Windows and a service in WSL, or the other way round, name one folder
// in two ways.
func localPath(p string) string { return translated(p, runtime.GOOS, exists) }

func exists(p string) bool {
	_, err := os.Stat(p)
	return err == nil
}

func translated(p, goos string, there func(string) bool) string {
	slashed := strings.ReplaceAll(p, `\`, "/")
	if goos == "windows" {
		if rest, ok := strings.CutPrefix(slashed, "/mnt/"); ok && len(rest) > 1 && rest[1] == '/' {
			return strings.ToUpper(rest[:1]) + `:\` + strings.ReplaceAll(rest[2:], "/", `\`)
		}
		return p
	}
	if isDrive(slashed) {
		if under := "/mnt/" + strings.ToLower(slashed[:1]) + "/" + strings.TrimPrefix(slashed[2:], "/"); there(under) {
			return under
		}
		return p
	}
	for _, share := range []string{"//wsl.localhost/", "//wsl$/"} {
		if rest, ok := strings.CutPrefix(slashed, share); ok {
			if _, inside, ok := strings.Cut(rest, "/"); ok {
				return "/" + inside
			}
		}
	}
	return p
}
