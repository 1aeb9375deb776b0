package main

import (
	"context"

	"github.com/spf13/cobra"

	"dormouse/service/osservice"
)

func serviceCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "service",
		Short: "Have the system start Dormouse when you log on",
		Long: `Have the system start Dormouse when you log on, without an administrator and for you alone.

On Linux it is a unit of your systemd user manager; where there is none, an autostart entry of your desktop. On macOS it is a
LaunchAgent, on Windows a value of your registry's Run key. When it fails it is started again, at first after seconds, at last
after five minutes.

systemd ends your programs when you log out, and starts them when you log on. To keep Dormouse running in between, for
instance on a machine that you reach by ssh, let your programs linger: loginctl enable-linger. Without that nothing is lost:
what your agents wrote is captured at the next start.`,
		Example: `  dormouse service install           start it now and at every log-on
  dormouse service install --tray    the same, with the icon in the tray
  dormouse service status            whether it runs, and what to do if not
  dormouse service uninstall         leave nothing behind but your memory
  dormouse service uninstall --purge nor your memory; asks first`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(serviceInstall(a), serviceStart(a), serviceStop(a), serviceRestart(a), serviceStatus(a), serviceUninstall(a),
		serviceLogs(a))
	for _, sub := range cmd.Commands() {
		sub.Long = reflow(sub.Long, a.Width)
	}
	return cmd
}

func serviceInstall(a *app) *cobra.Command {
	tray, later := false, false
	cmd := &cobra.Command{
		Use:   "install",
		Short: "Start Dormouse now and at every log-on",
		Long: `Start Dormouse now and at every log-on. Run it again after Dormouse has moved or was upgraded: the entry then starts the
new one. The variables DORMOUSE_HOME, CLAUDE_CONFIG_DIR and CODEX_HOME are kept as they are now.`,
		Example: `  dormouse service install
  dormouse service install --tray      the icon in the tray, too
  dormouse service install --no-start  not before the next log-on`,
		Args: takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withService(func(s *hosted) error { return s.install(cmd.Context(), tray, !later) })
		},
	}
	cmd.Flags().BoolVar(&tray, "tray", false, "start the icon in the tray as well")
	cmd.Flags().BoolVar(&later, "no-start", false, "do not start anything now")
	return cmd
}

// serviceAct is a command that does one thing to the service and tells how it is then.
func serviceAct(a *app, use, short, long string, do func(*hosted, context.Context) error) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Long: long, Example: "  dormouse service " + use,
		Args: takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withService(func(s *hosted) error { return do(s, cmd.Context()) })
		},
	}
}

func serviceStart(a *app) *cobra.Command {
	return serviceAct(a, "start", "Start the installed service", `Start the installed service, as at log-on, and wait until it answers.`,
		(*hosted).start)
}

func serviceStop(a *app) *cobra.Command {
	return serviceAct(a, "stop", "Stop the service until the next log-on", `Stop the service, in order, until the next log-on. It is also
stopped when you started it in a terminal.`, (*hosted).stop)
}

func serviceRestart(a *app) *cobra.Command {
	return serviceAct(a, "restart", "Stop the service and start the installed one",
		`Stop the service, wherever it was started, and start the installed one.`, (*hosted).restart)
}

func serviceUninstall(a *app) *cobra.Command {
	purge, yes := false, false
	cmd := &cobra.Command{
		Use:   "uninstall",
		Short: "Stop the service and no longer start it at log-on",
		Long: `Stop the service and take back all that "dormouse service install" has made, for the tray as well. Your memory stays.

With --purge your memory is removed as well, after you have agreed: the state folder and that of the demo. What others put into them
stays, and so does what a sync has sent to a remote.`,
		Example: `  dormouse service uninstall
  dormouse service uninstall --purge        your memory as well; asks first
  dormouse service uninstall --purge --yes  does not ask`,
		Args: takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if yes && !purge {
				return usage(cmd, "--yes is for --purge; without it nothing is asked")
			}
			return a.withService(func(s *hosted) error {
				if !purge {
					return s.uninstall(cmd.Context())
				}
				return s.purge(cmd.Context(), yes)
			})
		},
	}
	cmd.Flags().BoolVar(&purge, "purge", false, "remove your memory as well")
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "with --purge: do not ask")
	return cmd
}

func serviceStatus(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Whether the service runs, and what to do if not",
		Long: `Whether the service answers, which is the truth; what the system says of it; and what to do where the two differ. The
exit code is 0 when the service answers and 3 when it does not. What it holds and does: dormouse status.`,
		Example: `  dormouse service status
  dormouse service status --json`,
		Args: takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withService(func(s *hosted) error { return s.tell(cmd.Context()) })
		},
	}
}

// said is the answer of the commands that change something.
type said struct {
	Done    string           `json:"done"` // what was done
	Notes   []string         `json:"notes,omitempty"`
	Change  osservice.Change `json:"change,omitempty"`
	Service serviceReport    `json:"service"`
	brief   bool             // how the service is then goes without saying
}

// answerDone prints what a command did and what follows from it.
func (s *hosted) answerDone(ctx context.Context, out said) error {
	report, err := s.look(ctx)
	if err != nil {
		return err
	}
	out.Service = report
	return s.a.answer(out, func(v view) []string { return formatSaid(v, out) })
}
