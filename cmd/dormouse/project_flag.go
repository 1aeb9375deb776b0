package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

// projectFlag adds --project, which takes a name, an id, an address or a folder. A folder is made absolute here: the
// service does not know where its client stands.
func projectFlag(cmd *cobra.Command, to *string, about string) {
	cmd.Flags().VarP((*projectValue)(to), "project", "p", about)
}

type projectValue string

func (p *projectValue) Set(s string) error {
	*p = projectValue(s)
	if !looksLikeFolder(s) {
		return nil
	}
	abs, err := filepath.Abs(s)
	if err != nil {
		return err
	}
	*p = projectValue(abs)
	return nil
}

func (p *projectValue) String() string { return string(*p) }

// Type is the word that stands for the value in help.
func (p *projectValue) Type() string { return "project" }

// looksLikeFolder reports whether a person who wrote s meant a folder: it is one, and it is written as a path.
func looksLikeFolder(s string) bool {
	if s != "." && s != ".." && !strings.ContainsRune(s, filepath.Separator) {
		return false
	}
	info, err := os.Stat(s)
	return err == nil && info.IsDir()
}
