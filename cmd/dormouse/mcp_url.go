package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"dormouse/service/api"
	"dormouse/service/client"
)

// mcpAddress is what an agent needs to ask over HTTP.
type mcpAddress struct {
	URL       string `json:"url"`
	TokenFile string `json:"token_file"`
	Header    string `json:"header"` // that every request has to bring
}

func mcpURLCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "url",
		Short: "How to reach the tools over HTTP",
		Long: `Print the address at which agents can ask the memory over HTTP, and the header with the token that they have to send. It is off
until you set http = true under [mcp] in config.toml and restart the service. The service listens at 127.0.0.1 alone, and answers
neither web pages nor anybody without the token, which lies in a file that you alone can read.`,
		Example: `  dormouse mcp url
  claude mcp add --transport http dormouse "$(dormouse mcp url --json | jq -r .url)" --header "$(dormouse mcp url --json | jq -r .header)"`,
		Args: takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return ask(cmd.Context(), a, func(c *client.Client) (mcpAddress, error) {
				st, err := c.Status(cmd.Context())
				if err != nil {
					return mcpAddress{}, err
				}
				return addressOf(st)
			}, func(v view, m mcpAddress) []string {
				return []string{"Address  " + m.URL, "Header   " + m.Header, "Token    " + v.path(m.TokenFile), "",
					"An agent that does not tell where it works gets the project in the address: " + m.URL + "?project=/path/of/it"}
			})
		},
	}
}

func addressOf(st api.Status) (m mcpAddress, err error) {
	switch {
	case st.Demo:
		return m, errors.New("the demo's memory is no agent's; agents ask the service of your own memory")
	case !st.MCP.On:
		return m, fmt.Errorf("asking over HTTP is off; set http = true under [mcp] in %s/config.toml and restart the service. Agents that start `dormouse mcp` need none of this", st.Home)
	case st.MCP.URL == "":
		return m, errors.New("the service does not listen for agents at the moment; dormouse status says why")
	}
	token, err := os.ReadFile(st.MCP.TokenFile)
	if err != nil {
		return m, fmt.Errorf("read the token: %w", err)
	}
	return mcpAddress{URL: st.MCP.URL, TokenFile: st.MCP.TokenFile, Header: "Authorization: Bearer " + strings.TrimSpace(string(token))}, nil
}
