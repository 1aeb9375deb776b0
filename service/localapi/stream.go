package localapi

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"dormouse/service/api"
	"dormouse/store/memory"
)

// takeTime is how long a subscriber may take for one message before it is dropped.
const takeTime = 5 * time.Second

// here is the comment that says that the service is alive.
const here = ": here\n\n"

// stream sends changes as server-sent events until the client leaves, falls behind, or the service shuts down. A comment
// comes first and whenever it is quiet, so that a client can tell a quiet service from a hung one.
func (s *Server) stream(w http.ResponseWriter, r *http.Request) error {
	if s.o.Backend.Subscribe == nil {
		return notOffered()
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(s.closing, cancel)()
	changes := s.o.Backend.Subscribe(ctx)
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)

	beat := time.NewTicker(s.o.Heartbeat)
	defer beat.Stop()
	message := []byte(here)
	for {
		if err := push(w, message); err != nil {
			s.o.Log.Debug("subscriber dropped", "error", err)
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-beat.C:
			message = []byte(here)
		case c, ok := <-changes:
			if !ok {
				return nil
			}
			message = eventOf(c)
		}
	}
}

// eventOf is a change as a server-sent event. JSON has no line breaks, so its data is one line.
func eventOf(c api.Change) []byte {
	b, err := memory.Encode(c)
	if err != nil { // strings and a number always encode
		return []byte(here)
	}
	return fmt.Appendf(nil, "data: %s\n\n", b)
}

func push(w http.ResponseWriter, message []byte) error {
	control := http.NewResponseController(w)
	_ = control.SetWriteDeadline(time.Now().Add(takeTime)) // a test's recorder has none
	if _, err := w.Write(message); err != nil {
		return err
	}
	return control.Flush()
}
