package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// isolated is set in the process that runs in a network of its own.
const isolated = "DORMOUSE_AGENTS_ISOLATED"

func main() {
	bin := flag.String("dormouse", "bin", "folder with dormouse and dormouse-hook")
	keep := flag.String("keep", "", "install the agents into this folder and keep it; default: a temporary one")
	flag.Parse()
	if err := run(*bin, *keep, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "agents:", err)
		os.Exit(1)
	}
}

func run(bin, keep string, names []string) error {
	bin, err := filepath.Abs(bin)
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(bin, "dormouse-hook")); err != nil {
		return fmt.Errorf("build first, with make build: %w", err)
	}
	dir := keep
	if dir == "" {
		if dir, err = os.MkdirTemp("", "dormouse-agents-"); err != nil {
			return err
		}
		defer os.RemoveAll(dir) //nolint:errcheck // a folder of ours
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	chosen := slices.DeleteFunc(agents(), func(a agent) bool { return len(names) > 0 && !slices.Contains(names, a.name) })
	if os.Getenv(isolated) == "" {
		there := install(dir, chosen)
		if len(there) == 0 {
			fmt.Println("skipped: none of the agents could be installed")
			return nil
		}
		return isolate(bin, dir, there)
	}
	return tryAll(bin, dir, chosen)
}

// install installs the agents from npm and gives the names of those that start. Why one does not is said.
func install(dir string, chosen []agent) (there []string) {
	for _, a := range chosen {
		binary := filepath.Join(dir, "node_modules", ".bin", a.binary)
		if _, err := os.Stat(binary); err != nil {
			fmt.Println("installing", a.npm)
			out, err := exec.Command("npm", "install", "--prefix", dir, "--no-audit", "--no-fund", "--loglevel", "error", a.npm).CombinedOutput()
			if err != nil {
				fmt.Printf("skipped: %s cannot be installed: %v: %s\n", a.name, err, lastLine(out))
				continue
			}
		}
		cmd := exec.Command(binary, "--version")
		cmd.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + dir}
		out, err := cmd.CombinedOutput()
		if err != nil {
			fmt.Printf("skipped: %s does not start here: %v: %s\n", a.name, err, lastLine(out))
			continue
		}
		fmt.Printf("%s %s\n", a.name, lastLine(out))
		there = append(there, a.name)
	}
	return there
}

func lastLine(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}

// isolate runs this program again in a network that has the loopback alone.
func isolate(bin, dir string, names []string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	args := append([]string{"-n", "sh", "-c", `ip link set lo up && exec "$0" "$@"`, self, "-dormouse", bin, "-keep", dir}, names...)
	if os.Getuid() != 0 {
		args = append([]string{"-r"}, args...)
	}
	cmd := exec.Command("unshare", args...)
	cmd.Env = append(os.Environ(), isolated+"=1")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("in a network of its own: %w", err)
	}
	return nil
}
