package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// tryAll runs every agent in every state of Dormouse.
func tryAll(bin, dir string, chosen []agent) error {
	p, err := newProvider()
	if err != nil {
		return err
	}
	defer p.close()
	faults := 0
	for _, a := range chosen {
		w := &world{bin: bin, agents: filepath.Join(dir, "node_modules", ".bin"), home: filepath.Join(dir, "home"), url: p.url}
		found, err := try(w, p, a)
		w.stop()
		if err != nil {
			return fmt.Errorf("%s: %w", a.name, err)
		}
		for _, f := range found {
			faults++
			fmt.Printf("FAULT %s: %s\n", a.name, f)
		}
	}
	if faults > 0 {
		for _, line := range p.log {
			fmt.Println("  model:", line)
		}
		return fmt.Errorf("%d faults", faults)
	}
	return nil
}

// try runs one agent in every state and gives what is not as without Dormouse, or not as the script said; then it has its model ask the memory.
func try(w *world, p *provider, a agent) (faults []string, err error) {
	var plain seen
	asked := 0
	for _, state := range []string{absent, up, hung, down} {
		s, tried, err := w.try(p, a, state)
		if err != nil {
			return nil, fmt.Errorf("with Dormouse %s: %w", state, err)
		}
		if state == absent {
			plain, asked = s, len(p.requests())
			if s.exit != 0 || !strings.Contains(s.screen, lastSays) {
				return nil, fmt.Errorf("it does not follow the script: exit code %d:\n%s", s.exit, s.screen)
			}
			continue
		}
		for _, f := range told(p.requests(), w.memory, state) {
			faults = append(faults, "Dormouse "+state+": "+f)
		}
		if n := len(p.requests()); n != asked {
			faults = append(faults, fmt.Sprintf("Dormouse %s: %d requests to the model, without %d", state, n, asked))
		}
		note := ""
		if tried > 1 {
			fmt.Printf("%-12s Dormouse %-7s its hook gave up within its milliseconds %d times before it told anything\n", a.name, state, tried-1)
		}
		if state != down {
			w.wake()
			for _, f := range w.captured(a) {
				faults = append(faults, "Dormouse "+state+": "+f)
			}
			heard, fault := w.heard()
			if note = heard; fault != "" {
				faults = append(faults, "Dormouse "+state+": "+fault)
			}
		}
		w.stop()
		faults = append(faults, differences(state, s, plain)...)
		fmt.Printf("%-12s Dormouse %-7s %5.1f s, without %5.1f s%s\n", a.name, state, s.took.Seconds(), plain.took.Seconds(), note)
	}
	of, err := tryTools(w, p, a)
	return append(faults, of...), err
}

// most is how often a session is begun until its hook tells something: a hook that the machine keeps waiting tells nothing, as it should.
const most = 4

// try runs an agent in one state, again where its hook gave up. It says how often it ran.
func (w *world) try(p *provider, a agent, state string) (s seen, tried int, err error) {
	for tried = 1; ; tried++ {
		p.begin()
		if err := w.settle(a, state); err != nil {
			return s, tried, err
		}
		if s, err = w.runs(a, prompt); err != nil || state != up || tried == most || heardOf(p.requests()) {
			return s, tried, err
		}
		w.stop()
	}
}

// heardOf reports whether any request has the memory.
func heardOf(requests []telling) bool {
	return slices.ContainsFunc(requests, func(r telling) bool { return r.times > 0 })
}

// differences are what a person would notice.
func differences(state string, s, plain seen) (out []string) {
	if s.exit != plain.exit {
		out = append(out, fmt.Sprintf("Dormouse %s: exit code %d, without %d", state, s.exit, plain.exit))
	}
	if line := firstDifference(s.screen, plain.screen); line != "" {
		out = append(out, "Dormouse "+state+": the screen shows "+line)
	}
	if line := firstDifference(s.transcript, plain.transcript); line != "" {
		out = append(out, "Dormouse "+state+": the transcript says "+line)
	}
	return out
}

// firstDifference shows where two texts differ first; nothing where they are equal.
func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range max(len(x), len(y)) {
		left, right := at(x, i), at(y, i)
		if left == right {
			continue
		}
		from := 0
		for from < min(len(left), len(right)) && left[from] == right[from] {
			from++
		}
		from = max(0, from-60)
		return fmt.Sprintf("in line %d of %d %q, without (%d lines) %q", i+1, len(x), part(left, from), len(y), part(right, from))
	}
	return ""
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(nothing)"
}

func part(s string, from int) string { return s[min(from, len(s)):min(from+160, len(s))] }
