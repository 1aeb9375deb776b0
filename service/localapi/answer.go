package localapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"
	"unicode/utf8"

	"dormouse/service/api"
	"dormouse/store/memory"
)

// statusOf gives each code of an api.Error its HTTP status.
var statusOf = map[string]int{
	api.CodeNotFound:    http.StatusNotFound,
	api.CodeElsewhere:   http.StatusNotFound,
	api.CodeAmbiguous:   http.StatusConflict,
	api.CodeBadRequest:  http.StatusBadRequest,
	api.CodeForbidden:   http.StatusForbidden,
	api.CodeUnknownHost: http.StatusConflict,
	api.CodeLogin:       http.StatusUnauthorized,
	api.CodeBusy:        http.StatusServiceUnavailable,
	api.CodeInternal:    http.StatusInternalServerError,
}

func refuse(code, format string, args ...any) *api.Error {
	return &api.Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// asError is what the client is told of an error.
func asError(err error) *api.Error {
	var e *api.Error
	switch {
	case errors.As(err, &e):
		// What was being done belongs to the message.
		return &api.Error{Code: e.Code, Message: err.Error(), Candidates: e.Candidates}
	case errors.Is(err, context.DeadlineExceeded):
		return refuse(api.CodeBusy, "the service is too busy to answer in time; try again")
	}
	return refuse(api.CodeInternal, "%v", err)
}

// fail writes an error, unless an answer was begun already, which then ends torn so that nobody takes it for whole.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil {
		return // nobody is there to be told
	}
	e := asError(err)
	status, ok := statusOf[e.Code]
	if !ok {
		status = http.StatusInternalServerError
	}
	if status == http.StatusInternalServerError {
		s.o.Log.Error("request failed", "path", r.URL.Path, "error", err)
	}
	if err := s.write(w, status, e); err != nil {
		s.o.Log.Debug("client left", "path", r.URL.Path, "error", err)
	}
}

// write sends one JSON document, without HTML escapes; nil is an empty answer.
func (s *Server) write(w http.ResponseWriter, status int, v any) error {
	if v == nil {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	b, err := memory.Encode(v)
	if err != nil {
		return err
	}
	// A client that does not take its answer is dropped; a test's recorder has no deadline to set.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(answerTime))
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(b)+1))
	w.WriteHeader(status)
	if _, err := w.Write(append(b, '\n')); err != nil {
		s.o.Log.Debug("client left", "error", err)
	}
	return nil
}

// clip keeps what is repeated from a request short.
func clip(s string) string {
	if len(s) <= 100 {
		return s
	}
	s = s[:100]
	for !utf8.ValidString(s) && len(s) > 96 {
		s = s[:len(s)-1]
	}
	return s + "…"
}
