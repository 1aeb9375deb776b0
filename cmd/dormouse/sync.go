package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

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

What is carried is what was learned, not your sessions: they stay on the machine where they took place. Set up with --encrypt, the
repository holds nothing that can be read without the key of one of your machines; otherwise whoever can read the repository can
read your memory, so take a private one.`,
		Example: `  dormouse sync setup git@host:me/memory.git
  dormouse sync now                  exchange without waiting for the next time
  dormouse sync status               whether it works, and since when
  dormouse sync restore-remote       give the memory back to a remote
  dormouse sync off                  forget the remote`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(syncSetup(a), syncLogin(a), syncNow(a), syncStatus(a), syncRestore(a), syncOff(a))
	for _, sub := range cmd.Commands() {
		sub.Long = reflow(sub.Long, a.Width)
	}
	return cmd
}

func syncSetup(a *app) *cobra.Command {
	choice := api.SyncChoice{}
	cmd := &cobra.Command{
		Use:   "setup URL",
		Short: "Choose the repository to exchange through, and exchange",
		Long: `Choose the repository to exchange through, and exchange at once. Take an empty private repository, or the one that another
machine of yours was set up with. Its address is one that git understands: git@host:me/memory.git, https://host/me/memory.git,
or a folder, made with "git init --bare FOLDER".

Over ssh your agent and your settings are used; a host that is met for the first time is shown with its fingerprint, and you are
asked once. Over https your credential helper is used, or a token that you give once with "dormouse sync login URL".

With --encrypt an empty repository is used encrypted from the start: it shows sizes, times and how many machines there are, and nothing
else. A new machine is let in by a code that "dormouse devices invite" shows on an old one: give it with --code.

A repository that everybody can read, and one where the code of one of your projects lives, are refused unless you say
--i-know. You are told who can read the one that you chose. It is kept only when the exchange went well.`,
		Example: `  dormouse sync setup git@host:me/memory.git
  dormouse sync setup /media/stick/memory.git --encrypt
  dormouse sync setup git@host:me/memory.git --code 7K3QX-90MTB
  dormouse sync setup git@host:me/memory.git --restore`,
		Args: takes(cobra.ExactArgs(1), "the address of a repository"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if choice.URL = address(args[0], a.Dir); choice.URL == "" {
				return usage(cmd, "setup takes the address of a repository; to forget it: dormouse sync off")
			}
			return a.exchange(cmd.Context(), func(ctx context.Context, c *client.Client) (api.Synced, error) {
				return a.chooseRemote(ctx, c, choice)
			})
		},
	}
	cmd.Flags().BoolVar(&choice.Restore, "restore", false,
		"put what this machine knows onto a repository again\nthat was rewound, emptied or replaced")
	cmd.Flags().BoolVar(&choice.Know, "i-know", false, "take a repository also when it is public, or holds code")
	cmd.Flags().StringVar(&choice.Trust, "trust", "", "the fingerprint of a new ssh host's key, compared")
	cmd.Flags().BoolVar(&choice.Encrypt, "encrypt", false, "use an empty repository encrypted")
	cmd.Flags().StringVar(&choice.Code, "code", "", "the code that another machine shows")
	return cmd
}

// chooseRemote sets the remote up. A host that is met for the first time is shown, and the person asked, where there is one.
func (a *app) chooseRemote(ctx context.Context, c *client.Client, choice api.SyncChoice) (api.Synced, error) {
	got, err := c.SyncChoose(ctx, choice)
	var e *api.Error
	if !errors.As(err, &e) || e.Code != api.CodeUnknownHost || len(e.Candidates) != 1 || !a.Terminal || a.json {
		return got, err
	}
	a.note("%s", e.Message)
	a.note("Is this the host's key? [y/N]")
	if answer, _ := bufio.NewReader(a.Stdin).ReadString('\n'); !strings.EqualFold(strings.TrimSpace(answer), "y") {
		return got, errors.New("the host was not trusted; nothing was set up")
	}
	choice.Trust = e.Candidates[0]
	return c.SyncChoose(ctx, choice)
}

func syncLogin(a *app) *cobra.Command {
	user := ""
	cmd := &cobra.Command{
		Use:   "login URL",
		Short: "Keep a token for a repository at an https address",
		Long: `Keep a token for a repository at an https address: git's credential helper keeps it where you have one, else the keyring of
your system. It is never written to a file of Dormouse's. It is read from the terminal without being shown, or from the
standard input.`,
		Example: `  dormouse sync login https://host/me/memory.git
  dormouse sync login https://host/me/memory.git --user me < token.txt`,
		Args: takes(cobra.ExactArgs(1), "the address of a repository"),
		RunE: func(cmd *cobra.Command, args []string) error {
			token, err := a.secret("Token: ")
			if err != nil {
				return err
			}
			return ask(cmd.Context(), a, func(c *client.Client) (struct{}, error) {
				return struct{}{}, c.SyncLogin(cmd.Context(), strings.TrimSpace(args[0]), user, token)
			}, func(v view, _ struct{}) []string {
				p := &page{view: v}
				p.say("The token is kept. Exchange with it:", "dormouse sync now")
				return p.lines
			})
		},
	}
	cmd.Flags().StringVar(&user, "user", "", "the name beside the token; most hosts take any")
	return cmd
}

// secret reads one line that is not shown.
func (a *app) secret(prompt string) (string, error) {
	if f, ok := a.Stdin.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		_, _ = fmt.Fprint(a.Stderr, prompt)
		b, err := term.ReadPassword(int(f.Fd()))
		_, _ = fmt.Fprintln(a.Stderr)
		return strings.TrimSpace(string(b)), err
	}
	line, err := bufio.NewReader(a.Stdin).ReadString('\n')
	if line = strings.TrimSpace(line); line == "" {
		return "", fmt.Errorf("no token was given on the standard input: %w", err)
	}
	return line, nil
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
