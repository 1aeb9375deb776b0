package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"
)

// syncFigures is what the exchange of one memory costs through one kind of remote. Sizes are in 10^6 bytes unless they say otherwise,
// times in seconds of the clock unless they say CPU.
type syncFigures struct {
	Remote    string  `json:"remote"` // plain or encrypted
	Transport string  `json:"transport"`
	Records   int     `json:"records"`
	Nights    int     `json:"nights"`
	LogMB     float64 `json:"log_mb"`
	FirstPush float64 `json:"first_push_s"`
	// NothingNew is the median of exchanges in which neither side has anything for the other; Writes is how many files they changed on
	// either side.
	NothingNew float64 `json:"nothing_new_ms"`
	Writes     int     `json:"nothing_new_writes"`
	Clone      float64 `json:"first_clone_s"` // an empty machine knows it all, drawn up and rendered
	CloneCPU   float64 `json:"first_clone_cpu_s"`
	RemoteMB   float64 `json:"remote_mb"`
	LargestMB  float64 `json:"largest_blob_mb"` // as an object, before it is packed
	DeltaBytes int64   `json:"night_sent_bytes"`
	NightBytes int64   `json:"night_log_bytes"`
	JoinOf     int     `json:"join_records"` // of two machines, after a join
	JoinCPU    float64 `json:"join_cpu_s"`   // folding and rendering them
	JoinMB     float64 `json:"join_private_mb"`
	// OpenCPU is to read, fold and render all of them after a start; AnewCPU to fold and render all of them again while the old ones are
	// there, as after a refusal on another machine.
	OpenCPU float64 `json:"open_cpu_s"`
	OpenMB  float64 `json:"open_private_mb"`
	AnewCPU float64 `json:"fold_anew_cpu_s"`
	AnewMB  float64 `json:"fold_anew_private_mb"`
}

// syncBench has two machines exchange a year's memory through a git http server on loopback, or a folder.
func syncBench(args []string, stdout io.Writer) error {
	f := flag.NewFlagSet("sync", flag.ContinueOnError)
	f.SetOutput(stdout)
	records := f.Int("records", 100_000, "that one machine has learned in a year")
	nights := f.Int("nights", 365, "in which it did")
	over := f.String("over", "http", "http or folder")
	encrypt := f.Bool("encrypt", false, "through an encrypted remote")
	seed := f.Uint64("seed", 1, "of the records")
	profile := f.String("profile", "", "a folder for profiles of the clone and the join: CPU, and what was allocated")
	asJSON := f.Bool("json", false, "print one JSON object")
	f.Usage = func() {
		_, _ = fmt.Fprintln(stdout, "usage: dormouse-bench sync [flags]\nexample: dormouse-bench sync --encrypt")
		f.PrintDefaults()
	}
	if err := f.Parse(args); err != nil {
		return err
	}
	if *records < *nights || *nights < 1 || *over != "http" && *over != "folder" {
		return errors.New("give at least one record a night, and --over http or folder")
	}
	dir, err := os.MkdirTemp("", "dormouse-sync-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a folder of ours in the folder for temporary ones
	w := &syncWorld{dir: dir, encrypt: *encrypt, records: *records, nights: *nights, seed: *seed, profile: *profile}
	if err := w.begin(*over); err != nil {
		return err
	}
	defer w.end()
	fig, err := w.measure(context.Background())
	if err != nil {
		return err
	}
	if *asJSON {
		return json.NewEncoder(stdout).Encode(fig)
	}
	return printSync(stdout, fig)
}

// measure goes through a year and its exchanges.
func (w *syncWorld) measure(ctx context.Context) (fig syncFigures, err error) {
	fig = syncFigures{Remote: "plain", Transport: w.over, Records: w.records, Nights: w.nights, JoinOf: 2 * w.records}
	if w.encrypt {
		fig.Remote = "encrypted"
	}
	a, err := w.machine("aaaaaaaa")
	if err != nil {
		return fig, err
	}
	if err := a.year(w.records, w.nights, w.seed); err != nil {
		return fig, err
	}
	fig.LogMB = float64(treeSize(filepath.Join(a.dir, "log"))) / 1e6
	began := time.Now()
	if err := a.setup(ctx); err != nil {
		return fig, err
	}
	fig.FirstPush = time.Since(began).Seconds()
	if err := w.nothingNew(ctx, a, &fig); err != nil {
		return fig, err
	}
	if err := w.night(ctx, a, &fig); err != nil {
		return fig, err
	}
	b, err := w.clone(ctx, a, &fig)
	if err != nil {
		return fig, err
	}
	if fig.RemoteMB, fig.LargestMB, err = w.remoteSize(); err != nil {
		return fig, err
	}
	if err := w.join(ctx, a, b, &fig); err != nil {
		return fig, err
	}
	return fig, w.again(a, &fig)
}

// nothingNew exchanges again and again.
func (w *syncWorld) nothingNew(ctx context.Context, a *syncMachine, fig *syncFigures) error {
	const rounds = 21
	if err := a.sync(ctx); err != nil { // what a first look leaves behind
		return err
	}
	var took []float64
	before := append(snapshot(a.dir), snapshot(w.bare)...)
	for range rounds {
		began := time.Now()
		if err := a.sync(ctx); err != nil {
			return err
		}
		took = append(took, float64(time.Since(began).Microseconds())/1e3)
	}
	fig.NothingNew = median(took)
	fig.Writes = changes(before, append(snapshot(a.dir), snapshot(w.bare)...))
	return nil
}

// night sends what one more night has brought.
func (w *syncWorld) night(ctx context.Context, a *syncMachine, fig *syncFigures) error {
	log, sent := treeSize(filepath.Join(a.dir, "log")), treeSize(filepath.Join(w.bare, "objects"))
	if err := a.learnNight(w.nights, w.records/w.nights, w.seed); err != nil {
		return err
	}
	if err := a.sync(ctx); err != nil {
		return err
	}
	fig.NightBytes = treeSize(filepath.Join(a.dir, "log")) - log
	fig.DeltaBytes = treeSize(filepath.Join(w.bare, "objects")) - sent
	return nil
}

// clone lets an empty machine learn all.
func (w *syncWorld) clone(ctx context.Context, a *syncMachine, fig *syncFigures) (*syncMachine, error) {
	b, err := w.machine("bbbbbbbb")
	if err != nil {
		return nil, err
	}
	join, err := w.letIn(ctx, a, b)
	if err != nil {
		return nil, err
	}
	stop, err := w.profiled("clone")
	if err != nil {
		return nil, err
	}
	cpu, began := cpuSeconds()+childSeconds(), time.Now()
	if err := errors.Join(join(), stop()); err != nil {
		return nil, err
	}
	fig.Clone, fig.CloneCPU = time.Since(began).Seconds(), cpuSeconds()+childSeconds()-cpu
	if n := b.known(); n != w.records+w.records/w.nights {
		return nil, fmt.Errorf("the new machine knows %d records", n)
	}
	return b, nil
}

// join lets the new machine learn as much by itself, and the first one fold and render both.
func (w *syncWorld) join(ctx context.Context, a, b *syncMachine, fig *syncFigures) error {
	if err := b.year(w.records, w.nights, w.seed+1); err != nil {
		return err
	}
	if err := b.sync(ctx); err != nil {
		return err
	}
	*b = syncMachine{} // one machine has one memory
	stop, err := w.profiled("join")
	if err != nil {
		return err
	}
	if err := errors.Join(a.sync(ctx), stop()); err != nil {
		return err
	}
	fig.JoinCPU, fig.JoinMB = a.joinCPU, a.joinMB
	if n := a.known(); n != 2*w.records+w.records/w.nights {
		return fmt.Errorf("after the join %d records are known", n)
	}
	return nil
}

// again opens what two machines have learned, and folds it anew.
func (w *syncWorld) again(a *syncMachine, fig *syncFigures) (err error) {
	dir := a.dir
	*a = syncMachine{} // its memory is given back
	if a, err = w.at("aaaaaaaa", dir); err != nil {
		return err
	}
	if fig.OpenCPU, fig.OpenMB, err = a.costs(func() error { return a.ledger.Open() }); err != nil {
		return err
	}
	if err = a.refused(); err != nil {
		return err
	}
	known := a.known()
	fig.AnewCPU, fig.AnewMB, err = a.costs(func() error {
		_, err := a.ledger.Reload()
		return err
	})
	if now := a.known(); err == nil && now != known-1 {
		err = fmt.Errorf("of %d records %d are left by a refusal of one", known, now)
	}
	return err
}

func printSync(w io.Writer, f syncFigures) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintf(t, "remote\t%s, over %s\n", f.Remote, f.Transport)
	_, _ = fmt.Fprintf(t, "records, nights, log\t%d, %d, %.1f MB\n", f.Records, f.Nights, f.LogMB)
	_, _ = fmt.Fprintf(t, "first push\t%.1f s\n", f.FirstPush)
	_, _ = fmt.Fprintf(t, "nothing new\t%.1f ms, %d files written in 21 exchanges\n", f.NothingNew, f.Writes)
	_, _ = fmt.Fprintf(t, "first clone\t%.1f s, %.1f s of CPU\n", f.Clone, f.CloneCPU)
	_, _ = fmt.Fprintf(t, "remote, largest blob\t%.1f MB, %.1f MB\n", f.RemoteMB, f.LargestMB)
	_, _ = fmt.Fprintf(t, "a night sent, its log\t%d bytes, %d bytes\n", f.DeltaBytes, f.NightBytes)
	_, _ = fmt.Fprintf(t, "fold and render %d\t%.1f s of CPU, %.0f MB\n", f.JoinOf, f.JoinCPU, f.JoinMB)
	_, _ = fmt.Fprintf(t, "open, fold and render\t%.1f s of CPU, %.0f MB\n", f.OpenCPU, f.OpenMB)
	_, _ = fmt.Fprintf(t, "fold anew and render\t%.1f s of CPU, %.0f MB\n", f.AnewCPU, f.AnewMB)
	return t.Flush()
}
