package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/service/client"
)

func syncRestore(a *app) *cobra.Command {
	yes, know := false, false
	cmd := &cobra.Command{
		Use:   "restore-remote",
		Short: "Give a rewound or emptied repository the memory back",
		Long: `Put what this machine knows back onto the repository, after it was rewound, emptied, replaced or written over by a forced push, or
when it holds another log of this machine. Sync stops then and takes nothing, so that the memory here is whole. What the repository holds now
is kept and joined; nothing is forced. You are asked first.`,
		Example: `  dormouse sync restore-remote
  dormouse sync restore-remote --yes`,
		Args: takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.exchange(cmd.Context(), func(ctx context.Context, c *client.Client) (api.Synced, error) {
				return a.restoreRemote(ctx, c, yes, know)
			})
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	cmd.Flags().BoolVar(&know, "i-know", false, "put it back also where everybody can read it")
	return cmd
}

// restoreRemote asks, and puts the memory back onto the remote that is set.
func (a *app) restoreRemote(ctx context.Context, c *client.Client, yes, know bool) (api.Synced, error) {
	st, err := c.Status(ctx)
	if err != nil {
		return api.Synced{}, err
	}
	if st.Sync.Remote == "" {
		return api.Synced{}, errors.New("sync is off, so there is no repository to put anything onto; to choose one: dormouse sync setup URL")
	}
	if !yes {
		if st.Sync.Failure != "" {
			a.note("%s", text.Clean(st.Sync.Failure))
		}
		question := fmt.Sprintf("Put the logs of %s that are known here back onto %s, beside what it holds now?", count(max(st.Sync.Machines, 1), "machine"), st.Sync.Remote)
		if err := a.sure(question, "nothing was put back"); err != nil {
			return api.Synced{}, err
		}
	}
	return c.SyncChoose(ctx, api.SyncChoice{URL: st.Sync.Remote, Restore: true, Know: know})
}
