package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
)

// bill writes the bill of materials of a target's programs, one for those that people call and one for the window, in the form of CycloneDX:
// the modules that are built in, with their versions, digests and the licences found in them.
func (r *release) bill(ctx context.Context, b built) error {
	for _, name := range []string{"dormouse", "dormouse-tray", "dormouse-desktop"} {
		if !b.has(name) {
			continue
		}
		out := filepath.Join(r.out, fmt.Sprintf("%s-%s-%s.cdx.json", name, r.version, b.slug()))
		args := slices.Concat([]string{"-C", filepath.Join(r.root, "packaging", "dist"), "tool", "cyclonedx-gomod", "bin"},
			[]string{"-json", "-noserial", "-notimestamp", fmt.Sprintf("-licenses=%t", !r.quick), "-std", "-version", r.version, "-output", out, b.programs[name]})
		if err := r.command(ctx, []string{"GOFLAGS=-trimpath"}, "go", args...); err != nil {
			return fmt.Errorf("bill of materials of %s: %w", name, err)
		}
	}
	return nil
}
