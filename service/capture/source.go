package capture

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/service/capture/transcript"
	"github.com/tidwall/gjson"
)

// source is one file of a session that is being read.
type source struct {
	file  transcript.File
	in    *content
	lines *transcript.Reader
	limit int64 // read no further, in bytes; 0 = to the end
	next  transcript.Line
	ready bool
	end   bool
	stamp string // time of next, or of the line before it that had one
}

// openSource opens a file at a place. A file that is gone is not an error: nil.
func openSource(file transcript.File, at transcript.Place, skip func(transcript.Skip)) (*source, error) {
	in, err := openContent(file.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := in.skip(at.Offset); err != nil {
		in.close()
		return nil, err
	}
	return &source{file: file, in: in, lines: transcript.NewReader(in, file.Path, at, 0, skip)}, nil
}

// peek makes the next line ready. Times are only looked at where files have to be merged.
func (s *source) peek(merge bool) error {
	if s.ready || s.end {
		return nil
	}
	l, err := s.lines.Next()
	if errors.Is(err, io.EOF) {
		s.end = true
		return nil
	}
	if err != nil {
		return err
	}
	if s.limit > 0 && max(l.Offset+int64(len(l.Data)), s.lines.Place().Offset-2) > s.limit { // a line may have been longer than it is
		s.end = true
		return nil
	}
	s.next, s.ready = l, true
	if merge {
		if t := gjson.GetBytes(l.Data, "timestamp"); t.Type == gjson.String {
			s.stamp = strings.Clone(t.Str)
		}
	}
	return nil
}

// merged reads the files of a session together, by the times of their lines, so that what a sub-agent did comes between the
// call that started it and the call's result. Each file keeps its own order; of equal times the file that is named first
// comes first. Copies are read one after the other, the shortest first: line by line in turns each record would come twice while
// what it belongs to is still being read. use is told of each line.
func merged(sources []*source, use func(*source, transcript.Line) error) error {
	before := copiesBefore(sources)
	for {
		var best *source
		for _, s := range sources {
			if slices.ContainsFunc(before[s], func(b *source) bool { return !b.end }) {
				continue
			}
			if err := s.peek(len(sources) > 1); err != nil {
				return err
			}
			if s.ready && (best == nil || s.stamp < best.stamp) {
				best = s
			}
		}
		if best == nil && slices.ContainsFunc(sources, func(s *source) bool { return !s.end }) {
			continue // what waited for a copy may begin
		}
		if best == nil {
			return nil
		}
		best.ready = false
		if err := use(best, best.next); err != nil {
			return err
		}
	}
}

// copiesBefore are, of each file that has copies, those that are to be read before it. Sizes are asked for once: of files that grow
// meanwhile each could wait for the other.
func copiesBefore(sources []*source) map[*source][]*source {
	sizes := make([]int64, len(sources))
	for i, s := range sources {
		sizes[i] = s.size()
	}
	out := map[*source][]*source{}
	for i, s := range sources {
		for j, other := range sources {
			if i != j && copies(s.file, other.file) && (sizes[j] < sizes[i] || sizes[j] == sizes[i] && j < i) {
				out[s] = append(out[s], other)
			}
		}
	}
	return out
}

// copies reports whether two files of a session are one at two places, such as a rollout that was archived: they have one name, which
// names the session or the part of it that they hold.
func copies(a, b transcript.File) bool {
	name := strings.TrimSuffix(filepath.Base(a.Path), packedSuffix)
	return a.AgentID == b.AgentID && a.Part == b.Part && name == strings.TrimSuffix(filepath.Base(b.Path), packedSuffix) &&
		(strings.Contains(name, a.Session) || a.Part != "" && strings.Contains(name, a.Part))
}

// size is how long the file is, in bytes as it lies on the disk; 0 where that cannot be told.
func (s *source) size() int64 {
	info, err := s.in.file.Stat()
	if err != nil {
		return 0
	}
	return info.Size()
}

// cursor is the cursor of a file that was read to the end of what is complete.
func (s *source) cursor() (fileCursor, error) {
	info, err := s.in.file.Stat()
	if err != nil {
		return fileCursor{}, err
	}
	st, at := statOf(info), s.lines.Place()
	c := fileCursor{File: s.file, Size: st.size, Mtime: st.mtime, Inode: st.inode, Place: at}
	c.Window, err = fingerprint(s.in.file, c.compared())
	return c, err
}

func readHead(path string, n int) ([]byte, error) {
	in, err := openContent(path)
	if err != nil {
		return nil, err
	}
	defer in.close()
	return io.ReadAll(io.LimitReader(in, int64(n)))
}
