package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/service/capture/claudecode"
	"dormouse/service/capture/codex"
	"dormouse/service/capture/transcript"
	"dormouse/service/distill"
	"dormouse/store/memory"
	"dormouse/store/session"
)

// transcripts holds sessions as the capture parsers give them, with the turns that the session store would give them.
type transcripts struct {
	sessions map[string]*benchSession
	skipped  int
}

var errNoTranscripts = errors.New("no transcripts")

type benchSession struct {
	meta  memory.Session
	nodes []memory.Node
	links []session.Link
	turns map[int][]int // nodes by turn; made when it is asked for
}

// adapter is one agent's parser.
type adapter struct {
	agent, prefix string
	head          int
	match         func(path string, head []byte) bool
	identify      func(path string, head []byte, sidecar func(string) []byte) (transcript.File, bool)
	parser        func(transcript.Options) transcript.Parser
}

func adapters() []adapter {
	return []adapter{
		{codex.Agent, codex.Prefix, codex.HeadSize, isRollout, codex.Identify,
			func(o transcript.Options) transcript.Parser { return codex.New(o) }},
		{claudecode.Agent, claudecode.Prefix, claudecode.HeadSize, func(path string, _ []byte) bool { return claudecode.Match(path) }, claudecode.Identify,
			func(o transcript.Options) transcript.Parser { return claudecode.New(o) }},
	}
}

// isRollout tells a file of Codex by its name or, since benches keep files under other names, by its first record.
func isRollout(path string, head []byte) bool {
	return codex.Match(path) || strings.HasSuffix(path, ".jsonl") && bytes.Contains(head[:min(len(head), 4096)], []byte(`"session_meta"`))
}

// readTranscripts parses all transcripts below a folder, the files of one session together. A file belongs to the first
// adapter that knows it.
func readTranscripts(dir string) (*transcripts, error) {
	var paths []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look for transcripts below %s: %w", dir, err)
	}
	t := &transcripts{sessions: map[string]*benchSession{}}
	taken := map[string]bool{}
	for _, a := range adapters() {
		files := map[string][]transcript.File{}
		for _, path := range paths {
			if taken[path] || !strings.HasSuffix(path, ".jsonl") {
				continue
			}
			f, ok, err := identify(a, path)
			if err != nil {
				return nil, err
			}
			if ok {
				taken[path] = true
				files[f.Session] = append(files[f.Session], f)
			}
		}
		for _, id := range slices.Sorted(maps.Keys(files)) {
			if err := t.parse(a, id, files[id]); err != nil {
				return nil, err
			}
		}
	}
	if len(t.sessions) == 0 {
		return nil, fmt.Errorf("%w below %s", errNoTranscripts, dir)
	}
	return t, nil
}

func identify(a adapter, path string) (transcript.File, bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return transcript.File{}, false, fmt.Errorf("read transcript: %w", err)
	}
	defer f.Close()
	head := make([]byte, a.head)
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return transcript.File{}, false, fmt.Errorf("read transcript %s: %w", path, err)
	}
	if !a.match(path, head[:n]) {
		return transcript.File{}, false, nil
	}
	id, ok := a.identify(path, head[:n], func(p string) []byte {
		b, _ := os.ReadFile(p) // a sidecar that cannot be read is none
		return b
	})
	return id, ok, nil
}

// parse feeds one session's files to a parser, the main file first.
func (t *transcripts) parse(a adapter, id string, files []transcript.File) error {
	slices.SortFunc(files, func(a, b transcript.File) int {
		return strings.Compare(a.AgentID+"\x00"+a.Path, b.AgentID+"\x00"+b.Path)
	})
	skip := func(transcript.Skip) { t.skipped++ }
	p := a.parser(transcript.Options{Skip: skip})
	for _, f := range files {
		if err := feed(p, f, skip); err != nil {
			return err
		}
	}
	nodes, facts := p.Drain(transcript.Over), p.Facts()
	if facts.Own || len(nodes) == 0 {
		return nil
	}
	s := &benchSession{nodes: nodes, meta: memory.Session{ID: memory.SessionID(a.prefix, a.agent, id, 8), Agent: a.agent,
		AgentSessionID: id, Cwd: facts.Cwd, GitBranch: facts.GitBranch, Model: facts.Model, CreatedAt: facts.Created, UpdatedAt: facts.Updated,
		ProjectID: memory.Slug(filepath.Base(facts.Cwd))}}
	s.number()
	t.sessions[s.meta.ID] = s
	return nil
}

func feed(p transcript.Parser, f transcript.File, skip func(transcript.Skip)) error {
	in, err := os.Open(f.Path)
	if err != nil {
		return fmt.Errorf("read transcript: %w", err)
	}
	defer in.Close()
	p.Open(f)
	r := transcript.NewReader(in, f.Path, transcript.Place{}, 0, skip)
	for {
		line, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read transcript %s: %w", f.Path, err)
		}
		p.Feed(line)
	}
}

// number gives the nodes their turns: a prompt opens one, a sub-agent's nodes belong to the turn of the call that started it.
func (s *benchSession) number() {
	turnOf := map[string]int{}
	agents := map[string]int{}
	turn := 0
	for i := range s.nodes {
		n := &s.nodes[i]
		if n.StartsTurn() {
			turn++
		}
		n.Seq, n.Metadata.Turn = i+1, turn
		if a := n.Metadata.AgentID; a != "" {
			if by, ok := turnOf[string(n.CalledBy)]; ok {
				agents[a] = by
			}
			if at, ok := agents[a]; ok {
				n.Metadata.Turn = at
			}
		}
		turnOf[n.ID] = n.Metadata.Turn
		s.links = append(s.links, session.Link{ID: n.ID, Parent: n.ParentID, CalledBy: n.CalledBy, Seq: n.Seq, Turn: n.Metadata.Turn, Role: n.Role, Agent: n.Metadata.AgentID})
	}
}

// Meta is the session's description.
func (s *benchSession) Meta() memory.Session { return s.meta }

// Skeleton is the session without its contents.
func (s *benchSession) Skeleton() []session.Link { return s.links }

// Turn is the nodes of one turn.
func (s *benchSession) Turn(n int) ([]memory.Node, error) {
	s.index()
	out := make([]memory.Node, 0, len(s.turns[n]))
	for _, i := range s.turns[n] {
		out = append(out, s.nodes[i])
	}
	return out, nil
}

// index finds the nodes of each turn once.
func (s *benchSession) index() {
	if s.turns != nil {
		return
	}
	s.turns = map[int][]int{}
	for i := range s.nodes {
		t := s.nodes[i].Metadata.Turn
		s.turns[t] = append(s.turns[t], i)
	}
}

// List names all sessions.
func (t *transcripts) List() ([]memory.Session, error) {
	var out []memory.Session
	for _, id := range slices.Sorted(maps.Keys(t.sessions)) {
		out = append(out, t.sessions[id].meta)
	}
	return out, nil
}

// Open finds a session.
func (t *transcripts) Open(id string) (distill.Transcript, error) {
	s, ok := t.sessions[id]
	if !ok {
		return nil, fmt.Errorf("no session %s", id)
	}
	return s, nil
}

// Root is a session's first node.
func (t *transcripts) Root(id string) (string, error) {
	if s, ok := t.sessions[id]; ok && len(s.nodes) > 0 {
		return s.nodes[0].ID, nil
	}
	return "", nil
}

// predictions are the timeline and the person's wishes, in the order of session and time.
func (t *transcripts) predictions(s *memory.State) []prediction {
	sources := map[string]map[string][]string{}
	for id, x := range t.sessions {
		sources[id] = map[string][]string{}
		for i := range x.nodes {
			sources[id][x.nodes[i].ID] = x.nodes[i].Metadata.SourceIDs
		}
	}
	record := func(p memory.Provenance, kind, summary string, entities []string) prediction {
		out := prediction{Session: t.sessions[p.SessionID].meta.AgentSessionID, Kind: kind, Summary: summary, Entities: append([]string{}, entities...), UUIDs: []string{}}
		for _, n := range p.NodeIDs {
			for _, id := range sources[p.SessionID][n] {
				out.UUIDs = append(out.UUIDs, traceLineOf(id))
			}
		}
		return out
	}
	var out []prediction
	for _, e := range s.Timeline() {
		if e.SupersededBy == "" {
			out = append(out, record(e.Provenance, string(e.Kind), e.Summary, e.Entities))
		}
	}
	for _, f := range s.FactList() {
		if f.Wish() && f.SupersededBy == "" {
			out = append(out, record(f.Provenance, "preference", f.Object, nil))
		}
	}
	slices.SortStableFunc(out, func(a, b prediction) int { return strings.Compare(a.Session, b.Session) })
	return out
}
