package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"dormouse/service/daemon"
	"github.com/schollz/progressbar/v3"
)

// progress shows how the first pass goes: a bar a stage on a terminal, else a line a stage.
type progress struct {
	w    io.Writer
	bars bool

	mu    sync.Mutex
	stage string
	bar   *progressbar.ProgressBar
}

func newProgress(w io.Writer, bars bool) *progress { return &progress{w: w, bars: bars} }

var stageNames = map[string]string{
	daemon.StageCapture: "Capturing",
	daemon.StageIndex:   "Indexing",
	daemon.StageDistill: "Learning",
}

// report takes the next step. It may be called from several goroutines.
func (p *progress) report(r daemon.Report) {
	p.mu.Lock()
	defer p.mu.Unlock()
	done, total := int64(r.Done), int64(r.Total)
	if r.Stage == daemon.StageCapture {
		done, total = r.Capture.BytesDone, r.Capture.BytesTotal
	}
	if r.Stage != p.stage {
		p.finish()
		p.stage = r.Stage
		if r.Stage == daemon.StageReady || total == 0 {
			return
		}
		p.begin(total, r.Stage == daemon.StageCapture)
	}
	if p.bar == nil {
		return
	}
	if r.Stage == daemon.StageCapture {
		p.bar.Describe(fmt.Sprintf("%-10s %d of %d files, %d sessions", stageNames[r.Stage], r.Capture.FilesDone, r.Capture.FilesTotal, r.Capture.Sessions))
	}
	p.bar.ChangeMax64(max(total, 1))
	_ = p.bar.Set64(min(done, total)) // a bar that can't be drawn is no reason to stop
}

func (p *progress) begin(total int64, bytes bool) {
	name := stageNames[p.stage]
	if !p.bars {
		_, _ = fmt.Fprintf(p.w, "%s ...\n", name)
		return
	}
	p.bar = progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(p.w), progressbar.OptionSetDescription(fmt.Sprintf("%-10s", name)),
		progressbar.OptionShowBytes(bytes), progressbar.OptionShowCount(), progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionSetPredictTime(true),
		progressbar.OptionOnCompletion(func() { _, _ = fmt.Fprintln(p.w) }))
}

func (p *progress) finish() {
	if p.bar != nil && !p.bar.IsFinished() {
		_ = p.bar.Finish()
	}
	p.bar = nil
}
