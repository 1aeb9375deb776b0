package localapi

import (
	"context"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"time"

	"dormouse/service/api"
	"dormouse/store/memory"
)

// pieceBytes is how much of a file is in memory while it is sent.
const pieceBytes = 64 << 10

// hexStart is the beginning of a hash, or all of it.
var hexStart = regexp.MustCompile(`^[0-9a-f]{4,64}$`)

// fileTable lists the paths of a session's files. Sending one takes as long as its reader takes.
func (b *Backend) fileTable() map[string]route {
	return map[string]route{api.PathSessionFile: {method: http.MethodGet, params: []string{"id", "node", "sha256"}, answer: ignoring(b.file)}}
}

func (b *Backend) file(ctx context.Context, p *params) (any, error) {
	q := api.FileQuery{ID: p.needed("id"), Node: p.text("node"), SHA256: p.needed("sha256")}
	if !hexStart.MatchString(q.SHA256) {
		p.wrong("sha256 has to be 4 to 64 of the digits 0-9 and a-f")
	}
	if err := p.check(b.File != nil); err != nil {
		return nil, err
	}
	f, content, err := b.File(ctx, q)
	if err != nil {
		return nil, err
	}
	return fileAnswer{f, content}, nil
}

// fileAnswer is an answer that is sent as it is.
type fileAnswer struct {
	file    memory.File
	content io.ReadCloser
}

// send writes a file in pieces. When it cannot be read to its end, or its client is too slow for a piece, the answer ends before its
// announced length, so that nobody takes it for whole.
func (s *Server) send(w http.ResponseWriter, r *http.Request, a fileAnswer) {
	defer a.content.Close() //nolint:errcheck // opened for reading
	h := w.Header()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Content-Length", strconv.FormatInt(a.file.Bytes, 10))
	h.Set(api.HeaderSHA256, a.file.SHA256)
	w.WriteHeader(http.StatusOK)
	if _, err := io.CopyBuffer(&pieces{w: w}, onlyReader{a.content}, make([]byte, pieceBytes)); err != nil && r.Context().Err() == nil {
		s.o.Log.Warn("a file was not sent to its end", "file", a.file.Path, "error", err)
	}
}

// pieces gives the client new time for each piece.
type pieces struct{ w http.ResponseWriter }

func (p *pieces) Write(b []byte) (int, error) {
	_ = http.NewResponseController(p.w).SetWriteDeadline(time.Now().Add(answerTime)) // a test's recorder has none
	return p.w.Write(b)
}

// onlyReader hides what could copy a file in one go.
type onlyReader struct{ io.Reader }
