package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"text/tabwriter"
)

// largeFigures is what the large bench prints of one form.
type largeFigures struct {
	Form       string         `json:"form"`
	Agent      string         `json:"agent"`
	Megabytes  float64        `json:"megabytes"` // of the input
	Sessions   int            `json:"sessions"`
	Nodes      int            `json:"nodes"`
	CPUSeconds float64        `json:"cpu_seconds"`
	PeakMB     float64        `json:"peak_private_mb"`
	Again      float64        `json:"second_scan_cpu_seconds"`
	Skipped    map[string]int `json:"skipped"`
	Problems   []string       `json:"problems"`
}

// largeBench writes an input of a size that no agent's is, in each of the forms that agents keep their sessions in, and captures it.
func largeBench(args []string, stdout io.Writer) error {
	f := flag.NewFlagSet("large", flag.ContinueOnError)
	f.SetOutput(stdout)
	megabytes := f.Int("megabytes", 2000, "size of the input, in 10^6 bytes")
	forms := f.String("forms", "", "names of forms with commas between them; default: all ("+strings.Join(formNames(), ", ")+")")
	dir := f.String("dir", os.TempDir(), "folder for the input and the sessions made of it, which are removed: up to three times the size")
	asJSON := f.Bool("json", false, "print one JSON object a form")
	if err := f.Parse(args); err != nil {
		return err
	}
	names := formNames()
	if *forms != "" {
		names = strings.Split(*forms, ",")
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(serviceLimit))
	t := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	if !*asJSON {
		_, _ = fmt.Fprintln(t, "form\tMB\tsessions\tnodes\tCPU s\tpeak private MB\tsecond scan CPU s\tleft out and problems")
	}
	for _, name := range names {
		form, ok := largeForms()[name]
		if !ok {
			return fmt.Errorf("there is no form %q; there are %s", name, strings.Join(formNames(), ", "))
		}
		fig, err := measureLarge(name, form, *dir, int64(*megabytes)*1e6)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if *asJSON {
			if err := json.NewEncoder(stdout).Encode(fig); err != nil {
				return err
			}
			continue
		}
		_, _ = fmt.Fprintf(t, "%s\t%.0f\t%d\t%d\t%.1f\t%.0f\t%.3f\t%s\n", fig.Form, fig.Megabytes, fig.Sessions, fig.Nodes, fig.CPUSeconds, fig.PeakMB, fig.Again, fig.left())
	}
	return t.Flush()
}

// left is what was not used, and why.
func (f largeFigures) left() string {
	var out []string
	for _, reason := range slices.Sorted(maps.Keys(f.Skipped)) {
		out = append(out, fmt.Sprintf("%d × %s", f.Skipped[reason], reason))
	}
	return strings.Join(append(out, f.Problems...), "; ")
}

func formNames() []string { return slices.Sorted(maps.Keys(largeForms())) }

// measureLarge writes an input and captures it twice; the second time there is nothing new.
func measureLarge(name string, form largeForm, dir string, bytes int64) (fig largeFigures, err error) {
	work, err := os.MkdirTemp(dir, "dormouse-large-")
	if err != nil {
		return fig, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	root := filepath.Join(work, "agent")
	path := filepath.Join(root, filepath.FromSlash(form.path))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), form.write(path, bytes)); err != nil {
		return fig, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return fig, err
	}
	r, err := newCaptureRun(root, form.agent, work, true)
	if err != nil {
		return fig, err
	}
	defer r.close()
	runtime.GC()
	debug.FreeOSMemory() // what writing took
	peak := watchMemory()
	fig.CPUSeconds, err = form.capture(r, path)
	fig.PeakMB = peak()
	if err == nil {
		fig.Again, err = form.capture(r, path)
	}
	if err != nil {
		return fig, err
	}
	var all captureFigures
	all.Skipped = map[string]int{}
	all.fill(r.engine.Status())
	fig.Form, fig.Agent, fig.Megabytes = name, form.agent, float64(info.Size())/1e6
	fig.Sessions, fig.Nodes, fig.Skipped, fig.Problems = all.Sessions, all.Nodes, all.Skipped, all.Problems
	return fig, nil
}
