package main

import "context"

type otherFigures struct {
	Name      string  `json:"name"`
	Records   int     `json:"records"`
	BuildCPU  float64 `json:"build_cpu_s"`
	FileBytes float64 `json:"file_bytes"`
	Memory    float64 `json:"private_mb"`
	Cost      cost    `json:"query"`
}

type other struct {
	name    string
	measure func(context.Context, *searchRun) (otherFigures, error)
}

func (b *searchRun) others(dir string) []other { return nil }
