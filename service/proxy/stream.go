package proxy

import (
	"bytes"
	"errors"
	"io"
	"net/http"
)

// stream passes server-sent events on as they come, each when it is whole, and shows them on the way. An event that a broken connection
// left in its middle is not passed on; what broke gives stands in its place.
type stream struct {
	src   io.ReadCloser
	see   func(event []byte)
	broke func() []byte
	// pass says what of an event is passed on, and whether another source follows it, which next gives, with what is said where there is
	// none. It is asked with nil when the source ends. Without it all is passed on.
	pass func(event []byte) (out []byte, over bool)
	next func() (src io.ReadCloser, said []byte)

	in   []byte // what was read and is not a whole event yet
	at   int    // in it: before that no event ends
	out  []byte // what is to be passed on
	err  error  // after that
	free bool   // an event was too long to be held: from here on bytes pass unread
}

func (s *stream) Read(p []byte) (int, error) {
	for len(s.out) == 0 {
		if s.err != nil {
			return 0, s.err
		}
		s.fill(p)
	}
	n := copy(p, s.out)
	s.out = s.out[n:]
	return n, nil
}

// fill reads on, through the memory that the caller lends.
func (s *stream) fill(p []byte) {
	n, err := s.src.Read(p)
	s.in = append(s.in, p[:n]...)
	s.out = s.out[:0]
	for !s.free {
		end := eventEnd(s.in[s.at:])
		if end < 0 {
			s.at = max(0, len(s.in)-4) // the end of a line, and half of another
			break
		}
		end, s.at = s.at+end, 0
		event := s.in[:end]
		s.in = s.in[end:]
		if s.take(event) {
			s.turn()
			return
		}
	}
	if s.free = s.free || len(s.in) > maxEvent; s.free {
		if s.pass != nil { // it could hold what the client is not to see
			s.out, s.in, s.err = append(s.out, s.broke()...), nil, io.EOF
			return
		}
		s.out, s.in = append(s.out, s.in...), nil
	}
	switch {
	case err == nil:
	case errors.Is(err, io.EOF):
		over := len(s.in) > 0 && s.take(s.in)
		if s.in = nil; over || s.pass != nil && s.take(nil) {
			s.turn()
			return
		}
		s.err = io.EOF
	default:
		s.err = err
		if said := s.broke(); len(said) > 0 && !s.free {
			s.out, s.err = append(s.out, said...), io.EOF
		}
		s.in = nil
	}
}

// take passes an event on, as far as it is.
func (s *stream) take(event []byte) (over bool) {
	if event != nil {
		s.see(event)
	}
	if s.pass != nil {
		event, over = s.pass(event)
	}
	s.out = append(s.out, event...)
	return over
}

// turn goes on with the next source.
func (s *stream) turn() {
	_ = s.src.Close() // all of it that counts was read
	src, said := s.next()
	s.out, s.in, s.at = append(s.out, said...), nil, 0
	if src == nil {
		s.src, s.err = http.NoBody, io.EOF
		return
	}
	s.src = src
}

func (s *stream) Close() error { return s.src.Close() }

// eventEnd is where the first event of a stream ends, the empty line included; -1 where none is whole.
func eventEnd(b []byte) int {
	for i := 0; ; {
		n := bytes.IndexAny(b[i:], "\r\n")
		if n < 0 {
			return -1
		}
		i += n
		first := lineEnd(b[i:])
		if first < 0 {
			return -1
		}
		second := lineEnd(b[i+first:])
		switch {
		case second < 0:
			return -1
		case second > 0:
			return i + first + second
		}
		i += first
	}
}

// lineEnd is the length of the end of a line at the beginning of a text: 0 for none, -1 where that is not known yet.
func lineEnd(b []byte) int {
	switch {
	case len(b) == 0:
		return -1
	case b[0] == '\n':
		return 1
	case b[0] != '\r':
		return 0
	case len(b) == 1:
		return -1
	case b[1] == '\n':
		return 2
	}
	return 1
}

// dataOf is what an event holds: its lines of data.
func dataOf(event []byte) []byte {
	var out []byte
	several := false
	for len(event) > 0 {
		line := event
		if i := bytes.IndexAny(event, "\r\n"); i >= 0 {
			line, event = event[:i], event[i+1:]
		} else {
			event = nil
		}
		rest, ok := bytes.CutPrefix(line, []byte("data:"))
		if !ok {
			continue
		}
		rest = bytes.TrimPrefix(rest, []byte(" "))
		if out == nil {
			out = rest
			continue
		}
		if !several {
			out, several = bytes.Clone(out), true
		}
		out = append(append(out, '\n'), rest...)
	}
	return out
}

// whole passes a body on as it comes and shows all of it at its end, if it is not too long.
type whole struct {
	src  io.ReadCloser
	done func(body []byte)
	all  []byte
	long bool
}

func (w *whole) Read(p []byte) (int, error) {
	n, err := w.src.Read(p)
	if !w.long {
		w.all = append(w.all, p[:n]...)
		if w.long = len(w.all) > maxRead; w.long {
			w.all = nil
		}
	}
	if errors.Is(err, io.EOF) && !w.long && w.done != nil {
		w.done(w.all)
		w.done = nil
	}
	return n, err
}

func (w *whole) Close() error { return w.src.Close() }
