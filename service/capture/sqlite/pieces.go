package sqlite

import (
	"context"
	"errors"
	"io"
)

// Long is how long a value is, in bytes, that is better read in pieces: taken apart it costs several times its size.
const Long = 4 << 20

// pieceBytes is how much of a value is asked for at once. SQLite has all of it in memory for that.
const pieceBytes = 4 << 20

// Value reads one value in pieces. query asks for a piece as "substr(CAST(column AS BLOB), ?, ?)"; args stand for its other marks.
func (db *DB) Value(ctx context.Context, query string, args ...any) io.Reader {
	return &pieces{ask: func(at int) (piece []byte, err error) {
		err = db.Query(ctx, func(r Row) error {
			piece, _ = r[0].([]byte)
			return nil
		}, query, append([]any{at, pieceBytes}, args...)...)
		return piece, err
	}, at: 1}
}

// pieces is an io.Reader of what it asks for.
type pieces struct {
	ask  func(at int) ([]byte, error)
	at   int // of the next piece, from 1
	rest []byte
}

func (p *pieces) Read(to []byte) (int, error) {
	if p.ask == nil {
		return 0, io.EOF
	}
	if len(p.rest) == 0 {
		piece, err := p.ask(p.at)
		if err != nil {
			return 0, errors.Join(err, errHalf)
		}
		p.rest = piece
		p.at += len(piece)
	}
	n := copy(to, p.rest)
	if p.rest = p.rest[n:]; n == 0 && len(to) > 0 {
		p.ask = nil
		return 0, io.EOF
	}
	return n, nil
}

var errHalf = errors.New("a value was read in part")
