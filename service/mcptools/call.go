package mcptools

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"dormouse/service/api"
	"dormouse/service/client"
)

// tool is one tool.
type tool struct {
	name, title, about string
	params             []param
	// project is the name of the argument that names a project.
	project string
	// writes says that it changes something.
	writes bool
	run    func(context.Context, *call) (*page, error)
}

// call is one call of a tool.
type call struct {
	*arguments
	place place
	agent string
	from  int // place of the first item, from the cursor
}

// table lists the tools.
func (t *Tools) table() []tool {
	return []tool{t.searchTool(), t.queryTool(), t.openTool(), t.timelineTool(), t.whenTool(), t.graphTool(), t.coreTool(), t.logTool(), t.showTool(),
		t.proposeTool(), t.statsTool(),
		t.objectsTool(), t.inspectTool(), t.relationsTool(), t.configTool()}
}

func (t *Tools) add(s *mcp.Server, x tool, dir string) {
	if x.project == "" {
		x.project = "project"
	}
	p := projectParam
	p.name = x.project
	x.params = append(slices.Clone(x.params), p, bytesParam)
	no := false
	s.AddTool(&mcp.Tool{Name: x.name, Title: x.title, Description: x.about, InputSchema: schemaOf(x.params), OutputSchema: outputSchema,
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: !x.writes, DestructiveHint: &no, IdempotentHint: true, OpenWorldHint: &no}},
		func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return t.answer(ctx, r, x, dir)
		})
}

// callTime bounds one call.
const callTime = time.Minute

// answer answers one call. What went wrong is an answer too, so that the agent can do something about it.
func (t *Tools) answer(ctx context.Context, r *mcp.CallToolRequest, x tool, dir string) (*mcp.CallToolResult, error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	args, err := read(r.Params.Arguments, x.params)
	max := args.number(bytesParam.name)
	if max < minBytes { // the budget itself was wrong
		max = presetBytes
	}
	if err != nil {
		return t.failed(x, err).result("", max, nil), nil
	}
	folders, ask := t.rooted.folders(ctx, asker{r.Session, r.Params.InputResponses})
	if ask {
		return &mcp.CallToolResult{InputRequests: whereAreYou()}, nil
	}
	if len(folders) == 0 && dir != "" {
		folders = []string{dir}
	}
	c := &call{arguments: args, agent: t.agentOf(r.Session)}
	if c.place, err = t.locate(ctx, folders, args.text(x.project)); err != nil {
		return t.failed(x, err).result("", max, nil), nil
	}
	question := strings.Join([]string{x.name, c.agent, c.place.id, args.key()}, "\x00")
	if c.from, err = t.cursor.read(question, args.text(cursorParam.name)); err != nil {
		return t.failed(x, err).result(c.place.label(), max, nil), nil
	}
	p, err := x.run(ctx, c)
	if err != nil {
		return t.failed(x, err).result(c.place.label(), max, nil), nil
	}
	p.from = c.from
	p.note = joined(c.place.note, p.note)
	return p.result(c.place.label(), max, func(at int) string { return t.cursor.make(question, at) }), nil
}

// key is what the arguments ask for, whatever piece of the answer is wanted.
func (a *arguments) key() string {
	var out []string
	for k, v := range a.texts {
		if k != cursorParam.name {
			out = append(out, k+"="+v)
		}
	}
	slices.Sort(out)
	for _, name := range []string{"turn", "hops", bytesParam.name} { // the budget says how long texts are parted
		out = append(out, fmt.Sprintf("%s=%d", name, a.numbers[name]))
	}
	return strings.Join(out, "\x01")
}

// piece is how much of a long text goes into one item, in bytes, so that an item is never cut.
func (c *call) piece() int {
	return min((c.number(bytesParam.name)-1100)/2, 1500)
}

func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "; ")
}

// failed is the answer to a call that cannot be answered.
func (t *Tools) failed(x tool, err error) *page {
	p := &page{title: x.name, wrong: true, note: "no answer: " + explain(err)}
	var u *unsure
	var e *api.Error
	switch {
	case errors.As(err, &u):
		p.candidates = u.candidates
	case errors.As(err, &e):
		for _, c := range e.Candidates[:min(len(e.Candidates), maxCandidates)] {
			p.candidates = append(p.candidates, line(c))
		}
	}
	return p
}

// explain says what went wrong and what helps.
func explain(err error) string {
	switch {
	case errors.Is(err, client.ErrNotRunning):
		return "Dormouse's service is not running, so the memory cannot be asked. The person can start it in a terminal with: dormouse up " +
			"(or have it started at log-on with: dormouse service install). Go on without it, and try again later"
	case errors.Is(err, client.ErrHung):
		return "Dormouse's service does not answer in time. Go on without it; the person can look with: dormouse status"
	case errors.Is(err, context.DeadlineExceeded):
		return "it took too long; ask for less, or try again"
	}
	return clip(line(err.Error()), 800)
}

// place is a time in Unix seconds out of a date or a time; 0 for the empty text. A date that ends something is its last second's end.
func instant(name, s string, end bool) (int64, error) {
	if s == "" {
		return 0, nil
	}
	if t, err := time.Parse(time.RFC3339, s); err == nil && t.Unix() > 0 {
		return t.Unix(), nil
	}
	if t, err := time.ParseInLocation(time.DateOnly, s, time.Local); err == nil && t.Unix() > 0 {
		if end {
			t = t.AddDate(0, 0, 1)
		}
		return t.Unix(), nil
	}
	return 0, fmt.Errorf("%s has to be a date such as 2026-05-01 or a time such as 2026-05-01T14:00:00Z, not %q; for words such as \"last week\" there is memory_remember_when", name, clip(s, 40))
}

// window reads since and until.
func (c *call) window() (since, until int64, err error) {
	if since, err = instant("since", c.text("since"), false); err != nil {
		return 0, 0, err
	}
	if until, err = instant("until", c.text("until"), true); err != nil {
		return 0, 0, err
	}
	if since != 0 && until != 0 && since >= until {
		return 0, 0, errors.New("since has to be before until")
	}
	return since, until, nil
}

// some are the items of a list from a place on, at most limit; more says that there are others behind them.
func some[T any](list []T, from, limit int) (part []T, more bool) {
	if from >= len(list) {
		return nil, false
	}
	list = list[from:]
	if len(list) > limit {
		return list[:limit], true
	}
	return list, false
}
