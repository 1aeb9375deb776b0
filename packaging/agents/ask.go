package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/tidwall/gjson"
)

// ownMark begins what Dormouse's tools answer to a search.
const ownMark = "═══ Dormouse memory: search for "

// remembered is what the answer has to hold, which the question does not.
const remembered = "tabs in all Go files"

// orphanTime is how long Dormouse's tools may outlive an agent that was killed.
const orphanTime = 5 * time.Second

// tryTools has the model ask the memory with Dormouse's tools, as "agents connect" put them into the agent's settings, and then kills the
// agent while they run. It gives what is wrong.
func tryTools(w *world, p *provider, a agent) (faults []string, err error) {
	defer w.stop()
	if err := w.settle(a, up); err != nil {
		return nil, err
	}
	p.begin()
	before, err := w.mentions()
	if err != nil {
		return nil, err
	}
	s, err := w.runs(a, askPrompt)
	if err != nil {
		return nil, err
	}
	if fault := answered(p.requests()); fault != "" {
		return []string{fault + "; the screen shows " + s.screen}, nil
	}
	if s.exit != 0 || !strings.Contains(s.screen, knowsSays) {
		faults = append(faults, fmt.Sprintf("after an answer of the tools it ends with %d: %s", s.exit, s.screen))
	}
	if fault := w.keptOwn(a); fault != "" {
		faults = append(faults, fault)
	}
	after, err := w.mentions()
	if err != nil {
		return faults, err
	}
	if !slices.Equal(before, after) {
		faults = append(faults, fmt.Sprintf("what the tools told was learned again: %v became %v", before, after))
	}
	gone, fault, err := w.kill(p, a)
	if fault != "" {
		faults = append(faults, fault)
	}
	fmt.Printf("%-12s asks the memory: answered, kept as Dormouse's own, %d records as before; killed: its tools gone after %.1f s\n", a.name, len(after), gone.Seconds())
	return faults, err
}

// answered says what is wrong with what the model got of the tools.
func answered(requests []telling) string {
	var offered []string
	for _, r := range requests {
		if !r.asks {
			continue
		}
		if len(r.tools) > len(offered) {
			offered = r.tools
		}
		if _, answer, ok := strings.Cut(r.body, ownMark); ok && strings.Contains(answer, remembered) && strings.Contains(answer, "session:") {
			return ""
		}
	}
	return fmt.Sprintf("the model asked the memory and no answer came back; its tools were %v", offered)
}

// mentions are the ids of the records that hold what is remembered, after a sleep.
func (w *world) mentions() (ids []string, err error) {
	if _, err := w.dormouse("sleep"); err != nil {
		return nil, err
	}
	for _, list := range []string{"timeline", "facts"} {
		out, err := w.dormouse(list, "--json", "--limit", "1000")
		if err != nil {
			return nil, err
		}
		gjson.Get(out, "@this").ForEach(func(_, v gjson.Result) bool {
			for _, rec := range v.Array() {
				if strings.Contains(rec.Raw, "tabs") {
					ids = append(ids, rec.Get("id").String()+rec.Get("fact.id").String())
				}
			}
			return true
		})
	}
	slices.Sort(ids)
	return ids, nil
}

// keptOwn waits until the session with the answer is captured, and says what is wrong: the call has to be there, and neither a search
// for its words may find it nor an agent be shown them.
func (w *world) keptOwn(a agent) string {
	deadline := time.Now().Add(captureTime)
	for {
		fault := w.ownCall(a)
		if fault == "" || time.Now().After(deadline) {
			return fault
		}
		time.Sleep(500 * time.Millisecond)
	}
}

func (w *world) ownCall(a agent) string {
	out, err := w.dormouse("sessions", "--json")
	if err != nil {
		return err.Error()
	}
	id := gjson.Get(out, `#(agent="`+a.name+`").id`).String()
	if id == "" {
		return "the session that asked the memory is not captured"
	}
	if out, err = w.dormouse("show", id, "--json"); err != nil {
		return err.Error()
	}
	calls, last := 0, false
	for _, n := range nodesOf(out) {
		if n.role == "tool" && strings.Contains(n.output, ownMark) {
			calls++
		}
		last = last || n.role == "assistant" && strings.Contains(n.output, knowsSays)
	}
	if calls != 1 || !last {
		return fmt.Sprintf("the call to the memory is captured %d times; the last answer: %v", calls, last)
	}
	if out, err = w.dormouse("search", remembered, "--kinds", "turn", "--json"); err != nil {
		return err.Error()
	}
	for _, h := range gjson.Get(out, "hits").Array() {
		if h.Get("session_id").String() == id && strings.Contains(h.Raw, ownMark) {
			return "what the tools told is found as a turn: " + h.Raw
		}
	}
	return ""
}

// kill starts the agent anew, kills it and all that it started between it and Dormouse's tools while the model thinks, and says how long the
// tools stay.
func (w *world) kill(p *provider, a agent) (gone time.Duration, fault string, err error) {
	thinks := p.hold()
	defer p.release()
	ctx, cancel := context.WithTimeout(context.Background(), agentTime)
	defer cancel()
	cmd := w.command(ctx, a, hangPrompt)
	if err := cmd.Start(); err != nil {
		return 0, "", err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-thinks:
	case <-ended:
		return 0, "the agent ended before it could be killed", nil
	}
	tools, err := w.bridges()
	if err != nil || len(tools) == 0 {
		return 0, "Dormouse's tools do not run while the agent does", err
	}
	var above []int
	for _, pid := range tools {
		for up, err := parentOf(pid); err == nil && up > 1 && up != os.Getpid(); up, err = parentOf(up) {
			above = append(above, up)
		}
	}
	for _, pid := range above {
		_ = syscall.Kill(pid, syscall.SIGKILL) // one that is gone is gone
	}
	killed := time.Now()
	for {
		if tools, err = w.bridges(); err != nil || len(tools) == 0 {
			<-ended
			return time.Since(killed), "", err
		}
		if time.Since(killed) > orphanTime {
			for _, pid := range tools {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
			return time.Since(killed), fmt.Sprintf("Dormouse's tools %v outlive the killed agent by more than %v", tools, orphanTime), nil
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// bridges are the processes of "dormouse mcp".
func (w *world) bridges() (pids []int, err error) {
	all, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	for _, e := range all {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		raw, err := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline")) // empty for one that ended and was not waited for
		if args := strings.Split(string(raw), "\x00"); err == nil && len(args) > 2 && args[0] == filepath.Join(w.bin, "dormouse") && args[1] == "mcp" {
			pids = append(pids, pid)
		}
	}
	return pids, nil
}

func parentOf(pid int) (int, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	_, rest, ok := strings.Cut(string(raw), ") ")
	fields := strings.Fields(rest)
	if !ok || len(fields) < 2 {
		return 0, errors.New("odd /proc")
	}
	return strconv.Atoi(fields[1])
}

// command is the agent with a prompt.
func (w *world) command(ctx context.Context, a agent, says string) *exec.Cmd {
	args := slices.Clone(a.args)
	for i := range args {
		if args[i] == prompt {
			args[i] = says
		}
	}
	cmd := exec.CommandContext(ctx, filepath.Join(w.agents, a.binary), args...)
	cmd.Dir, cmd.Env = filepath.Join(w.home, "work"), w.env(a.env(w.url)...)
	return cmd
}
