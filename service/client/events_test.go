package client

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// streaming answers with text and then keeps the stream open until the reader leaves, or ends it.
func streaming(text string, keep bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, text)
		_ = http.NewResponseController(w).Flush()
		if keep {
			<-r.Context().Done()
		}
	}
}

const two = ": here\n\ndata: {\"type\":\"capture\",\"id\":\"cc_1\",\"at\":7}\n\n: here\n\ndata: {\"type\":\"status\",\"at\":8}\n\n"

func TestEventsComeInOrderAndTheEndIsTold(t *testing.T) {
	c := connect(t, Options{Home: service(t, streaming(two, false))})
	var got []string
	var end error
	for ch, err := range c.Events(t.Context()) {
		if err != nil {
			end = err
			continue
		}
		got = append(got, ch.Type+ch.ID)
	}
	if strings.Join(got, " ") != "capturecc_1 status" || !errors.Is(end, io.EOF) {
		t.Errorf("got %q, then %v", got, end)
	}
}

func TestAReaderMayLeaveAnyTime(t *testing.T) {
	c := connect(t, Options{Home: service(t, streaming(two, true))})
	n := 0
	for _, err := range c.Events(t.Context()) {
		if err != nil {
			t.Error(err)
		}
		n++
		break
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, err := range c.Events(ctx) {
		if err != nil {
			t.Error(err)
		}
		n++
		cancel()
	}
	if n < 2 {
		t.Errorf("%d changes", n)
	}
}

func TestASilentStreamCountsAsHung(t *testing.T) {
	c := connect(t, Options{Home: service(t, streaming(": here\n\n", true)), Silence: 20 * time.Millisecond})
	for _, err := range c.Events(t.Context()) {
		if !errors.Is(err, ErrHung) {
			t.Errorf("%v", err)
		}
	}
}

func TestABrokenStreamIsAnError(t *testing.T) {
	refused := func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"error":"no such thing","code":"not_found"}`)
	}
	for want, h := range map[string]http.HandlerFunc{"read the event stream": streaming("data: {\n\n", true), "no such thing": refused} {
		n := 0
		for _, err := range connect(t, Options{Home: service(t, h)}).Events(t.Context()) {
			n++
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v", err)
			}
		}
		if n != 1 {
			t.Errorf("%q is told %d times", want, n)
		}
	}
	for _, err := range connect(t, Options{Home: t.TempDir()}).Events(t.Context()) {
		if !errors.Is(err, ErrNotRunning) {
			t.Errorf("%v", err)
		}
	}
}
