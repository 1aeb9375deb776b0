//go:build !cgo && !windows

package main

import (
	"context"

	"dormouse/app/lang"
)

// runBar runs without an icon: the tray's library needs C on this system, and this program was built without.
func runBar(ctx context.Context, a *app) {
	a.withoutTray(ctx, lang.Say("This dormouse-tray was built without C and cannot show an icon."))
	a.run(ctx, nil)
}
