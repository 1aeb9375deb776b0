package replay

import (
	"path"
	"slices"
	"strings"
	"time"

	"dormouse/service/pager"
)

// Micro is how well what an edit needed was answered by a passage, where a whole block was shown in short. No model is asked: the question
// is what the edit tells by itself, its file's name and the words of the first line that is missing.
type Micro struct {
	Faults   int           // edits that quote lines which only a shortened block holds
	Answered int           // of them, those of which the passages together hold all of these lines
	First    int           // of them, those of which the best passage does
	Bytes    int           // of all passages
	Whole    int           // of the blocks that a restore would bring back
	Took     time.Duration // finding them
}

// Micro runs the trace through the product's engine and asks for what each F3 misses.
func (p *Replay) Micro(o pager.Options) Micro {
	var m Micro
	p.run(func() policy { return asked{engine{pager.New(o)}, &m} })
	return m
}

// asked is the engine, asked for what is missing before it is brought back.
type asked struct {
	engine
	m *Micro
}

func (a asked) fault(r *run, b *live, missing []int32) int {
	lines := r.linesOf(missing)
	question := lines[0]
	if b.key != "" {
		question = path.Base(b.key) + " " + question
	}
	begin := time.Now()
	found := a.e.Passages(question)
	a.m.Took += time.Since(begin)
	a.m.Faults++
	a.m.Whole += b.size
	var all []string
	for i, p := range found {
		a.m.Bytes += len(p.Text)
		all = append(all, pager.SignificantLines(p.Text)...)
		if i == 0 && holdsAll(all, lines) {
			a.m.First++
		}
	}
	if holdsAll(all, lines) {
		a.m.Answered++
	}
	return a.engine.fault(r, b, missing)
}

func holdsAll(all, lines []string) bool {
	return !slices.ContainsFunc(lines, func(l string) bool { return !slices.Contains(all, l) })
}

// linesOf are the lines of numbers, sorted by their texts.
func (r *run) linesOf(numbers []int32) (out []string) {
	for s, n := range r.ready.lines {
		if slices.Contains(numbers, n) {
			out = append(out, s)
		}
	}
	slices.SortFunc(out, strings.Compare)
	return out
}
