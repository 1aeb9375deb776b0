package aider

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"dormouse/service/capture/document"
	"dormouse/service/capture/share"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// History is one history: a transcript.Library whose sessions are its runs.
type History struct {
	path  string
	opts  transcript.Options
	in    *os.File // of the newest listing, while the history is open
	lines *transcript.Reader
	room  []byte         // of the parsers
	runs  []run          // of the newest listing
	at    map[string]int // where each lies in runs
}

// run is where a run lies in the file.
type run struct {
	session  string
	started  time.Time
	from, to int64 // bytes
	line     int   // before its first
	asked    bool  // the person said something
	version  uint64
}

var header = regexp.MustCompile(`^# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*$`)

// begins begins each header, which few lines do: most need not be matched.
const begins = "# aider chat started"

// headerOf matches a line that is a header; its second part is the time.
func headerOf(line []byte) [][]byte {
	if !bytes.HasPrefix(line, []byte(begins)) {
		return nil
	}
	return header.FindSubmatch(line)
}

// Close closes the file.
func (h *History) Close() error {
	in := h.in
	h.in = nil
	if in == nil {
		return nil
	}
	return in.Close()
}

// List tells of the runs in which the person said something.
func (h *History) List(ctx context.Context, use func(transcript.Entry) error) error {
	if err := h.look(ctx); err != nil {
		return err
	}
	for _, r := range h.runs {
		if !r.asked {
			continue
		}
		e := transcript.Entry{Session: r.session, Version: strconv.FormatInt(r.to-r.from, 36) + "." + strconv.FormatUint(r.version, 36),
			Updated: r.started.Unix(), Bytes: r.to - r.from}
		if err := use(e); err != nil {
			return err
		}
	}
	return nil
}

// look finds the runs.
func (h *History) look(ctx context.Context) error {
	_ = h.Close()
	in, err := share.Open(h.path)
	if errors.Is(err, fs.ErrNotExist) {
		h.runs, h.at = nil, nil
		return nil
	}
	if err != nil {
		return fmt.Errorf("open the history: %w", err)
	}
	h.in, h.runs, h.at = in, nil, map[string]int{}
	lines := transcript.NewReader(in, h.path, transcript.Place{}, 0, nil) // what is too long is counted with its run
	h.lines = lines
	times, sum := map[string]int{}, fnv.New64a()
	for {
		l, err := lines.Next()
		if errors.Is(err, io.EOF) {
			h.ended(lines.Place().Offset)
			return ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", h.path, err)
		}
		if m := headerOf(l.Data); m != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			sum.Reset()
			h.ended(l.Offset)
			h.begin(string(m[1]), l, times)
		}
		if len(h.runs) == 0 {
			continue // what stands before the first run
		}
		_, _ = sum.Write(append(l.Data, '\n')) // never fails
		r := &h.runs[len(h.runs)-1]
		r.to, r.version = lines.Place().Offset, sum.Sum64()
		r.asked = r.asked || strings.HasPrefix(string(l.Data[:min(len(l.Data), 5)]), asks)
	}
}

// ended says where the newest run ends, which may be behind lines that are too long.
func (h *History) ended(at int64) {
	if n := len(h.runs); n > 0 {
		h.runs[n-1].to = at
	}
}

// begin begins a run. Two that started in the same second are told apart by their order.
func (h *History) begin(stamp string, l transcript.Line, times map[string]int) {
	started, err := time.ParseInLocation(time.DateTime, stamp, time.Local)
	if err != nil {
		started = time.Time{} // no such day
	}
	id := filepath.Base(filepath.Dir(h.path)) + "/" + strings.ReplaceAll(stamp, " ", "T")
	times[id]++
	if n := times[id]; n > 1 {
		id += "." + strconv.Itoa(n)
	}
	h.at[id] = len(h.runs)
	h.runs = append(h.runs, run{session: id, started: started, from: l.Offset, to: l.Offset, line: l.Number - 1})
}

// drainBytes is after how much of a run its nodes are handed on, in bytes.
const drainBytes = 1 << 20

// Read reads one run.
func (h *History) Read(ctx context.Context, session string, how transcript.Settle, use func(memory.Node) error) (transcript.Facts, error) {
	if h.in == nil {
		if err := h.look(ctx); err != nil {
			return transcript.Facts{}, err
		}
	}
	if i, ok := h.at[session]; ok {
		return h.read(ctx, h.runs[i], how, use)
	}
	return transcript.Facts{}, fmt.Errorf("the run %s is not in %s any more", session, h.path)
}

func (h *History) read(ctx context.Context, r run, how transcript.Settle, use func(memory.Node) error) (transcript.Facts, error) {
	p := newParser(h.path, r, h.opts, h.room)
	defer func() { h.room = p.room }()
	h.lines.Again(io.NewSectionReader(h.in, r.from, r.to-r.from), transcript.Place{Line: r.line}, h.opts.Skip)
	for since := 0; ; {
		l, err := h.lines.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return p.b.Facts, fmt.Errorf("read %s: %w", h.path, err)
		}
		p.line(string(l.Data), l.Number)
		if since += len(l.Data); since > drainBytes {
			since = 0
			if err := document.HandOn(ctx, p.b.Drain(transcript.Growing), use); err != nil {
				return p.b.Facts, err
			}
		}
	}
	switch last := h.runs[len(h.runs)-1].session == r.session; {
	case !last:
		p.end(transcript.Over)
	case how != transcript.Growing:
		p.end(how)
	}
	nodes := p.b.Drain(how)
	if h.runs[len(h.runs)-1].session != r.session {
		return p.b.Facts, document.HandOn(ctx, nodes, use)
	}
	if info, err := h.in.Stat(); err == nil {
		p.b.Facts.Updated = max(p.b.Facts.Updated, info.ModTime().Unix()) // the newest run may go on
	}
	return p.b.Facts, document.HandOn(ctx, nodes, use)
}
