// Command dist builds what people install: packages, archives and an installer of the four programs, for Linux, Windows and macOS, with
// their bills of materials and checksums. The same commit gives the same bytes.
//
// It is a module of its own, so that what builds packages is nothing that Dormouse itself depends on. It never uploads anything, never
// signs without a key that the environment names, and leaves the checkout as it is, but for the folder that it fills.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		_, _ = fmt.Fprintln(os.Stderr, "dist:", err) // nobody to tell if that fails
		os.Exit(1)
	}
}

const usage = `dist builds the packages, archives and installers of a release into a folder, with checksums and bills of materials.

  dist                               everything that this machine can build, into dist/
  dist -only linux/amd64 -out /tmp/d one system and processor, elsewhere
  dist -strict                       fail where a program or a package has to be left out

What lacks a tool here is left out and named at the end. The window and the tray for another processor need its libraries:
  packaging/dist-deps arm64          puts them where they are found
  DORMOUSE_SYSROOT=FOLDER            has them elsewhere, as that system has them

Signing, each skipped without its variable:
  DORMOUSE_SIGN_GPG=KEY              signs SHA256SUMS with that key of gpg
  DORMOUSE_SIGN_P12=FILE             signs Windows programs and the installer (osslsigncode); DORMOUSE_SIGN_P12_PASS=FILE has the password
  DORMOUSE_SIGN_APPLE=IDENTITY       signs the bundle on macOS (codesign)

`

func run(ctx context.Context, args []string, out, errs io.Writer) error {
	set := flag.NewFlagSet("dist", flag.ContinueOnError)
	set.SetOutput(errs)
	set.Usage = func() { _, _ = fmt.Fprint(errs, usage); set.PrintDefaults() }
	root := set.String("root", "../..", "the checkout")
	dir := set.String("out", "", "the folder to fill; what Dormouse's releases left there before is replaced (default: dist in the checkout)")
	only := set.String("only", "", "systems and processors, separated by commas; all without")
	version := set.String("version", "", "the version (default: that of FyneApp.toml, with the commit where it is not tagged so)")
	quick := set.Bool("quick", false, "pack loosely and name no licences: for tests")
	strict := set.Bool("strict", false, "fail where something has to be left out")
	if err := set.Parse(args); err != nil {
		return err
	}
	if set.NArg() > 0 {
		return fmt.Errorf("%q: dist takes flags alone; see dist -help", set.Arg(0))
	}
	targets, err := chosen(*only)
	if err != nil {
		return err
	}
	r, err := newRelease(ctx, *root, *dir, *version, out)
	if err != nil {
		return err
	}
	defer r.close()
	r.quick = *quick
	if err := r.all(ctx, targets); err != nil {
		return err
	}
	return r.sum(*strict)
}

// chosen are the targets that a list names.
func chosen(list string) ([]target, error) {
	if list == "" {
		return targets, nil
	}
	var out []target
	for name := range strings.SplitSeq(list, ",") {
		i := slices.IndexFunc(targets, func(t target) bool { return t.String() == strings.TrimSpace(name) })
		if i < 0 {
			return nil, fmt.Errorf("-only %s: there are %v", name, targets)
		}
		out = append(out, targets[i])
	}
	return out, nil
}
