package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"dormouse/cmd/internal/text"
	"dormouse/service/daemon"
	"dormouse/store/home"
)

func verifyCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "verify",
		Short: "Whether anybody has changed the log of decisions",
		Long: `Check the log of what was decided about the memory, on this machine and as it came from others: every line names the line before
it by a hash, and the end of each log is vouched for by the commits of the memory repository. A line that was changed, taken out, put in or
moved is named with its file. It needs no running service and changes nothing; it ends with code 1 where something is wrong.

When the service starts it brings back from the memory repository what was changed, and says so in dormouse status.`,
		Example: `  dormouse verify
  dormouse verify --json | jq '.faults[]'`,
		Args: takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			h, err := home.Default(a.Env)
			if err != nil {
				return err
			}
			if c, err := a.choose(cmd.Context(), h); err == nil { // the demo's, where that is what all other commands answer from
				h = home.At(c.Home())
				c.Close()
			}
			found, err := daemon.Verify(h)
			if err != nil {
				return err
			}
			if err := a.answer(found, func(v view) []string { return formatVerified(v, found) }); err != nil {
				return err
			}
			if len(found.Faults) > 0 {
				return &saidError{errors.New("the log is not as it was written")}
			}
			return nil
		},
	}
}

func formatVerified(v view, found daemon.Verified) []string {
	p := &page{view: v}
	if found.Lines == 0 && len(found.Faults) == 0 {
		p.say("Nothing to check: no decision has been written yet.", "")
		return p.lines
	}
	if len(found.Faults) == 0 {
		p.say(fmt.Sprintf("%s: each as it was written, in its place.", count(found.Lines, "line")), "")
		return p.lines
	}
	p.say(p.Bad(fmt.Sprintf("%s checked, %s wrong:", count(found.Lines, "line"), number(len(found.Faults)))), "")
	for _, f := range found.Faults {
		p.prose(fmt.Sprintf("%s, line %d: %s", v.path(f.File), f.Line, text.Line(f.Reason)), "  ", nil)
	}
	p.hint("To have what was committed brought back, start the service anew:", "dormouse up")
	return p.lines
}
