package proxy

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// errorBody is an error as the provider of a form tells it, so that its clients understand what the proxy has to say.
func errorBody(f form, status int, message string) []byte {
	var v any
	switch f {
	case messages:
		v = map[string]any{"type": "error", "error": map[string]any{"type": anthropicError(status), "message": message}}
	case generate:
		v = map[string]any{"error": map[string]any{"code": status, "message": message, "status": googleError(status)}}
	default:
		v = map[string]any{"error": map[string]any{"message": message, "type": openAIError(status), "param": nil, "code": nil}}
	}
	b, _ := json.Marshal(v) // of texts and numbers
	return b
}

func anthropicError(status int) string {
	switch status {
	case http.StatusUnauthorized:
		return "authentication_error"
	case http.StatusForbidden:
		return "permission_error"
	case http.StatusNotFound:
		return "not_found_error"
	case http.StatusRequestEntityTooLarge:
		return "request_too_large"
	}
	return "api_error"
}

func openAIError(status int) string {
	if status >= http.StatusInternalServerError {
		return "server_error"
	}
	return "invalid_request_error"
}

func googleError(status int) string {
	switch status {
	case http.StatusUnauthorized:
		return "UNAUTHENTICATED"
	case http.StatusForbidden:
		return "PERMISSION_DENIED"
	case http.StatusNotFound:
		return "NOT_FOUND"
	case http.StatusRequestEntityTooLarge:
		return "INVALID_ARGUMENT"
	}
	return "UNAVAILABLE"
}

// errorEvent is how a stream of a form tells that it broke. sequence is the number that the stream's next event has to have, where
// its events are numbered.
func errorEvent(f form, message string, sequence int64) []byte {
	switch f {
	case messages:
		return fmt.Appendf(nil, "event: error\ndata: %s\n\n", errorBody(f, http.StatusBadGateway, message))
	case responses:
		b, _ := json.Marshal(map[string]any{"type": "error", "code": "server_error", "message": message, "param": nil, "sequence_number": sequence})
		return fmt.Appendf(nil, "event: error\ndata: %s\n\n", b)
	}
	return fmt.Appendf(nil, "data: %s\n\n", errorBody(f, http.StatusBadGateway, message))
}

// refuse answers a request that goes no further.
func refuse(w http.ResponseWriter, f form, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(errorBody(f, status, message)) // the client left
}
