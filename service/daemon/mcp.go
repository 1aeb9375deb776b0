package daemon

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"dormouse/service/api"
	"dormouse/service/mcptools"
)

// mcpToken is the file of the token with which agents ask over HTTP.
const mcpToken = "mcp.token"

// portsTried is how many ports above the one that is set are tried where that one is taken.
const portsTried = 20

// mcpDoor is where agents ask over HTTP.
type mcpDoor struct {
	mu  sync.Mutex
	url string // empty while nobody can
}

// state is what status tells of it.
func (d *Daemon) mcpState() api.MCP {
	if !d.mcpWanted() {
		return api.MCP{}
	}
	d.mcp.mu.Lock()
	defer d.mcp.mu.Unlock()
	return api.MCP{On: true, URL: d.mcp.url, TokenFile: filepath.Join(d.p.Home.Dir(), mcpToken)}
}

// mcpWanted reports whether the person wants it. The demo's memory is no agent's.
func (d *Daemon) mcpWanted() bool { return d.p.Config.MCP.HTTP && !d.p.Demo }

// answerHTTP lets agents ask over HTTP at the loopback until ctx ends.
func (d *Daemon) answerHTTP(ctx context.Context) error {
	key, err := d.p.Home.Secret(mcpToken)
	if err != nil {
		return err
	}
	ln, err := loopback(d.p.Config.MCP.Port, "let agents ask over HTTP")
	if err != nil {
		return err
	}
	tools := mcptools.New(mcptools.Options{Home: d.p.Home.Dir(), Version: d.p.Version, Now: d.p.Now, Log: slog.New(slog.DiscardHandler)})
	defer tools.Close()
	srv := &http.Server{Handler: tools.Handler(hex.EncodeToString(key)), ReadHeaderTimeout: 5 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10}
	d.atMCP("http://" + ln.Addr().String() + mcptools.Path)
	defer d.atMCP("")
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(ln) }()
	d.answering.ok()
	select {
	case err = <-failed:
	case <-ctx.Done():
		err = srv.Close() // streams that agents hold open would keep a shutdown waiting
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

func (d *Daemon) atMCP(url string) {
	d.mcp.mu.Lock()
	defer d.mcp.mu.Unlock()
	d.mcp.url = url
}

// loopback listens at the loopback, on the port or, where another program has it, on one above; on any where those are taken too. An
// error says what for.
func loopback(port int, why string) (net.Listener, error) {
	var last error
	for _, p := range append(portsFrom(port), 0) {
		ln, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(p)))
		if err == nil {
			return ln, nil
		}
		last = err
	}
	return nil, fmt.Errorf("%s: %w", why, last)
}

func portsFrom(port int) (out []int) {
	for p := port; p <= min(port+portsTried, 65535) && port > 0; p++ {
		out = append(out, p)
	}
	return out
}
