package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"
)

// importFigures is what importing transcripts costs. Rates are nodes a second of the clock and of CPU.
type importFigures struct {
	Sessions       int     `json:"sessions"`
	Nodes          int     `json:"nodes"`
	RawMB          float64 `json:"raw_mb"` // of transcripts, 10^6 bytes
	PerSecond      float64 `json:"nodes_per_second"`
	PerCPU         float64 `json:"nodes_per_cpu_second"`
	PeakMB         float64 `json:"peak_private_mb"`
	PlainPerSecond float64 `json:"nodes_per_second_without_redaction"`
	PlainPerCPU    float64 `json:"nodes_per_cpu_second_without_redaction"`
	PlainPeakMB    float64 `json:"peak_private_mb_without_redaction"`
	DiskToRaw      float64 `json:"disk_to_raw"` // allocated bytes
	MostFiles      int     `json:"most_files_of_a_session"`
	Largest        int     `json:"nodes_of_the_largest_session"`
}

// sessionSpread is the spread of the logarithm of the sessions' numbers of nodes: the largest of 3,000 is some fifty times the
// mean.
const sessionSpread = 1.2

func measureImport(dir string, o sessionsOptions) (*importFigures, error) {
	fig := &importFigures{Sessions: o.scaled(o.sessions)}
	raw := filepath.Join(dir, "raw")
	if err := fig.generate(raw, o); err != nil {
		return nil, err
	}
	debug.FreeOSMemory() // the corpus
	for _, redacted := range []bool{false, true} {
		if err := fig.scan(raw, dir, redacted); err != nil {
			return nil, err
		}
	}
	return fig, nil
}

// generate writes the transcripts.
func (fig *importFigures) generate(dir string, o sessionsOptions) error {
	c, err := readCorpus(o.corpus, o.seed)
	if err != nil {
		return err
	}
	sizes, sum := make([]float64, fig.Sessions), 0.0
	for i := range sizes {
		sizes[i] = float64(c.size(1e6, sessionSpread, 1<<40))
		sum += sizes[i]
	}
	nodes := o.scaled(o.nodes)
	for i, s := range sizes {
		n := max(nodesATurn, int(s/sum*float64(nodes)))
		fig.Largest = max(fig.Largest, n)
		path := filepath.Join(dir, fmt.Sprintf("-home-dev-app%d", i%50), sessionUUID(i)+".jsonl")
		bytes, err := c.writeTranscript(path, i, n)
		if err != nil {
			return err
		}
		fig.RawMB += float64(bytes) / 1e6
	}
	return nil
}

// scan imports all transcripts into a fresh state folder.
func (fig *importFigures) scan(raw, dir string, redacted bool) error {
	r, err := newCaptureRun(raw, "claude-code", dir, redacted)
	if err != nil {
		return err
	}
	defer r.close()
	peak, began := watchMemory(), time.Now()
	cpu, err := r.scan()
	wall, top := time.Since(began).Seconds(), peak()
	if err != nil {
		return err
	}
	s := r.engine.Status()
	if len(s.Problems) > 0 {
		return fmt.Errorf("%s: %s", s.Problems[0].Where, s.Problems[0].What)
	}
	fig.Nodes = 0
	for _, a := range s.Agents {
		fig.Nodes += a.Nodes
	}
	if n := float64(fig.Nodes); redacted {
		fig.PerSecond, fig.PerCPU, fig.PeakMB = n/wall, n/cpu, top
	} else {
		fig.PlainPerSecond, fig.PlainPerCPU, fig.PlainPeakMB = n/wall, n/cpu, top
	}
	var bytes int64
	if bytes, fig.MostFiles, err = sessionsOnDisk(r.sessionDir()); err != nil {
		return err
	}
	fig.DiskToRaw = float64(bytes) / (fig.RawMB * 1e6)
	return nil
}

// sessionsOnDisk is the allocated size of all sessions together and the number of files of the one that has most.
func sessionsOnDisk(dir string) (bytes int64, most int, err error) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return 0, 0, err
	}
	for _, d := range list {
		b, files, err := onDisk(filepath.Join(dir, d.Name()))
		if err != nil {
			return 0, 0, err
		}
		bytes += b
		if d.IsDir() {
			most = max(most, files)
		}
	}
	return bytes, most, nil
}
