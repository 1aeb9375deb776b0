package main

import (
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"dormouse/service/api"
	"dormouse/service/client"
)

func reviewCommand(a *app) *cobra.Command {
	project, limit := "", 0
	cmd := &cobra.Command{
		Use:   "review",
		Short: "What waits for you to decide, and deciding it",
		Long: `What waits for you to decide: memories that only a tool or a page states, facts that contradict each other, names that may mean one
thing, and tags that may cover too much. None of it is told to an agent before you say so.

What you decide is written into the log with its reason and holds on all your machines; dormouse undo takes any of it back.`,
		Example: `  dormouse review
  dormouse review accept ev_0123456789ab
  dormouse review refuse fa_0123456789ab --reason "that was the old server"
  dormouse review edit ev_0123456789ab --summary "Chose SQLite for the cache"`,
		Args: takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			var projects names
			return ask(cmd.Context(), a, func(c *client.Client) (r api.Review, err error) {
				if r, err = c.Review(cmd.Context(), project, limit); err == nil && !a.json {
					projects, err = projectNames(cmd.Context(), c)
				}
				return r, err
			}, func(v view, r api.Review) []string { return formatReview(v, projects, r) })
		},
	}
	projectFlag(cmd, &project, "of one project, by name, id or folder")
	cmd.Flags().IntVarP(&limit, "limit", "n", 30, "how many at most")
	cmd.AddCommand(
		a.ruling(api.DoAccept, "accept ID", "Confirm a memory, or a suggestion",
			"Confirm a memory: you stand behind it from now on, and what it contradicts is superseded by it. Of a suggestion, carry it out. Of something that "+
				"was refused or forgotten, let it in again.", "dormouse review accept ev_0123456789ab", 1, nil),
		a.ruling(api.DoRefuse, "refuse ID", "Say that something is not to be remembered",
			"Say that something is not to be remembered. It goes out of every answer and does not come back in the same or in other words, from whatever "+
				"machine. A suggestion that you refuse is not made again.", `dormouse review refuse ev_0123456789ab --reason "that was a joke"`, 1, nil),
		editCommand(a),
		a.ruling(api.DoMerge, "merge ID INTO", "Say that two names mean one thing",
			"Say that an entity or a tag is another one by another name. What was known of it belongs to that one.", "dormouse review merge service.backend service.worker", 2, func(q *api.Decide, args []string) { q.Other = args[1] }),
		a.ruling(api.DoSplit, "split ID NAME...", "Say that a name means something else",
			"Say that names do not belong to an entity: each becomes one of its own. Or say into which tags a tag falls.", "dormouse review split service.worker backend", -2, func(q *api.Decide, args []string) { q.Parts = args[1:] }),
		a.ruling(api.DoPin, "pin ID", "Have a memory always count as important",
			"Have a memory always count as important, so that agents are told of it first. To unpin it, take the decision back or use unpin.", "dormouse review pin ev_0123456789ab", 1, nil),
		a.ruling(api.DoUnpin, "unpin ID", "Take a pin away", "Take a pin away.", "dormouse review unpin ev_0123456789ab", 1, nil),
		a.ruling(api.DoScope, "scope ID SCOPE", "Say who is shown a memory", scopeHelp, "dormouse review scope ev_0123456789ab private", 2, func(q *api.Decide, args []string) { q.To = args[1] }),
		forgetCommand(a),
	)
	return cmd
}

const scopeHelp = `Say who is shown an event or a fact: private (you alone, no agent), global (every project), project:NAME, or agent:NAME. The words of
the turns that a private memory comes from are not found by a search either.

The change is a decision with a receipt: it holds while the turn that the memory comes from is there and is what it was. When the turn was
changed or deleted, and on a machine that does not have the session, the memory is shown to nobody. dormouse undo takes it back.`

// ruling is a command by which the person decides something. args is how many arguments it takes, or at least, where negative.
func (a *app) ruling(action, use, short, long, example string, args int, fill func(*api.Decide, []string)) *cobra.Command {
	q := api.Decide{Action: action}
	check := cobra.ExactArgs(args)
	if args < 0 {
		check = cobra.MinimumNArgs(-args)
	}
	cmd := &cobra.Command{
		Use: use, Short: short, Long: long, Example: "  " + example,
		Args: takes(check, strings.TrimPrefix(use, action+" ")),
		RunE: func(cmd *cobra.Command, args []string) error {
			q.ID = args[0]
			if fill != nil {
				fill(&q, args)
			}
			return a.decide(cmd, q)
		},
	}
	a.rulingFlags(cmd, &q)
	return cmd
}

func (a *app) rulingFlags(cmd *cobra.Command, q *api.Decide) {
	cmd.Flags().StringVar(&q.Reason, "reason", "", "why; it is kept in the log")
	projectFlag(cmd, &q.Project, "where several projects know an entity of that id")
}

func (a *app) decide(cmd *cobra.Command, q api.Decide) error {
	return ask(cmd.Context(), a, func(c *client.Client) (api.Decided, error) { return c.Decide(cmd.Context(), q) },
		func(v view, d api.Decided) []string { return formatDecided(v, q, d) })
}

func editCommand(a *app) *cobra.Command {
	q := api.Decide{Action: api.DoEdit}
	fields := map[string]*string{}
	set := ""
	cmd := &cobra.Command{
		Use:   "edit ID",
		Short: "Say a memory in better words",
		Long: `Change what a memory says, not where it comes from. From then on only you change it; what it said before is in the log.

--set takes a JSON object for what has no flag of its own, such as {"aliases":["backend"]} of an entity.`,
		Example: `  dormouse review edit ev_0123456789ab --summary "Chose SQLite for the cache"
  dormouse review edit fa_0123456789ab --status ceased --until 2026-06-01`,
		Args: takes(cobra.ExactArgs(1), "the id of a memory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			q.ID = args[0]
			var err error
			if q.Set, err = a.newValues(cmd, fields, set); err != nil {
				return err
			}
			return a.decide(cmd, q)
		},
	}
	for name, help := range map[string]string{"summary": "what an event or a segment says", "name": "of an entity or a tag", "object": "of a fact", "status": "of a fact: active, completed, ceased, planned, abandoned or recurring",
		"kind": "of an event: work, decision, learning or event", "from": "first time at which a fact holds", "until": "time from which a fact no longer holds"} {
		fields[name] = cmd.Flags().String(name, "", help)
	}
	cmd.Flags().StringVar(&set, "set", "", "new values of fields, as a JSON object")
	a.rulingFlags(cmd, &q)
	return cmd
}

// newValues are the fields of an edit as a JSON object.
func (a *app) newValues(cmd *cobra.Command, fields map[string]*string, set string) (string, error) {
	all := map[string]any{}
	if set != "" {
		if err := json.Unmarshal([]byte(set), &all); err != nil {
			return "", usage(cmd, "--set takes a JSON object: %v", err)
		}
	}
	for name, v := range fields {
		if !cmd.Flags().Changed(name) {
			continue
		}
		switch name {
		case "from", "until":
			at, err := parseTime(*v, a.Now(), false)
			if err != nil {
				return "", usage(cmd, "--%s: %v", name, err)
			}
			all["valid_"+name] = at
		default:
			all[name] = *v
		}
	}
	if len(all) == 0 {
		return "", usage(cmd, "say what is to be changed, for example --summary \"...\"")
	}
	raw, err := json.Marshal(all)
	return string(raw), err
}

func forgetCommand(a *app) *cobra.Command {
	q := api.Decide{}
	erase, yes := false, false
	cmd := &cobra.Command{
		Use:   "forget ID",
		Short: "Take a memory out of every answer",
		Long: `Take a memory out of every answer, on all your machines. It does not come back, by another sleep, by a rebuild, or from a machine that
has not heard of it. dormouse undo takes a forget back.

--erase takes its text out as well: out of the log, of the history of the memory repository here, on the remote and on your other machines with
their next sync, and of the search index, with the turns that it came from. Only a hash stays, by which it is known not to come back. That is
final. The session that it came from keeps its turns: dormouse delete removes a session.`,
		Example: `  dormouse forget ev_0123456789ab
  dormouse forget ev_0123456789ab --erase`,
		Args: takes(cobra.ExactArgs(1), "the id of a memory, which dormouse timeline --ids shows"),
		RunE: func(cmd *cobra.Command, args []string) error {
			q.ID, q.Action = args[0], api.DoForget
			if !erase {
				return a.decide(cmd, q)
			}
			q.Action = api.DoErase
			if !yes {
				if err := a.sure("Erase "+q.ID+" for good, on all your machines? It cannot be undone.", "nothing was erased"); err != nil {
					return err
				}
			}
			return a.decide(cmd, q)
		},
	}
	cmd.Flags().BoolVar(&erase, "erase", false, "take its text out of log, history and index for good")
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask before an erase")
	a.rulingFlags(cmd, &q)
	return cmd
}

func undoCommand(a *app) *cobra.Command {
	q := api.Decide{Action: api.DoUndo}
	cmd := &cobra.Command{
		Use:   "undo DECISION",
		Short: "Take a decision about the memory back",
		Long: `Take a decision about the memory back, by its id, whoever made it: what was refused or forgotten may come in again, what was edited or
superseded is as it was, what was taken in is out. An undo can be undone; an erase cannot. dormouse ledger lists the decisions.`,
		Example: `  dormouse ledger
  dormouse undo de_0123456789abcdef`,
		Args: takes(cobra.ExactArgs(1), "the id of a decision"),
		RunE: func(cmd *cobra.Command, args []string) error {
			q.ID = args[0]
			return a.decide(cmd, q)
		},
	}
	cmd.Flags().StringVar(&q.Reason, "reason", "", "why; it is kept in the log")
	return cmd
}

func ledgerCommand(a *app) *cobra.Command {
	q := api.DecisionQuery{}
	cmd := &cobra.Command{
		Use:   "ledger [ID]",
		Short: "What was decided about the memory, when, by whom and why",
		Long: `What was decided about the memory, the newest first: what was taken in, refused, superseded, edited, forgotten and undone, each with its
reason, the rules in force and who decided. With an id, only what was decided about that memory, or that decision.`,
		Example: `  dormouse ledger
  dormouse ledger ev_0123456789ab
  dormouse ledger --json | jq '.decisions[] | select(.accepted | not)'`,
		Args: takes(cobra.MaximumNArgs(1), "at most one id"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				q.ID = args[0]
			}
			return ask(cmd.Context(), a, func(c *client.Client) (api.Decisions, error) { return c.Decisions(cmd.Context(), q) }, formatDecisions)
		},
	}
	cmd.Flags().IntVarP(&q.Limit, "limit", "n", 20, "how many at most")
	return cmd
}
