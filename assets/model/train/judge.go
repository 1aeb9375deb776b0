package main

import (
	"io"

	"dormouse/service/embed"
)

func judge(io.Writer, string, *embed.Table) error { return nil }
