//go:build !linux

package main

import (
	"context"
	"time"
)

// screen: these systems start the tray with a screen alone.
func screen(func(string) string) error { return nil }

const hostTime = time.Second

// awaitHost: the tray is a part of these systems.
func awaitHost(context.Context, time.Duration) bool { return true }
