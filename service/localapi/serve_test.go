package localapi

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/service/api"
)

// serve runs a server on a real connection and returns a client, and a function that ends it and gives Run's result.
func serve(t *testing.T, o Options) (*http.Client, func() error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s")
	ln, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- New(o).Run(ctx, ln) }()
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", path)
	}}
	t.Cleanup(transport.CloseIdleConnections)
	end := func() error { cancel(); return <-done }
	t.Cleanup(cancel)
	return &http.Client{Transport: transport}, end
}

func open(t *testing.T, c *http.Client, method, path string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, "http://"+api.Host+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

func TestChangesReachSubscribersInOrder(t *testing.T) {
	hub := NewHub()
	c, end := serve(t, Options{Backend: Backend{Subscribe: hub.Subscribe}})
	resp := open(t, c, http.MethodGet, api.PathEvents)
	lines := bufio.NewScanner(resp.Body)
	if !lines.Scan() || lines.Text() != ": here" { // subscribed
		t.Fatalf("stream starts with %q", lines.Text())
	}
	hub.Publish(api.Change{Type: "capture", ID: "cc_1", At: 7})
	hub.Publish(api.Change{Type: "sleep_started", At: 8})
	var got []string
	for len(got) < 2 && lines.Scan() {
		if d, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			got = append(got, d)
		}
	}
	want := []string{`{"type":"capture","id":"cc_1","at":7}`, `{"type":"sleep_started","at":8}`}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q", got)
	}
	if err := end(); err != nil {
		t.Errorf("an open stream keeps the service from ending in order: %v", err)
	}
	for lines.Scan() { // the stream ends with the service
	}
}

func TestAQuietStreamShowsThatTheServiceLives(t *testing.T) {
	hub := NewHub()
	c, _ := serve(t, Options{Heartbeat: time.Millisecond, Backend: Backend{Subscribe: hub.Subscribe}})
	lines := bufio.NewScanner(open(t, c, http.MethodGet, api.PathEvents).Body)
	for beats := 0; beats < 3; {
		if !lines.Scan() {
			t.Fatalf("the stream ended: %v", lines.Err())
		}
		if strings.HasPrefix(lines.Text(), ":") {
			beats++
		}
	}
}

func TestASubscriberThatDoesNotKeepUpIsDroppedAndHoldsNobodyUp(t *testing.T) {
	hub := NewHub()
	slow, fast := hub.Subscribe(t.Context()), hub.Subscribe(t.Context())
	seen := 0
	for i := range 3 * lag {
		hub.Publish(api.Change{At: int64(i)})
		<-fast
		seen++
	}
	n := 0
	for range slow { // ends, since the hub has closed it
		n++
	}
	if n != lag || seen != 3*lag {
		t.Errorf("slow got %d, fast %d", n, seen)
	}
}

func TestASubscriptionEndsWithItsContext(t *testing.T) {
	hub := NewHub()
	ctx, cancel := context.WithCancel(t.Context())
	ch := hub.Subscribe(ctx)
	cancel()
	if _, ok := <-ch; ok {
		t.Error("a change from nowhere")
	}
	hub.Publish(api.Change{})
}

func TestADroppedSubscribersStreamEnds(t *testing.T) {
	ch := make(chan api.Change)
	close(ch)
	c, _ := serve(t, Options{Backend: Backend{Subscribe: func(context.Context) <-chan api.Change { return ch }}})
	if b, err := io.ReadAll(open(t, c, http.MethodGet, api.PathEvents).Body); err != nil || string(b) != here {
		t.Errorf("%q, %v", b, err)
	}
}

func TestTheEndWaitsForAnswersUnderWay(t *testing.T) {
	asked, leave := make(chan bool), make(chan bool)
	c, end := serve(t, Options{Grace: time.Minute, Backend: Backend{Sleep: func(ctx context.Context) (api.Slept, error) {
		close(asked)
		<-leave
		return api.Slept{}, ctx.Err()
	}}})
	status := make(chan int, 1)
	go func() {
		resp, err := c.Post("http://"+api.Host+api.PathSleep, "", nil)
		if err != nil {
			status <- 0
			return
		}
		_ = resp.Body.Close()
		status <- resp.StatusCode
	}()
	<-asked
	ended := make(chan error, 1)
	go func() { ended <- end() }()
	close(leave)
	if got := <-status; got != http.StatusOK {
		t.Errorf("the answer under way was lost: %d", got)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestAnAnswerThatNeverComesDoesNotHoldTheEnd(t *testing.T) {
	asked := make(chan bool)
	c, end := serve(t, Options{Grace: time.Millisecond, Backend: Backend{Sleep: func(ctx context.Context) (api.Slept, error) {
		close(asked)
		<-ctx.Done()
		return api.Slept{}, ctx.Err()
	}}})
	go func() {
		if resp, err := c.Post("http://"+api.Host+api.PathSleep, "", nil); err == nil {
			_ = resp.Body.Close()
		}
	}()
	<-asked
	if err := end(); err != nil {
		t.Error(err)
	}
}

func TestRunReportsADoorThatFails(t *testing.T) {
	ln, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	_ = ln.Close()
	if err := New(Options{}).Run(t.Context(), ln); !errors.Is(err, net.ErrClosed) {
		t.Errorf("%v", err)
	}
}

func TestStopAnswersBeforeTheServiceEnds(t *testing.T) {
	stop := make(chan bool, 1)
	c, end := serve(t, Options{Backend: Backend{Stop: func(context.Context) error { stop <- true; return nil }}})
	resp := open(t, c, http.MethodPost, api.PathStop)
	<-stop
	if resp.StatusCode != http.StatusNoContent {
		t.Errorf("status %d", resp.StatusCode)
	}
	if err := end(); err != nil {
		t.Error(err)
	}
}
