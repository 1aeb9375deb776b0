package localapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"dormouse/service/api"
)

// Options are what a Server is made of.
type Options struct {
	Backend Backend
	// Log takes what went wrong inside; the default discards it.
	Log *slog.Logger
	// Zone is where the day of a date in a request begins; the default is the machine's.
	Zone *time.Location
	// Heartbeat is the time between two signs of life on a quiet event stream; the default is 15 seconds.
	Heartbeat time.Duration
	// Grace is how long Run waits at its end for requests that are being answered; the default is 3 seconds.
	Grace time.Duration
}

// Server answers the local API.
type Server struct {
	o       Options
	routes  map[string]route
	closing context.Context // ends the event streams
	close   context.CancelFunc
}

// New makes a server. It does no I/O.
func New(o Options) *Server {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Zone = cmp.Or(o.Zone, time.Local)
	o.Heartbeat = cmp.Or(o.Heartbeat, 15*time.Second)
	o.Grace = cmp.Or(o.Grace, 3*time.Second)
	s := &Server{o: o}
	s.closing, s.close = context.WithCancel(context.Background())
	s.routes = s.table()
	maps.Copy(s.routes, s.o.Backend.gitTable())
	maps.Copy(s.routes, s.o.Backend.dagTable())
	maps.Copy(s.routes, s.o.Backend.fileTable())
	maps.Copy(s.routes, s.o.Backend.reviewTable())
	maps.Copy(s.routes, s.o.Backend.proxyTable())
	maps.Copy(s.routes, s.o.Backend.objectsTable())
	maps.Copy(s.routes, s.o.Backend.agentTable())
	maps.Copy(s.routes, s.o.Backend.whenTable())
	maps.Copy(s.routes, s.o.Backend.injectTable())
	maps.Copy(s.routes, s.o.Backend.blameTable())
	maps.Copy(s.routes, s.o.Backend.handoffTable())
	maps.Copy(s.routes, s.o.Backend.deviceTable())
	maps.Copy(s.routes, s.o.Backend.linkTable())
	maps.Copy(s.routes, s.o.Backend.settingTable())
	return s
}

// Limits of a connection.
const (
	headerTime  = 5 * time.Second  // to send a request's head
	bodyTime    = 5 * time.Second  // to send its body
	answerTime  = 30 * time.Second // to take an answer
	idleTime    = 2 * time.Minute  // between two requests
	headerBytes = 64 << 10
)

// Run answers at ln until ctx ends, then stops taking requests, ends the event streams and waits for the other answers for
// the time of grace. It serves once.
func (s *Server) Run(ctx context.Context, ln net.Listener) error {
	base, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	srv := &http.Server{
		Handler:           s.Handler(),
		BaseContext:       func(net.Listener) context.Context { return base },
		ReadHeaderTimeout: headerTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    headerBytes,
		ErrorLog:          slog.NewLogLogger(s.o.Log.Handler(), slog.LevelWarn),
	}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(ln) }()
	select {
	case err := <-failed:
		return fmt.Errorf("answer the local API: %w", err)
	case <-ctx.Done():
	}
	s.close()
	grace, stop := context.WithTimeout(base, s.o.Grace)
	defer stop()
	if err := srv.Shutdown(grace); err != nil {
		cancel()
		return errors.Join(ignore(err, context.DeadlineExceeded), srv.Close())
	}
	return nil
}

func ignore(err, expected error) error {
	if errors.Is(err, expected) {
		return nil
	}
	return err
}

// Handler is the API without a connection.
func (s *Server) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set(api.HeaderVersion, strconv.Itoa(api.Version))
		h.Set("Cache-Control", "no-store")
		h.Set("X-Content-Type-Options", "nosniff")
		defer s.recover(w, r)
		if err := s.serve(w, r); err != nil {
			s.fail(w, r, err)
		}
	})
}

// recover turns a panic into an answer, so that one bad request never ends the service.
func (s *Server) recover(w http.ResponseWriter, r *http.Request) {
	v := recover()
	if v == nil {
		return
	}
	s.o.Log.Error("request panicked", "path", r.URL.Path, "panic", fmt.Sprint(v), "stack", string(debug.Stack()))
	s.fail(w, r, errors.New("the service made a mistake; its log says where"))
}

// serve refuses what no client of ours sends, then finds the route.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) error {
	if r.Host != api.Host {
		return refuse(api.CodeForbidden, "the local API answers only to the host %q", api.Host)
	}
	if len(r.Header.Values("Origin")) > 0 {
		return refuse(api.CodeForbidden, "the local API does not answer web pages")
	}
	route, ok := s.routes[r.URL.Path]
	if !ok {
		return refuse(api.CodeNotFound, "the local API has no %q", clip(r.URL.Path))
	}
	if r.Method != route.method {
		w.Header().Set("Allow", route.method)
		return s.write(w, http.StatusMethodNotAllowed,
			refuse(api.CodeBadRequest, "%s takes %s, not %s", r.URL.Path, route.method, clip(r.Method)))
	}
	if err := inTime(r.Header.Get(api.HeaderUntil), time.Now()); err != nil {
		return err
	}
	if r.URL.Path == api.PathEvents {
		return s.stream(w, r)
	}
	p, err := readParams(r.URL.RawQuery, route.params, s.o.Zone)
	if err != nil {
		return err
	}
	ctx := r.Context()
	if route.limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, route.limit)
		defer cancel()
	}
	v, err := route.answer(ctx, p, w, r)
	if err != nil {
		return err
	}
	if f, ok := v.(fileAnswer); ok {
		s.send(w, r, f)
		return nil
	}
	return s.write(w, http.StatusOK, v)
}

// inTime refuses a request whose caller has given it up; see api.HeaderUntil.
func inTime(until string, now time.Time) error {
	if until == "" {
		return nil
	}
	end, err := strconv.ParseInt(until, 10, 64)
	if err != nil {
		return refuse(api.CodeBadRequest, "%s is no time in Unix milliseconds: %q", api.HeaderUntil, clip(until))
	}
	if now.After(time.UnixMilli(end)) {
		return refuse(api.CodeBusy, "the service came to this request after its caller had given it up, so nothing was done; ask once more")
	}
	return nil
}
