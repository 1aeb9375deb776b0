package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"
	"time"

	"dormouse/service/capture"
	"dormouse/service/capture/aider"
	"dormouse/service/capture/codex"
	"dormouse/service/recall"
	"dormouse/service/redact"
	"dormouse/store/index"
	"dormouse/store/memory"
	"dormouse/store/session"
)

// captureFigures is what the capture bench prints. Times are of CPU; rates use 10^6 bytes.
type captureFigures struct {
	Agent       string         `json:"agent"`
	Files       int            `json:"files"`
	Sessions    int            `json:"sessions"`
	Nodes       int            `json:"nodes"`
	Megabytes   float64        `json:"megabytes"` // of transcripts
	CPUSeconds  float64        `json:"cpu_seconds"`
	MBPerCPU    float64        `json:"mb_per_cpu_second"`
	NodesPerCPU float64        `json:"nodes_per_cpu_second"`
	PlainMBPer  float64        `json:"mb_per_cpu_second_without_redaction"`
	Again       float64        `json:"second_scan_cpu_seconds"`
	IndexCPU    float64        `json:"index_cpu_seconds"`
	DiskBytes   int64          `json:"disk_bytes"`
	DiskFiles   int            `json:"disk_files"`
	DiskToRaw   float64        `json:"disk_to_raw"`
	PeakMB      float64        `json:"peak_private_mb"`
	Skipped     map[string]int `json:"skipped"`
	Problems    []string       `json:"problems"`
}

// captureBench captures the transcripts below a folder into a temporary state folder: twice with redaction (the second time
// there is nothing new), once without, and then indexes them.
func captureBench(args []string, stdout io.Writer) error {
	f := flag.NewFlagSet("capture", flag.ContinueOnError)
	f.SetOutput(stdout)
	dir := f.String("sessions", "", "folder with transcripts, in their agent's layout or as single files")
	agent := f.String("agent", "", "read this agent's alone; default: every agent that is known")
	asJSON := f.Bool("json", false, "print one JSON object")
	cpuProfile := f.String("cpuprofile", "", "file for a CPU profile of the capture with redaction")
	if err := f.Parse(args); err != nil {
		return err
	}
	if *dir == "" {
		return fmt.Errorf("say where the transcripts are: dormouse-bench capture --sessions DIR")
	}
	if _, err := os.Stat(*dir); err != nil {
		return fmt.Errorf("read the transcripts: %w", err)
	}
	fig, err := measureCapture(*dir, *agent, *cpuProfile)
	if err != nil {
		return err
	}
	if *asJSON {
		return json.NewEncoder(stdout).Encode(fig)
	}
	return printCapture(stdout, fig)
}

func measureCapture(dir, agent, cpuProfile string) (captureFigures, error) {
	fig := captureFigures{Agent: agent, Skipped: map[string]int{}, Problems: []string{}}
	plain, err := newCaptureRun(dir, agent, "", false)
	if err != nil {
		return fig, err
	}
	defer plain.close()
	plainCPU, err := plain.scan()
	if err != nil {
		return fig, err
	}
	full, err := newCaptureRun(dir, agent, "", true)
	if err != nil {
		return fig, err
	}
	defer full.close()
	stop, err := profile(cpuProfile)
	if err != nil {
		return fig, err
	}
	peak := watchMemory()
	fig.CPUSeconds, err = full.scan()
	stop()
	if err != nil {
		return fig, err
	}
	fig.PeakMB = peak()
	if fig.Again, err = full.scan(); err != nil {
		return fig, err
	}
	fig.fill(full.engine.Status())
	if fig.Sessions == 0 {
		return fig, fmt.Errorf("there is no session of %s below %s", cmp.Or(agent, "any agent"), dir)
	}
	fig.MBPerCPU, fig.PlainMBPer = fig.Megabytes/fig.CPUSeconds, fig.Megabytes/plainCPU
	fig.NodesPerCPU = float64(fig.Nodes) / fig.CPUSeconds
	if fig.DiskBytes, fig.DiskFiles, err = onDisk(full.sessionDir()); err != nil {
		return fig, err
	}
	fig.DiskToRaw = float64(fig.DiskBytes) / (fig.Megabytes * 1e6)
	fig.IndexCPU, err = full.index()
	return fig, err
}

func (fig *captureFigures) fill(s capture.Status) {
	for _, a := range s.Agents {
		fig.Files += a.Files
		fig.Sessions += a.Sessions
		fig.Nodes += a.Nodes
		fig.Megabytes += float64(a.Bytes) / 1e6
		for reason, c := range a.Skipped {
			fig.Skipped[reason] += c.Times
		}
	}
	for _, p := range s.Problems {
		fig.Problems = append(fig.Problems, p.Where+": "+p.What)
	}
}

// captureRun is one state folder with an engine on it.
type captureRun struct {
	home     string
	sessions *session.Store
	engine   *capture.Engine
}

// newCaptureRun captures the transcripts of an agent below dir into a folder below work; empty means the system's temporary one.
func newCaptureRun(dir, agent, work string, withRedaction bool) (*captureRun, error) {
	home, err := os.MkdirTemp(work, "dormouse-bench-")
	if err != nil {
		return nil, err
	}
	r := &captureRun{home: home}
	r.sessions = session.New(session.Options{Dir: r.sessionDir(), Machine: "bench"})
	clean := func(*memory.Node) (int, error) { return 0, nil }
	if withRedaction {
		redactor, err := redact.New(redact.Options{Key: []byte("bench")})
		if err != nil {
			return nil, err
		}
		clean = redactor.Node
	}
	roots, table := map[string][]string{}, capture.Table()
	for i, a := range table {
		table[i].Match = looseMatch(a)
		roots[a.Name] = nil
		if agent == "" || agent == a.Name {
			if roots[a.Name], err = rootsBelow(dir, a); err != nil {
				return nil, err
			}
		}
	}
	r.engine = capture.New(capture.Options{Sessions: r.sessions, Redact: clean, Table: table, Roots: roots, OwnDir: home, Now: time.Now})
	return r, nil
}

// rootsBelow are the folders in which an agent is sought: dir, and of one whose files lie at the top of projects' folders, as Aider's do,
// each folder that has such a file.
func rootsBelow(dir string, a capture.Adapter) ([]string, error) {
	roots := []string{dir}
	if a.Name != aider.Agent {
		return roots, nil
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && d.Name() == aider.FileName && filepath.Dir(path) != dir {
			roots = append(roots, filepath.Dir(path))
		}
		return err
	})
	return roots, err
}

// looseMatch tells an agent's files by their content where their names do not, as in a folder of single files.
func looseMatch(a capture.Adapter) func(path string) bool {
	return func(path string) bool {
		rollout := isRollout(path, headOf(path))
		if a.Name == codex.Agent {
			return rollout
		}
		return !rollout && a.Match(path)
	}
}

// headOf is the beginning of a file; empty where it can't be read.
func headOf(path string) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close() //nolint:errcheck // opened for reading
	head := make([]byte, 4096)
	n, _ := io.ReadFull(f, head) // what there is
	return head[:n]
}

func (r *captureRun) sessionDir() string { return filepath.Join(r.home, "sessions") }

func (r *captureRun) close() { _ = os.RemoveAll(r.home) }

// scan captures what is new and returns the seconds of CPU.
func (r *captureRun) scan() (float64, error) {
	begin := cpuSeconds()
	err := r.engine.Scan(context.Background())
	return cpuSeconds() - begin, err
}

// index indexes the captured sessions and returns the seconds of CPU.
func (r *captureRun) index() (float64, error) {
	ix, _, err := index.Open(index.Options{Dir: filepath.Join(r.home, "index")})
	if err != nil {
		return 0, err
	}
	defer ix.Close() //nolint:errcheck // thrown away
	begin := cpuSeconds()
	x := recall.Indexer{Index: ix, Sessions: r.sessions}
	if _, err := x.Sync(context.Background(), nil); err != nil {
		return 0, err
	}
	return cpuSeconds() - begin, nil
}

// onDisk is the allocated size of a folder, where the system tells, and its number of files.
func onDisk(dir string) (bytes int64, files int, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		bytes += allocated(info)
		files++
		return nil
	})
	return bytes, files, err
}

func printCapture(w io.Writer, f captureFigures) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) { _, _ = fmt.Fprintf(t, name+"\t"+format+"\n", args...) }
	row("files", "%d", f.Files)
	row("sessions", "%d", f.Sessions)
	row("nodes", "%d", f.Nodes)
	row("transcripts", "%.1f MB", f.Megabytes)
	row("parse, redact, git", "%.1f MB and %.0f nodes a CPU second (%.2f s)", f.MBPerCPU, f.NodesPerCPU, f.CPUSeconds)
	row("parse, git", "%.1f MB a CPU second", f.PlainMBPer)
	row("second scan", "%.3f CPU s", f.Again)
	row("index", "%.2f CPU s", f.IndexCPU)
	row("disk", "%.1f MB in %d files, %.2f of the transcripts", float64(f.DiskBytes)/1e6, f.DiskFiles, f.DiskToRaw)
	row("peak private memory", "%.0f MB", f.PeakMB)
	for _, reason := range slices.Sorted(maps.Keys(f.Skipped)) {
		row("skipped: "+reason, "%d", f.Skipped[reason])
	}
	for _, p := range f.Problems {
		row("problem", "%s", p)
	}
	return t.Flush()
}
