package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// sessionFigures is what the sessions bench prints; a part that was not asked for is null.
type sessionFigures struct {
	Turn   []turnFigures  `json:"turn"`
	Pack   *packFigures   `json:"pack"`
	Import *importFigures `json:"import"`
	Open   *openFigures   `json:"open"`
	List   *listFigures   `json:"list"`
}

const sessionsHelp = `dormouse-bench sessions [flags]: speed and size of the sessions' repositories, on made-up sessions whose texts are cut from real
source code. Competitors run on the same nodes in the same run.

  turn    CPU of committing a turn, beside go-git's Worktree.Add + Commit and the git command; git status must be clean
  pack    files and bytes of sessions that were followed live and then went idle
  import  transcripts into sessions: nodes a second with and without redaction, peak private memory, bytes and files
  open    turns of a large session, what the model saw in one, its branches
  list    all sessions, for the first time after a start and again

Example: dormouse-bench sessions --parts turn,open --sizes 100,1000 --turns 5
         dormouse-bench sessions --parts import --scale 0.01

`

// sessionsOptions are the flags of the sessions bench.
type sessionsOptions struct {
	parts, sizes       []string
	corpus, dir        string
	seed               uint64
	turns              int
	scale              float64
	sessions, nodes    int
	largest, listCount int
	cpuProfile         string
}

func sessionsBench(args []string, stdout io.Writer) error {
	o, asJSON, err := parseSessions(args, stdout)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp(o.dir, "dormouse-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary folder
	stop, err := profile(o.cpuProfile)
	if err != nil {
		return err
	}
	fig, err := measureSessions(o, dir)
	stop()
	if err != nil {
		return err
	}
	if asJSON {
		return json.NewEncoder(stdout).Encode(fig)
	}
	return printSessions(stdout, fig)
}

func parseSessions(args []string, stdout io.Writer) (o sessionsOptions, asJSON bool, err error) {
	f := flag.NewFlagSet("sessions", flag.ContinueOnError)
	f.SetOutput(stdout)
	f.Usage = func() {
		_, _ = io.WriteString(stdout, sessionsHelp)
		f.PrintDefaults()
	}
	parts := f.String("parts", "turn,pack,import,open,list", "what to measure")
	sizes := f.String("sizes", "100,1000,5000,20000", "turn: nodes of the session that turns are added to")
	f.IntVar(&o.turns, "turns", 40, "turn: how many turns are committed, of go-git 3 at most, of git 5; every 32 turns the packs are folded")
	f.StringVar(&o.corpus, "corpus", "", "folder with source code to cut texts from; default: Go's own")
	f.StringVar(&o.dir, "dir", "", "folder to work in, which needs 10 GB for a whole run; a file system in memory, such as /dev/shm, keeps the neighbours' writes out of the figures; default: the system's folder for temporary files")
	f.Uint64Var(&o.seed, "seed", 1, "of chance")
	f.Float64Var(&o.scale, "scale", 1, "pack, import, open, list: part of the full size")
	f.IntVar(&o.sessions, "sessions", 3000, "import: how many sessions")
	f.IntVar(&o.nodes, "nodes", 1_000_000, "import: how many nodes they have together")
	f.IntVar(&o.largest, "largest", 20_000, "open: nodes of the session")
	f.IntVar(&o.listCount, "list", 10_000, "list: how many sessions")
	f.StringVar(&o.cpuProfile, "cpuprofile", "", "file for a CPU profile")
	f.BoolVar(&asJSON, "json", false, "print one JSON object")
	if err := f.Parse(args); err != nil {
		return o, false, err
	}
	o.parts, o.sizes = strings.Split(*parts, ","), strings.Split(*sizes, ",")
	for _, p := range o.parts {
		if !slices.Contains([]string{"turn", "pack", "import", "open", "list"}, p) {
			return o, false, fmt.Errorf("there is no part %q; see dormouse-bench sessions --help", p)
		}
	}
	if o.scale <= 0 || o.turns < 1 || f.NArg() > 0 {
		return o, false, fmt.Errorf("--scale and --turns must be above 0, and there are no arguments beside flags")
	}
	return o, asJSON, nil
}

// scaled is part of a full size, and at least 1.
func (o *sessionsOptions) scaled(full int) int { return max(1, int(float64(full)*o.scale)) }

func measureSessions(o sessionsOptions, dir string) (fig sessionFigures, err error) {
	for _, p := range o.parts {
		work := filepath.Join(dir, p)
		if err := os.MkdirAll(work, 0o700); err != nil {
			return fig, err
		}
		switch p {
		case "turn":
			fig.Turn, err = measureSizes(work, o)
		case "pack":
			fig.Pack, err = measurePack(work, o)
		case "import":
			fig.Import, err = measureImport(work, o)
		case "open":
			fig.Open, err = measureOpen(work, o)
		case "list":
			fig.List, err = measureList(work, o)
		}
		if err != nil { // nothing is removed before the end: on ext4 files are slow to make for a while after many were deleted
			return fig, fmt.Errorf("%s: %w", p, err)
		}
	}
	return fig, nil
}

func measureSizes(dir string, o sessionsOptions) (out []turnFigures, err error) {
	c, err := readCorpus(o.corpus, o.seed)
	if err != nil {
		return nil, err
	}
	for _, s := range o.sizes {
		size, err := strconv.Atoi(s)
		if err != nil || size < nodesATurn || size%nodesATurn != 0 {
			return nil, fmt.Errorf("--sizes: %q is not a multiple of %d", s, nodesATurn)
		}
		fig, err := measureTurns(filepath.Join(dir, s), c, size, o.turns)
		if err != nil {
			return nil, err
		}
		out = append(out, fig)
	}
	return out, nil
}

func printSessions(w io.Writer, f sessionFigures) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(format string, args ...any) { _, _ = fmt.Fprintf(t, format+"\n", args...) }
	if f.Turn != nil {
		row("CPU ms a turn of %d\tdormouse\tgo-git\tgit\tgo-git/dormouse\tgit/dormouse", nodesATurn)
	}
	for _, x := range f.Turn {
		row("%d nodes\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f", x.Nodes, x.Dormouse, x.GoGit, x.Git, x.ToGoGit, x.ToGit)
	}
	if p := f.Pack; p != nil {
		row("live, then idle\t%d sessions, %d nodes, %.1f MB of transcripts", p.Sessions, p.Nodes, p.RawMB)
		row("  while live\t%.2f of the raw bytes, %d files a session at most", p.LiveToRaw, p.LiveFiles)
		row("  packed\t%.2f of the raw bytes, %d files a session at most, %.1f CPU s", p.PackedToRaw, p.PackedFiles, p.PackCPU)
	}
	if p := f.Import; p != nil {
		row("import\t%d sessions, %d nodes, %.0f MB of transcripts", p.Sessions, p.Nodes, p.RawMB)
		row("  with redaction\t%.0f nodes a second, %.0f a CPU second; private memory %.0f MB at most", p.PerSecond, p.PerCPU, p.PeakMB)
		row("  without\t%.0f nodes a second, %.0f a CPU second; private memory %.0f MB at most", p.PlainPerSecond, p.PlainPerCPU, p.PlainPeakMB)
		row("  on disk\t%.2f of the raw bytes, %d files a session at most", p.DiskToRaw, p.MostFiles)
	}
	if p := f.Open; p != nil {
		row("newest turn of %d nodes\tfirst time %s, again %s", p.Nodes, p.First, p.Again)
		row("  turn in the middle\tfirst time %s", p.Middle)
		row("  its context, %d nodes\tfirst time %s", p.Seen, p.Context)
		row("  branches\tfirst time %s", p.Branches)
		row("  links of all nodes\tfirst time %s", p.Links)
	}
	if p := f.List; p != nil {
		row("list %d sessions\tfirst time %s, without the summary %s, again %s", p.Sessions, p.First, p.Without, p.Again)
	}
	return t.Flush()
}

// String shows the time of the clock and of CPU.
func (s span) String() string { return fmt.Sprintf("%.1f ms (%.1f of CPU)", s.Clock, s.CPU) }
