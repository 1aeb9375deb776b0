package daemon

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"math"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"dormouse/service/api"
	"dormouse/service/config"
	"dormouse/service/cost"
	"dormouse/service/proxy"
	"dormouse/store/home"
)

const (
	proxyKey    = "proxy.key" // the file of what the clients' tokens are made of
	proxySwitch = "proxy"     // the file that says how the proxy is switched; without it, it is shut

	// purposeAgents marks what agents took, which no budget of Dormouse's own counts.
	purposeAgents = "agents, through the proxy"

	// drainAgents is how long answers that are under way may take when the service ends.
	drainAgents = 3 * time.Second
)

// proxied is the proxy and its switch.
type proxied struct {
	on        atomic.Bool   // what passes is read
	changed   chan struct{} // holds one notice that it was switched
	unmetered atomic.Int64

	mu    sync.Mutex
	proxy *proxy.Proxy // nil while it is shut
	url   string
}

// proxyState is how the proxy is switched, as the file says. One that cannot be understood passes bytes alone: agents may be on their way
// through it.
func (d *Daemon) proxyState() string {
	b, err := os.ReadFile(filepath.Join(d.p.Home.Dir(), proxySwitch))
	switch s := strings.TrimSpace(string(b)); {
	case errors.Is(err, os.ErrNotExist), d.p.Demo, s == api.ProxyShut:
		return api.ProxyShut
	case err == nil && s == api.ProxyOn:
		return api.ProxyOn
	}
	return api.ProxyOff
}

// switchProxy switches the proxy, for this service and those that come after it.
func (d *Daemon) switchProxy(ctx context.Context, to string) (api.Proxy, error) {
	if d.p.Demo {
		return api.Proxy{}, &api.Error{Code: api.CodeBadRequest, Message: "the demo passes nothing on for agents; start the service of your own memory: dormouse up"}
	}
	if err := home.WriteFile(filepath.Join(d.p.Home.Dir(), proxySwitch), []byte(to+"\n")); err != nil {
		return api.Proxy{}, fmt.Errorf("switch the proxy: %w", err)
	}
	x := &d.proxied
	x.on.Store(to == api.ProxyOn)
	select {
	case x.changed <- struct{}{}:
	default:
	}
	d.awaitProxy(ctx, to != api.ProxyShut)
	d.publish("status", "")
	return d.proxyReport(), nil
}

// awaitProxy waits a little for the proxy to listen, or to listen no more. What keeps it from that is in its report.
func (d *Daemon) awaitProxy(ctx context.Context, up bool) {
	for range 100 {
		if r := d.proxyReport(); (r.URL != "") == up || r.Failure != "" {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// askProxy tells how the proxy is, and where a client reaches the providers.
func (d *Daemon) askProxy(_ context.Context, client string) (api.Proxy, error) {
	out := d.proxyReport()
	x := &d.proxied
	x.mu.Lock()
	defer x.mu.Unlock()
	if client == "" || x.proxy == nil || x.url == "" {
		return out, nil
	}
	for _, name := range slices.Sorted(slices.Values(x.proxy.Names())) {
		out.Bases = append(out.Bases, api.ProxyBase{Upstream: name, URL: x.url + x.proxy.Path(client, name)})
	}
	return out, nil
}

func (d *Daemon) proxyReport() api.Proxy {
	out := api.Proxy{State: d.proxyState(), Pages: d.p.Config.Proxy.Page, Tools: d.p.Config.Proxy.Tools, Unmetered: d.proxied.unmetered.Load()}
	out.Recording = d.record.report()
	if out.State != api.ProxyShut {
		out.Failure = d.proxying.report().Failure
	}
	x := &d.proxied
	x.mu.Lock()
	defer x.mu.Unlock()
	out.URL = x.url
	if x.proxy == nil {
		return out
	}
	s := x.proxy.Stats()
	out.Since, out.Requests, out.Read, out.Refused, out.TooLong = s.Since.Unix(), s.Requests, s.Read, s.Refused, s.TooLong
	out.Unreached, out.Errors, out.Broken, out.Calls, out.Untold = s.Unreached, s.Errors, s.Broken, s.Calls, s.Untold
	out.Paged, out.SavedBytes, out.SentAnew, out.Untouched = s.Paged, s.Saved, s.SentAnew, s.Untouched
	out.Offered, out.Unoffered = s.Offered, s.Unoffered
	out.Asked = api.ProxyAsked{Queries: s.Tools.Queries, Restores: s.Tools.Restores, Releases: s.Tools.Releases, Misses: s.Tools.Misses, Rounds: s.Tools.Rounds, Forgotten: s.Tools.Forgotten}
	out.InputTokens, out.CacheReadTokens, out.OutputTokens = s.Input, s.CacheRead, s.Output
	for _, t := range x.proxy.Talks() {
		out.Talks = append(out.Talks, d.talkReport(t))
	}
	return out
}

// bytesPerToken is about how many bytes of a conversation make a token: of text and code that models count themselves it is 3 to 4.5.
const bytesPerToken = 4

func (d *Daemon) talkReport(t proxy.Talk) api.ProxyTalk {
	h := t.Held
	out := api.ProxyTalk{Client: t.Client, Upstream: t.Upstream, Model: t.Model, At: t.Used.Unix(), Whole: t.Whole, Bytes: h.Bytes, Full: h.Whole, Budget: h.Budget,
		Zone: h.Zone.String(), Levels: h.Levels[:], Refetched: h.Stats.Refetched, SavedTokens: int64(h.Stats.Saved / bytesPerToken)}
	if p, ok := priceOf(d.p.Config.LLM.Prices, t.Model); ok {
		out.SavedMicros = int64(p.Input * float64(out.SavedTokens))
	}
	return out
}

// proxyPart is its health; switched off or shut it is no trouble.
func (d *Daemon) proxyPart() api.Part {
	out := d.proxying.report()
	switch d.proxyState() {
	case api.ProxyShut:
		out = api.Part{Name: out.Name, State: api.HealthOff, Doing: "shut: no agent goes through it"}
	case api.ProxyOff:
		out.Doing = "off: bytes pass, and nothing is read"
	}
	return out
}

// passOn listens for agents while the proxy is not shut, until ctx ends.
func (d *Daemon) passOn(ctx context.Context) error {
	x := &d.proxied
	defer func() {
		if ctx.Err() != nil {
			d.record.end("the service ended")
		}
	}()
	for ctx.Err() == nil {
		state := d.proxyState()
		x.on.Store(state == api.ProxyOn)
		if state != api.ProxyShut {
			if err := d.serveProxy(ctx); err != nil {
				return err
			}
			continue
		}
		select {
		case <-ctx.Done():
		case <-x.changed:
		}
	}
	return nil
}

// serveProxy answers agents until ctx ends or the proxy is shut.
func (d *Daemon) serveProxy(ctx context.Context) error {
	p, err := d.theProxy()
	if err != nil {
		return err
	}
	ln, err := loopback(d.p.Config.Proxy.Port, "pass on what agents ask")
	if err != nil {
		return err
	}
	srv := &http.Server{Handler: p, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 1 << 20, ErrorLog: quietLog(),
		BaseContext: func(net.Listener) context.Context { return context.WithoutCancel(ctx) }}
	d.atProxy("http://" + ln.Addr().String())
	defer d.atProxy("")
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(ln) }()
	d.proxying.ok()
	for {
		select {
		case err := <-failed:
			return fmt.Errorf("pass on what agents ask: %w", err)
		case <-d.proxied.changed:
			if d.proxyState() != api.ProxyShut {
				continue
			}
		case <-ctx.Done():
		}
		break
	}
	d.atProxy("")
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainAgents)
	defer cancel()
	if srv.Shutdown(end) != nil {
		_ = srv.Close() // answers that take longer break off; their agents are told by the connection
	}
	return nil
}

// theProxy makes the proxy once in the service's life, so that its sums go on when it is switched.
func (d *Daemon) theProxy() (*proxy.Proxy, error) {
	x := &d.proxied
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.proxy != nil {
		return x.proxy, nil
	}
	key, err := d.p.Home.Secret(proxyKey)
	if err != nil {
		return nil, err
	}
	at := proxy.Upstreams()
	maps.Copy(at, d.p.Config.Proxy.Upstreams)
	o, err := d.pagerOptions()
	if err != nil {
		return nil, err
	}
	x.proxy, err = proxy.New(proxy.Options{Pager: o, Secret: key, Upstreams: at, On: x.on.Load, Meter: d.meterAgent, Now: d.p.Now,
		Page: func() bool { return d.p.Config.Proxy.Page }, Tools: func() bool { return d.p.Config.Proxy.Tools }, Memory: modelMemory{d}, Window: d.modelWindow, Record: d.record.sink, Keep: d.keepTalk, Kept: d.keptTalks(),
		Log: d.p.Log.With("component", d.proxying.name), MaxRequest: d.p.Config.Proxy.MaxRequest})
	return x.proxy, err
}

func (d *Daemon) atProxy(url string) {
	d.proxied.mu.Lock()
	defer d.proxied.mu.Unlock()
	d.proxied.url = url
}

// meterAgent writes down what a call of an agent took.
func (d *Daemon) meterAgent(c proxy.Call) {
	e := cost.New(c.At, c.Upstream, cmp.Or(c.Model, "unknown"), purposeAgents)
	e.ID, e.Estimated = c.ID, !c.Told
	e.Usage = cost.Usage{Calls: 1, InputTokens: c.Input + c.CacheRead + c.CacheWrite, OutputTokens: c.Output, CostMicros: agentCost(d.p.Config.LLM.Prices, c)}
	if err := d.meter.Append(e); err != nil {
		d.proxied.unmetered.Add(1)
		d.p.Log.Warn("what an agent's call took is not written down", "component", d.proxying.name, "error", err)
	}
}

// agentCost is what a call cost in millionths of a dollar, rounded up; 0 where its model has no price.
func agentCost(prices map[string]config.Price, c proxy.Call) int64 {
	p, ok := priceOf(prices, c.Model)
	if !ok {
		return 0
	}
	read, write := p.Input, p.Input
	if c.CacheDefaults {
		read, write = p.Input/10, p.Input*1.25
	}
	read, write = cmp.Or(p.CacheRead, read), cmp.Or(p.CacheWrite, write)
	return int64(math.Ceil(p.Input*float64(c.Input) + read*float64(c.CacheRead) + write*float64(c.CacheWrite) + p.Output*float64(c.Output)))
}

// priceOf is the price of a model, also where a provider adds a date to its name.
func priceOf(prices map[string]config.Price, model string) (config.Price, bool) {
	best := ""
	for name := range prices {
		if name == model || strings.HasPrefix(model, name+"-") {
			if len(name) > len(best) {
				best = name
			}
		}
	}
	p, ok := prices[best]
	return p, ok
}

// quietLog is for what a server says of connections that end early.
func quietLog() *log.Logger { return log.New(io.Discard, "", 0) }

// modelWindow is the window of a model in bytes.
func (d *Daemon) modelWindow(model string, long bool) int {
	return proxy.Window(model, long, d.p.Config.Proxy.Window)
}
