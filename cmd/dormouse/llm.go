package main

import (
	"errors"

	"github.com/spf13/cobra"

	"dormouse/service/api"
	"dormouse/service/client"
)

func llmCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "llm",
		Short: "Language models: whether the one that is set can be used",
		Long: `Language models are asked only where you set one in config.toml, under [llm]: to name sessions, and, with extractor = "model"
under [distill], to read what is worth remembering.`,
		Example: `  dormouse llm test`,
		Args:    takes(cobra.NoArgs, "one of its commands"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(llmTestCommand(a))
	return cmd
}

func llmTestCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "test",
		Short: "Ask the language model one tiny question",
		Long: `Has the service ask the language model that is set one tiny question, and tells which model answered, how long it took and
what it cost, or exactly why it did not. It ends with code 1 where it did not. The service asks, because its settings, keys and
network are what counts.`,
		Example: `  dormouse llm test
  dormouse llm test --json | jq .milliseconds`,
		Args: takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			var tried api.ModelTried
			err := ask(cmd.Context(), a, func(c *client.Client) (api.ModelTried, error) {
				if a.Terminal && !a.json {
					a.note("Asking ...")
				}
				var err error
				tried, err = c.TryModel(cmd.Context())
				return tried, err
			}, formatTried)
			if err == nil && tried.Failure != "" {
				return &saidError{errors.New(tried.Failure)}
			}
			return err
		},
	}
}
