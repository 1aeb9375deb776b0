package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/service/client"
)

// objectTypes are what an object can be.
var objectTypes = []string{"file_context", "tool_result", "error_context", "plan", "design_decision", "debugging_session", "conversation_phase", "external_reference"}

func objectsCommand(a *app) *cobra.Command {
	session, kind := "", ""
	newest, limit := false, 0
	cmd := &cobra.Command{
		Use:   "objects",
		Short: "What a session is made of: files, results, errors, plans, decisions",
		Long: `List the objects of a session: what its messages and calls make together. A file that was read, a result, an error, a plan, a decision,
a stretch of debugging, a part of the talk, something from the web. Each tells its turns, its size, and at which level the next request
of its agent would show it through the proxy: L0 whole, L1 and L2 in short, L3 one line, L4 not at all.

Without --session it is the newest one.`,
		Example: `  dormouse objects
  dormouse objects --session cc_1a2b3c4d --type file_context --current
  dormouse objects --session cc_1a --json | jq '.objects[].title'
  dormouse objects graph --session cc_1a | dot -Tsvg > session.svg`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if kind != "" && !slices.Contains(objectTypes, kind) {
				return usage(cmd, "--type is one of %s, not %q", strings.Join(objectTypes, ", "), kind)
			}
			if limit < 0 {
				return usage(cmd, "--limit cannot be less than 0 (all)")
			}
			return onObjects(cmd, a, session, api.ObjectQuery{}, func(v view, x api.Objects) []string { return formatObjects(v, x, limit) },
				func(x *api.Objects) { x.Objects = someObjects(x.Objects, kind, newest) })
		},
	}
	cmd.Flags().StringVar(&session, "session", "", "a session's id, or a unique beginning of it")
	cmd.Flags().StringVar(&kind, "type", "", "one type alone, such as file_context")
	cmd.Flags().BoolVar(&newest, "current", false, "without objects of which there is a newer copy")
	cmd.Flags().IntVar(&limit, "limit", 0, "the last so many; 0 for all")
	cmd.AddCommand(objectsGraphCommand(a))
	return cmd
}

func objectsGraphCommand(a *app) *cobra.Command {
	session := ""
	cmd := &cobra.Command{
		Use:   "graph",
		Short: "How they are related, as a drawing for Graphviz",
		Long: `Print the objects of a session and their relations in Graphviz's language (DOT). An arrow goes from what refers to a file, from what was
made of something, from a part of the talk to what belongs to it, and from a newer copy to the older one.`,
		Example: `  dormouse objects graph --session cc_1a2b3c4d | dot -Tsvg > session.svg
  dormouse objects graph --json | jq .relations`,
		Args: takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return onObjects(cmd, a, session, api.ObjectQuery{Draw: true}, func(_ view, x api.Objects) []string {
				return strings.Split(text.Clean(strings.TrimSuffix(x.Drawing, "\n")), "\n")
			}, nil)
		},
	}
	cmd.Flags().StringVar(&session, "session", "", "a session's id, or a unique beginning of it; the newest where none is given")
	return cmd
}

func inspectCommand(a *app) *cobra.Command {
	session := ""
	full := false
	cmd := &cobra.Command{
		Use:   "inspect ID",
		Short: "One object of a session: what it holds, where that is kept, what it is related to",
		Long: `Show one object: its type, its size, the turns and nodes that it is made of, what it is related to, and what it holds. ID is an object's
id as dormouse objects lists it. It does not change when the session goes on or the service starts anew; without --session it is looked
for in the newest sessions.`,
		Example: `  dormouse inspect ob_0123456789ab
  dormouse inspect ob_0123456789ab --session cc_1a2b3c4d --full
  dormouse inspect ob_0123456789ab --json | jq -r .text`,
		Args: takes(cobra.ExactArgs(1), "the id of an object"),
		RunE: func(cmd *cobra.Command, args []string) error {
			id := strings.ToLower(strings.TrimSpace(args[0]))
			if !strings.HasPrefix(id, "ob_") {
				return usage(cmd, "inspect takes the id of an object such as ob_0123456789ab, not %q; dormouse objects lists them, and dormouse show opens sessions", args[0])
			}
			return onObjects(cmd, a, session, api.ObjectQuery{Object: id}, func(v view, x api.Objects) []string { return formatObject(v, x, full) }, nil)
		},
	}
	cmd.Flags().StringVar(&session, "session", "", "the session that it is in, by its id or a beginning")
	cmd.Flags().BoolVar(&full, "full", false, "all that it holds, however long")
	return cmd
}

func statsCommand(a *app) *cobra.Command {
	session := ""
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "What the context of a session is made of, in numbers",
		Long: `Count the objects of a session by type and level, with their sizes, and tell what passed through the proxy since the service began.
Without --session it is the newest one.`,
		Example: `  dormouse stats
  dormouse stats --session cc_1a2b3c4d --json | jq .objects.types`,
		Args: takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return ask(cmd.Context(), a, func(c *client.Client) (s contextStats, err error) {
				if s.Proxy, err = c.Proxy(cmd.Context(), ""); err != nil {
					return s, err
				}
				x, err := objectsOf(cmd.Context(), c, session, api.ObjectQuery{})
				var none *api.Error
				if session == "" && errors.As(err, &none) && none.Code == api.CodeNotFound {
					return s, nil
				}
				s.Session, s.Objects = x.Session, x.Stats
				return s, err
			}, formatStats)
		},
	}
	cmd.Flags().StringVar(&session, "session", "", "a session's id, or a unique beginning of it")
	return cmd
}

// contextStats are the figures of a session's context and of the proxy.
type contextStats struct {
	Session api.Session     `json:"session"`
	Objects api.ObjectStats `json:"objects"`
	Proxy   api.Proxy       `json:"proxy"`
}

// onObjects asks for the objects of a session and prints them; change is made to the answer before.
func onObjects(cmd *cobra.Command, a *app, session string, q api.ObjectQuery, format func(view, api.Objects) []string, change func(*api.Objects)) error {
	return ask(cmd.Context(), a, func(c *client.Client) (api.Objects, error) {
		x, err := objectsOf(cmd.Context(), c, session, q)
		if err == nil && change != nil {
			change(&x)
		}
		return x, err
	}, format)
}

func objectsOf(ctx context.Context, c *client.Client, session string, q api.ObjectQuery) (api.Objects, error) {
	session = strings.TrimSpace(session)
	if session == "" {
		return c.Objects(ctx, q)
	}
	x, err := opened(ctx, c, session, func(id string) (api.Objects, error) {
		q.Session = id
		return c.Objects(ctx, q)
	})
	return x, err
}

func someObjects(all []api.Object, kind string, newest bool) []api.Object {
	return slices.DeleteFunc(all, func(x api.Object) bool { return kind != "" && x.Type != kind || newest && x.Superseded != "" })
}

func formatObjects(v view, x api.Objects, limit int) []string {
	p := &page{view: v}
	p.sessionLine(x.Session)
	p.gap()
	if len(x.Objects) == 0 {
		p.say("It has no such object.", "")
		return p.lines
	}
	shown := x.Objects
	if limit > 0 && len(shown) > limit {
		shown = shown[len(shown)-limit:]
	}
	t := text.Table{Head: p.Faint, Columns: []text.Column{{Title: "object"}, {Title: "type"}, {Title: "turns", Right: true, Drop: 2}, {Title: "tokens", Right: true}, {Title: "level", Drop: 1}, {Title: "what", Min: 24}}}
	for _, o := range shown {
		what := text.Line(o.Title)
		if o.Superseded != "" {
			what = "(older) " + what
		}
		t.Rows = append(t.Rows, []string{o.ID, o.Type, turnsText(o), number(o.Tokens), o.Level, what})
	}
	p.table(t, "")
	p.gap()
	p.prose(fmt.Sprintf("%s, %s tokens. dormouse inspect opens one.", count(len(shown), "object"), number(sumTokens(shown))), "", p.Faint)
	if n := len(x.Objects) - len(shown); n > 0 {
		p.prose(fmt.Sprintf("%s before them are not shown.", count(n, "object")), "", p.Faint)
	}
	return p.lines
}

func sumTokens(list []api.Object) (n int) {
	for _, o := range list {
		n += o.Tokens
	}
	return n
}

func turnsText(o api.Object) string {
	if o.FirstTurn == o.LastTurn {
		return fmt.Sprint(o.FirstTurn)
	}
	return fmt.Sprintf("%d-%d", o.FirstTurn, o.LastTurn)
}

// sessionLine names a session.
func (p *page) sessionLine(s api.Session) {
	p.prose(joined("Session "+text.Line(s.ID), text.Line(s.Title)), "", nil)
}

// maxHeld is how many lines of what an object holds are shown where not all is asked for.
const maxHeld = 30

func formatObject(v view, x api.Objects, full bool) []string {
	p := &page{view: v}
	at := slices.IndexFunc(x.Objects, func(o api.Object) bool { return o.ID == x.Object })
	if at < 0 {
		p.say("The service told of no such object.", "")
		return p.lines
	}
	o := x.Objects[at]
	p.prose(text.Line(o.Title), "", nil)
	p.gap()
	p.field("Object", joined(o.ID, o.Type, o.Level))
	p.field("Size", joined(number(o.Tokens)+" tokens", size(int64(o.Bytes))))
	if o.Type == "file_context" && o.Key != "" {
		p.field("File", text.Line(o.Key))
	}
	if o.Agent != "" {
		p.field("Sub-agent", text.Line(o.Agent))
	}
	p.field("Session", joined(text.Line(x.Session.ID), "turns "+turnsText(o)))
	p.nodes(o)
	for _, r := range x.Relations {
		switch o.ID {
		case r.From:
			p.field(relationTo[r.Kind], titled(x.Objects, r.To))
		case r.To:
			p.field(relationFrom[r.Kind], titled(x.Objects, r.From))
		}
	}
	p.gap()
	lines := strings.Split(text.Clean(x.Text), "\n")
	if !full && len(lines) > maxHeld {
		lines = append(lines[:maxHeld], fmt.Sprintf("… %s more; --full shows them", count(len(lines)-maxHeld, "line")))
	}
	p.lines = append(p.lines, lines...)
	p.gap()
	p.hint("To open where it comes from:", fmt.Sprintf("dormouse show %s --turn %d", text.Line(x.Session.ID), o.FirstTurn))
	return p.lines
}

// relationTo and relationFrom are what a relation is called at its ends.
var (
	relationTo   = map[string]string{"references": "Names", "depends_on": "Made of", "parent_of": "Holds", "supersedes": "Newer than"}
	relationFrom = map[string]string{"references": "Named by", "depends_on": "Used by", "parent_of": "Part of", "supersedes": "Older than"}
)

func titled(all []api.Object, id string) string {
	for _, o := range all {
		if o.ID == id {
			return joined(id, text.Line(o.Title))
		}
	}
	return id
}

// maxNodes is how many nodes of an object are named.
const maxNodes = 8

func (p *page) nodes(o api.Object) {
	var ids []string
	for _, x := range o.Parts {
		if x.Node != "" && !slices.Contains(ids, x.Node) {
			ids = append(ids, x.Node)
		}
	}
	if n := len(ids) - maxNodes; n > 0 {
		ids = append(ids[:maxNodes], fmt.Sprintf("and %d more", n))
	}
	if len(ids) > 0 {
		p.field("Nodes", text.Line(strings.Join(ids, " ")))
	}
}

func formatStats(v view, s contextStats) []string {
	p := &page{view: v}
	o := s.Objects
	if s.Session.ID == "" {
		p.say("No session is captured yet.", "")
	} else {
		p.sessionLine(s.Session)
		p.gap()
		p.field("Objects", joined(number(o.Objects), number(o.Tokens)+" tokens", fmt.Sprintf("%s each, half of them at most %s", number(int(o.Mean+0.5)), number(o.Median))))
		var types []string
		for _, t := range objectTypes {
			if n := o.Types[t]; n > 0 {
				types = append(types, t+" "+number(n))
			}
		}
		p.field("Types", joined(types...))
		var levels []string
		for i, n := range o.Levels {
			if n > 0 {
				levels = append(levels, fmt.Sprintf("L%d %s", i, number(n)))
			}
		}
		p.field("Shown", joined(levels...))
		p.field("Older", count(o.Superseded, "object")+" with a newer copy")
		p.field("Joined", count(o.Joined, "object")+" to a neighbour")
		p.field("Of", joined(count(o.Turns, "turn"), count(o.Calls, "call"), count(o.Goals, "goal")))
	}
	p.gap()
	p.lines = append(p.lines, formatProxy(v, s.Proxy)...)
	return p.lines
}
