package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"dormouse/service/api"
	"dormouse/service/client"
)

func syncCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sync",
		Short: "One memory on all your machines",
		Long: `Carry the memory to your other machines, through a git repository of your own: on a server, in a folder, on a stick. Set
up the same repository on each machine; from then on each knows what the others learned, whatever the order in which they meet
and however long one was offline. There are no conflicts, since each machine writes its own log.

What is carried is what was learned, not your sessions: they stay on the machine where they took place. It is not encrypted:
whoever can read the repository can read your memory, so take a private one.`,
		Example: `  dormouse sync setup git@host:me/memory.git
  dormouse sync now                  exchange without waiting for the next time
  dormouse sync status               whether it works, and since when
  dormouse sync off                  forget the remote`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(syncSetup(a), syncNow(a), syncStatus(a), syncOff(a))
	for _, sub := range cmd.Commands() {
		sub.Long = reflow(sub.Long, a.Width)
	}
	return cmd
}

func syncSetup(a *app) *cobra.Command {
	restore := false
	cmd := &cobra.Command{
		Use:   "setup URL",
		Short: "Choose the repository to exchange through, and exchange",
		Long: `Choose the repository to exchange through, and exchange at once. Take an empty private repository, or the one that another
machine of yours was set up with. Its address is one that git understands: git@host:me/memory.git, https://host/me/memory.git,
or a folder, made with "git init --bare FOLDER".

Dormouse asks for no password: over ssh your agent and your settings are used, over https your credential helper. Reach the
repository once with "git ls-remote URL" to see that it works.

The repository is kept only when the exchange went well.`,
		Example: `  dormouse sync setup git@host:me/memory.git
  dormouse sync setup /media/stick/memory.git
  dormouse sync setup git@host:me/memory.git --restore`,
		Args: takes(cobra.ExactArgs(1), "the address of a repository"),
		RunE: func(cmd *cobra.Command, args []string) error {
			url := address(args[0], a.Dir)
			if url == "" {
				return usage(cmd, "setup takes the address of a repository; to forget it: dormouse sync off")
			}
			return a.exchange(cmd.Context(), func(ctx context.Context, c *client.Client) (api.Synced, error) {
				if restore {
					return c.SyncRestore(ctx, url)
				}
				return c.SyncSetup(ctx, url)
			})
		},
	}
	cmd.Flags().BoolVar(&restore, "restore", false,
		"put what this machine knows onto a repository again\nthat was rewound, emptied or replaced")
	return cmd
}

// address is the address of a repository as the service understands it, which does not know the folder that the person
// stands in: a folder becomes a whole path, all else stays.
func address(arg, dir string) string {
	arg = strings.TrimSpace(arg)
	if arg == "" || dir == "" || strings.Contains(arg, "://") || filepath.IsAbs(arg) {
		return arg
	}
	path := filepath.Join(dir, arg)
	if info, err := os.Stat(path); err == nil && info.IsDir() || strings.HasPrefix(arg, ".") || !strings.Contains(arg, ":") {
		return path
	}
	return arg
}

func syncNow(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "now",
		Short:   "Exchange now",
		Long:    `Exchange now. It also happens by itself: when Dormouse starts, after each sleep, and every ten minutes.`,
		Example: `  dormouse sync now`,
		Args:    takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.exchange(cmd.Context(), func(ctx context.Context, c *client.Client) (api.Synced, error) { return c.Sync(ctx) })
		},
	}
}

func (a *app) exchange(ctx context.Context, do func(context.Context, *client.Client) (api.Synced, error)) error {
	return ask(ctx, a, func(c *client.Client) (api.Synced, error) {
		if a.Terminal && !a.json {
			a.note("Exchanging with the repository ...")
		}
		return do(ctx, c)
	}, formatSynced)
}

func syncStatus(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Whether the exchange works, and since when",
		Long:  `Whether the exchange works, when it worked last, how many machines share the memory, and what helps when it fails.`,
		Example: `  dormouse sync status
  dormouse sync status --json`,
		Args: takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return ask(cmd.Context(), a, func(c *client.Client) (api.Sync, error) {
				s, err := c.Status(cmd.Context())
				return s.Sync, err
			}, formatSync)
		},
	}
}

func syncOff(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "off",
		Short:   "Forget the repository",
		Long:    `Forget the repository. The memory on this machine and what the repository holds stay as they are.`,
		Example: `  dormouse sync off`,
		Args:    takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return ask(cmd.Context(), a, func(c *client.Client) (api.Sync, error) {
				s, err := c.SyncSetup(cmd.Context(), "")
				return s.Sync, err
			}, formatSync)
		},
	}
}
