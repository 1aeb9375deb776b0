package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/store/home"
	"dormouse/store/memory"
)

// Erasures are what decisions say is to be erased: hashes of claims, and ids of decisions.
type Erasures struct {
	claims, ids map[string]bool
	memo        map[[32]byte][]byte // line -> without its body; nil where it stays
}

// Len is how many claims are erased.
func (e Erasures) Len() int { return len(e.claims) }

// Print is the same for equal erasures.
func (e Erasures) Print() string {
	sum := sha256.Sum256([]byte(strings.Join(slices.Sorted(maps.Keys(e.claims)), "\n") + "\x00" + strings.Join(slices.Sorted(maps.Keys(e.ids)), "\n")))
	return fmt.Sprintf("%x", sum[:12])
}

// covers reports whether the body of a line may be gone.
func (e Erasures) covers(h *head) bool { return e.ids[h.ID] || h.Claim != "" && e.claims[h.Claim] }

// Note takes in the erase decisions of one log.
func (e *Erasures) Note(log []byte) {
	if !bytes.Contains(log, []byte(`"action":"erase"`)) {
		return
	}
	for line := range bytes.Lines(log) {
		if !bytes.Contains(line, []byte(`"action":"erase"`)) {
			continue
		}
		var d decisionLine
		if json.Unmarshal(line, &d) == nil && d.Type == typeDecision && d.Action == memory.ActionErase && d.Accepted {
			e.add(d.Proposal.Erased, d.Proposal.Erases)
		}
	}
}

func (e *Erasures) add(claim string, ids []string) {
	if claim == "" {
		return
	}
	if e.claims == nil {
		e.claims, e.ids = map[string]bool{}, map[string]bool{}
	}
	e.claims[claim] = true
	for _, id := range ids {
		e.ids[id] = true
	}
	e.memo = nil
}

// Plus is both together.
func (e Erasures) Plus(f Erasures) Erasures {
	out := Erasures{}
	for _, x := range []Erasures{e, f} {
		for c := range x.claims {
			out.add(c, nil)
		}
		for id := range x.ids {
			if out.ids != nil {
				out.ids[id] = true
			}
		}
	}
	return out
}

// Without is a log without the bodies and salts that are erased: the same bytes where there are none. Its lines, their order and
// their hashes stay. Equal input gives equal bytes on every machine.
func (e *Erasures) Without(log []byte) ([]byte, error) {
	if e.Len() == 0 {
		return log, nil
	}
	var out bytes.Buffer
	changed := false
	for line := range bytes.Lines(log) {
		bare, err := e.bare(bytes.TrimSuffix(line, []byte("\n")))
		if err != nil {
			return nil, err
		}
		if bare == nil {
			out.Write(line)
			continue
		}
		changed = true
		out.Write(bare)
		if bytes.HasSuffix(line, []byte("\n")) {
			out.WriteByte('\n')
		}
	}
	if !changed {
		return log, nil
	}
	return out.Bytes(), nil
}

// bare is a line without its body where that is erased, else nil.
func (e *Erasures) bare(line []byte) ([]byte, error) {
	if e.Len() == 0 {
		return nil, nil
	}
	sum := sha256.Sum256(line)
	if b, ok := e.memo[sum]; ok {
		return b, nil
	}
	b, err := e.strip(line)
	if err != nil {
		return nil, err
	}
	if e.memo == nil {
		e.memo = map[[32]byte][]byte{}
	}
	e.memo[sum] = b
	return b, nil
}

func (e *Erasures) strip(line []byte) ([]byte, error) {
	var d struct {
		head
		Action   memory.Action `json:"action"`
		Proposal struct {
			ClaimKey memory.ClaimKey `json:"claim_key"`
		} `json:"proposal"`
	}
	if json.Unmarshal(line, &d) != nil || d.Type != typeDecision || d.Action == memory.ActionErase || d.Salt == "" {
		return nil, nil // damaged, of another kind, or bare already
	}
	key := d.Proposal.ClaimKey
	if !e.covers(&d.head) && (key == "" || !e.claims[key.Hash()]) {
		return nil, nil
	}
	all, err := fields(line)
	if err != nil {
		return nil, err
	}
	for _, k := range append([]string{"salt"}, bodyFields...) {
		delete(all, k)
	}
	raw, err := memory.Encode(all)
	if err != nil {
		return nil, err
	}
	return memory.Canonical(raw)
}

// Erase writes decisions that erase claims, with the run that they were made in, and takes the bodies of all decisions about these
// claims out of the logs of all machines, as far as they lie here: text and salt go, the line and its place in the chain stay.
// It is the one function that changes a line, and final. Whoever keeps older versions of the logs, such as a repository,
// has to take them out of there.
func (l *Ledger) Erase(decisions []memory.Decision, run memory.Run) error {
	for i := range decisions {
		if d := &decisions[i]; d.Action != memory.ActionErase || !d.Accepted || d.Proposal.Erased == "" {
			return fmt.Errorf("erase: decision %d erases nothing", i+1)
		}
	}
	err := l.Append(decisions, run)
	if err != nil && !errors.Is(err, ErrNotCommitted) {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return errors.Join(err, l.eraseAgain())
}

// eraseAgain carries out the erase decisions that are known, and reads what is left.
func (l *Ledger) eraseAgain() error {
	if _, err := eraseIn(l.o.Dir); err != nil {
		return err
	}
	if err := l.scrubAside(true); err != nil {
		return err
	}
	own, err := l.readOwn()
	if err != nil {
		return err
	}
	others, err := l.readOthers(l.resident())
	if err != nil {
		return err
	}
	l.take(own, others)
	l.fold()
	return l.commitOwn(true)
}

// Erasures are all that decisions of all machines erase.
func (l *Ledger) Erasures() Erasures {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.gone.Plus(Erasures{})
}

func erasuresOf(shelves []*shelf) Erasures {
	var e Erasures
	for _, s := range shelves {
		for i := range s.rulings {
			if d := &s.rulings[i]; d.Action == memory.ActionErase && d.Accepted {
				e.add(d.Proposal.Erased, d.Proposal.Erases)
			}
		}
	}
	return e
}

// erasuresIn reads the erase decisions of the logs of a memory folder.
func erasuresIn(dir string) (e Erasures, err error) {
	err = eachLog(dir, func(path string) error {
		data, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("look for erase decisions: %w", err)
		}
		e.Note(data)
		return nil
	})
	return e, err
}

// eraseIn takes the bodies that are erased out of all logs of a memory folder, and out of what sync has set aside there. It
// returns the files that it changed.
func eraseIn(dir string) (changed []string, err error) {
	gone, err := erasuresIn(dir)
	if err != nil || gone.Len() == 0 {
		return nil, err
	}
	strip := func(path string) error {
		data, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("erase from the log: %w", err)
		}
		bare, err := gone.Without(data)
		if err != nil || bytes.Equal(bare, data) {
			return err
		}
		changed = append(changed, path)
		return home.WriteFile(path, bare)
	}
	if err := eachLog(dir, strip); err != nil {
		return nil, err
	}
	return changed, filepath.WalkDir(filepath.Join(dir, "quarantine"), func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return fmt.Errorf("erase from what sync has set aside: %w", err)
		case !d.Type().IsRegular() || !strings.HasSuffix(path, ".jsonl"):
			return nil
		}
		return strip(path)
	})
}

// eachLog calls use for each log file of all machines.
func eachLog(dir string, use func(path string) error) error {
	machines, err := machineDirs(dir)
	if err != nil {
		return err
	}
	for _, m := range machines {
		files, err := logFiles(filepath.Join(dir, "log", m))
		if err != nil {
			return err
		}
		for _, f := range files {
			if err := use(filepath.Join(dir, "log", m, f.String())); err != nil {
				return err
			}
		}
	}
	return nil
}
