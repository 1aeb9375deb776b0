//go:build !linux && !windows && !darwin

package machine

import (
	"context"
	"time"
)

type system struct{}

func (*system) close() {}

func (p *Probe) input(context.Context) (*time.Duration, string, Known) { return nil, "", Unknown }
func (p *Probe) cpuTimes() (times, bool)                               { return times{}, false }
func (p *Probe) average() *float64                                     { return nil }
func (p *Probe) battery(context.Context) (Known, *int)                 { return Unknown, nil }
func (p *Probe) metered(context.Context) Known                         { return Unknown }
