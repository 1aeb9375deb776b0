package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"
	"time"

	"dormouse/store/memory"
	"dormouse/store/session"
)

// packFigures compares sessions that were followed live, before and after they were packed.
type packFigures struct {
	Sessions    int     `json:"sessions"`
	Nodes       int     `json:"nodes"`
	RawMB       float64 `json:"raw_mb"` // of the transcripts, 10^6 bytes
	LiveToRaw   float64 `json:"live_disk_to_raw"`
	LiveFiles   int     `json:"live_most_files"`
	PackedToRaw float64 `json:"packed_disk_to_raw"`
	PackedFiles int     `json:"packed_most_files"`
	PackCPU     float64 `json:"pack_cpu_seconds"`
}

// livePacked is how many sessions the pack part follows live, and liveNodes the mean of their nodes.
const livePacked, liveNodes = 30, 333

func measurePack(dir string, o sessionsOptions) (*packFigures, error) {
	c, err := readCorpus(o.corpus, o.seed)
	if err != nil {
		return nil, err
	}
	fig := &packFigures{Sessions: o.scaled(livePacked)}
	s := session.New(session.Options{Dir: filepath.Join(dir, "sessions"), Machine: "bench"})
	var all []*session.Session
	for i := range fig.Sessions {
		n := max(1, c.size(liveNodes/2, sessionSpread, 5000)/nodesATurn) * nodesATurn
		raw, err := c.writeTranscript(filepath.Join(dir, "raw.jsonl"), i, n)
		if err != nil {
			return nil, err
		}
		x, err := s.Ensure(memory.Session{Agent: "bench", AgentSessionID: sessionUUID(i)}, "b")
		if err != nil {
			return nil, err
		}
		nodes := c.session(n)
		for turn := range slices.Chunk(nodes, nodesATurn) {
			if err := appendAll(x, false, turn); err != nil {
				return nil, err
			}
		}
		fig.Nodes += len(nodes)
		fig.RawMB += float64(raw) / 1e6
		all = append(all, x)
	}
	live, files, err := sessionsOnDisk(filepath.Join(dir, "sessions"))
	if err != nil {
		return nil, err
	}
	fig.LiveToRaw, fig.LiveFiles = float64(live)/fig.RawMB/1e6, files
	begin := cpuSeconds()
	for _, x := range all {
		if err := x.Compact(); err != nil {
			return nil, err
		}
	}
	fig.PackCPU = cpuSeconds() - begin
	packed, files, err := sessionsOnDisk(filepath.Join(dir, "sessions"))
	fig.PackedToRaw, fig.PackedFiles = float64(packed)/fig.RawMB/1e6, files
	return fig, err
}

// span is how long something takes: the medians of some tries, in milliseconds.
type span struct {
	Clock float64 `json:"clock_ms"`
	CPU   float64 `json:"cpu_ms"`
}

// openFigures is how long parts of a large session take a store that has not seen it, and for the newest turn one that has: turns with
// their commits, the context of the turn in the middle, the branches, the links of all nodes.
type openFigures struct {
	Nodes    int  `json:"nodes"`
	First    span `json:"first"`
	Again    span `json:"again"`
	Middle   span `json:"middle"`
	Context  span `json:"context_of_the_middle"`
	Seen     int  `json:"nodes_in_that_context"`
	Branches span `json:"branches"`
	Links    span `json:"links"`
}

func measureOpen(dir string, o sessionsOptions) (*openFigures, error) {
	c, err := readCorpus(o.corpus, o.seed)
	if err != nil {
		return nil, err
	}
	size := max(2, o.scaled(o.largest)/nodesATurn) * nodesATurn
	opts := session.Options{Dir: filepath.Join(dir, "sessions"), Machine: "bench"}
	x, err := session.New(opts).Ensure(memory.Session{Agent: "bench", AgentSessionID: "large"}, "b")
	if err != nil {
		return nil, err
	}
	if err := c.appendLarge(x, size); err != nil {
		return nil, err
	}
	id := x.Meta().ID
	fig := &openFigures{Nodes: size}
	var s *session.Store
	again := func(do func(*session.Session) error) func() error {
		return func() error {
			x, err := s.Open(id)
			if err == nil {
				err = do(x)
			}
			return err
		}
	}
	fresh := func(do func(*session.Session) error) func() error {
		return func() error {
			s = session.New(opts)
			return again(do)()
		}
	}
	newest, middle := turnShown(size/nodesATurn), turnShown(size/nodesATurn/2)
	for _, m := range []struct {
		into *span
		do   func() error
	}{{&fig.First, fresh(newest)}, {&fig.Again, again(newest)}, {&fig.Middle, fresh(middle)}, {&fig.Context, fresh(fig.context)},
		{&fig.Branches, fresh(branchesShown)}, {&fig.Links, fresh(fig.links)}} {
		if *m.into, err = medianTime(7, m.do); err != nil {
			return nil, err
		}
	}
	return fig, nil
}

// turnShown reads a turn and finds its commit.
func turnShown(n int) func(*session.Session) error {
	return func(x *session.Session) error {
		nodes, err := x.Turn(n)
		if err == nil && len(nodes) != nodesATurn {
			err = fmt.Errorf("turn %d has %d nodes", n, len(nodes))
		}
		if err != nil {
			return err
		}
		_, ok, err := x.CommitOfTurn(n)
		if err == nil && !ok {
			err = fmt.Errorf("turn %d has no commit", n)
		}
		return err
	}
}

// context finds what the model saw in the middle turn, with the beginning of each node.
func (fig *openFigures) context(x *session.Session) error {
	sha, _, err := x.CommitOfTurn(fig.Nodes / nodesATurn / 2)
	if err != nil {
		return err
	}
	c, err := x.Context(sha)
	if err != nil {
		return err
	}
	ids := make([]string, len(c.Views[0].Items))
	for i, it := range c.Views[0].Items {
		ids[i] = it.ID
	}
	fig.Seen = len(ids)
	_, err = x.Peek(ids, 640)
	return err
}

func branchesShown(x *session.Session) error {
	list, err := x.Branches()
	if err == nil && len(list) != 1 {
		err = fmt.Errorf("the session has %d branches", len(list))
	}
	return err
}

func (fig *openFigures) links(x *session.Session) error {
	if n := len(x.Skeleton()); n != fig.Nodes {
		return fmt.Errorf("the session has %d links", n)
	}
	return nil
}

// appendLarge imports a session in steps, as a transcript is read.
func (c *corpus) appendLarge(x *session.Session, size int) error {
	b := x.Begin(true)
	defer b.Abort()
	parent := memory.Ref("")
	for turn := 1; turn <= size/nodesATurn; turn++ {
		for _, n := range c.turn(0, turn, parent) {
			if _, err := b.Append(n); err != nil {
				return err
			}
			parent = memory.Ref(n.ID)
		}
	}
	return b.Close(true)
}

// medianTime is the middle time of some tries.
func medianTime(tries int, do func() error) (span, error) {
	var clock, cpu []float64
	for range tries {
		runtime.GC() // what came before is not this try's
		began, used := time.Now(), cpuSeconds()
		if err := do(); err != nil {
			return span{}, err
		}
		clock = append(clock, float64(time.Since(began).Microseconds())/1000)
		cpu = append(cpu, 1000*(cpuSeconds()-used))
	}
	slices.Sort(clock)
	slices.Sort(cpu)
	return span{clock[tries/2], cpu[tries/2]}, nil
}

// listFigures is how long a list of all sessions takes a store that was just made, with the summary that one before it left and without,
// and again.
type listFigures struct {
	Sessions int  `json:"sessions"`
	Without  span `json:"without_summary"`
	First    span `json:"first"`
	Again    span `json:"again"`
}

func measureList(dir string, o sessionsOptions) (*listFigures, error) {
	fig := &listFigures{Sessions: o.scaled(o.listCount)}
	opts := session.Options{Dir: filepath.Join(dir, "sessions"), Machine: "bench", Summary: filepath.Join(dir, "summary")}
	for i := range fig.Sessions {
		m := memory.Session{ID: fmt.Sprintf("cc_%08x", i), Title: fmt.Sprintf("Mend the parser of module %d and its tests", i), Agent: "claude-code",
			AgentSessionID: sessionUUID(i), ProjectID: fmt.Sprintf("proj_%08x", i%50), Cwd: fmt.Sprintf("/home/dev/work/app%d", i%50), GitBranch: "main",
			Model: "m-1", CreatedAt: firstTime, UpdatedAt: int64(firstTime + i), Machine: "bench", Nodes: 333, Turns: 60, TitleBy: "excerpt"}
		data, err := memory.Encode(m)
		if err != nil {
			return nil, err
		}
		folder := filepath.Join(opts.Dir, m.ID)
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(folder, "meta.json"), data, 0o600); err != nil {
			return nil, err
		}
	}
	var s *session.Store
	list := func() error {
		valid, _, err := s.List()
		if err == nil && len(valid) != fig.Sessions {
			err = fmt.Errorf("%d of %d sessions are listed", len(valid), fig.Sessions)
		}
		return err
	}
	fresh := func() error {
		s = session.New(opts)
		return list()
	}
	time.Sleep(2 * time.Second) // what was written just now is not remembered
	for _, m := range []struct {
		into  *span
		do    func() error
		after func() error
	}{{&fig.Without, fresh, func() error { return s.KeepList() }}, {&fig.First, fresh, nil}, {&fig.Again, list, nil}} {
		var err error
		if *m.into, err = medianTime(5, m.do); err == nil && m.after != nil {
			err = m.after()
		}
		if err != nil {
			return nil, err
		}
	}
	return fig, nil
}

// profile writes a CPU profile to a file until stop is called; an empty name means none.
func profile(name string) (stop func(), err error) {
	if name == "" {
		return func() {}, nil
	}
	f, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, err
	}
	return func() {
		pprof.StopCPUProfile()
		_ = f.Close()
	}, nil
}
