package mcptools

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"time"
)

// cursors makes and reads cursors. They hold a place and what they are for, signed with a key that lives as long as the process.
type cursors struct {
	key [32]byte
	now func() time.Time
}

// cursorAge is how long a cursor can be used: what it counts from changes.
const cursorAge = time.Hour

var (
	errCursor    = errors.New("this cursor is none of this server's (it may be from before a restart); ask again without one")
	errCursorOld = errors.New("this cursor is too old, and what it counts from may have changed; ask again without one")
	errCursorFor = errors.New("this cursor belongs to other arguments; repeat them as they were, or ask again without one")
)

const (
	cursorBody = 4 + 8 + 8 // place, time, question
	cursorSum  = 10
)

// make is the cursor for a place in the answer to a question.
func (c *cursors) make(question string, at int) string {
	b := make([]byte, cursorBody, cursorBody+cursorSum)
	binary.BigEndian.PutUint32(b, uint32(at))
	binary.BigEndian.PutUint64(b[4:], uint64(c.now().Unix()))
	sum := sha256.Sum256([]byte(question))
	copy(b[12:], sum[:8])
	return base64.RawURLEncoding.EncodeToString(append(b, c.sum(b)...))
}

func (c *cursors) sum(b []byte) []byte {
	m := hmac.New(sha256.New, c.key[:])
	m.Write(b)
	return m.Sum(nil)[:cursorSum]
}

// read is the place that a cursor names; 0 for none.
func (c *cursors) read(question, cursor string) (int, error) {
	if cursor == "" {
		return 0, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(b) != cursorBody+cursorSum || !hmac.Equal(b[cursorBody:], c.sum(b[:cursorBody])) {
		return 0, errCursor
	}
	made := time.Unix(int64(binary.BigEndian.Uint64(b[4:])), 0)
	if age := c.now().Sub(made); age > cursorAge || age < -time.Minute {
		return 0, errCursorOld
	}
	sum := sha256.Sum256([]byte(question))
	if string(b[12:cursorBody]) != string(sum[:8]) {
		return 0, errCursorFor
	}
	return int(binary.BigEndian.Uint32(b)), nil
}
