// Command inspector tries Dormouse's tools with the MCP inspector's command line: it installs that from npm into a folder of its own,
// starts a service on a made-up session, and asks it over standard input and output and over HTTP.
//
//	go run ./packaging/inspector -dormouse bin/dormouse [-keep DIR]
//
// Home, PATH and variables are its own: it never reads or writes anything of the person's. Nothing that ships uses it. Where npm or the
// inspector is not to be had, it says so and ends well.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	program := flag.String("dormouse", "bin/dormouse", "the program to try")
	keep := flag.String("keep", "", "install the inspector into this folder and keep it; default: a temporary one")
	flag.Parse()
	if err := run(*program, *keep); err != nil {
		fmt.Fprintln(os.Stderr, "inspector:", err)
		os.Exit(1)
	}
}

// inspector is the package, with a version that starts with the Node of most systems; newer ones ask for a newer Node.
const inspector = "@modelcontextprotocol/inspector@0.17.2"

// bench is where the inspector and a service run.
type bench struct{ program, dir, home, project string }

func run(program, keep string) (err error) {
	b := bench{dir: keep}
	if b.program, err = filepath.Abs(program); err != nil {
		return err
	}
	if b.dir == "" {
		if b.dir, err = os.MkdirTemp("", "dormouse-inspector-"); err != nil {
			return err
		}
		defer os.RemoveAll(b.dir) //nolint:errcheck // a folder of ours
	}
	if b.dir, err = filepath.Abs(b.dir); err != nil {
		return err
	}
	if _, err := os.Stat(b.binary()); err != nil {
		out, err := exec.Command("npm", "install", "--prefix", b.dir, "--no-audit", "--no-fund", "--loglevel", "error", inspector).CombinedOutput()
		if err != nil {
			fmt.Printf("skipped: %s cannot be installed: %v: %s\n", inspector, err, bytes.TrimSpace(out))
			return nil
		}
	}
	if b.home, err = os.MkdirTemp("", "dormouse-inspector-home-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.home) //nolint:errcheck // a folder of ours
	if err := b.seed(); err != nil {
		return err
	}
	stop, err := b.serve()
	if err != nil {
		return err
	}
	defer stop()
	return b.tryAll()
}

func (b *bench) binary() string { return filepath.Join(b.dir, "node_modules", ".bin", "mcp-inspector") }

func (b *bench) env() []string {
	return []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + b.home, "DORMOUSE_HOME=" + filepath.Join(b.home, ".dormouse")}
}

func (b *bench) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Env, cmd.Dir = b.env(), b.project
	return cmd
}

// seed makes a project and a session of Claude Code in it.
func (b *bench) seed() error {
	b.project = filepath.Join(b.home, "work", "shop")
	lines := []string{
		`{"type":"user","uuid":"1","sessionId":"S","cwd":"` + b.project + `","timestamp":"2026-05-01T09:00:00Z","version":"2.1.200","message":{"role":"user","content":"From now on never let the gateway listen on port 8080."}}`,
		`{"type":"assistant","uuid":"2","parentUuid":"1","sessionId":"S","cwd":"` + b.project + `","timestamp":"2026-05-01T09:01:00Z","version":"2.1.200","message":{"role":"assistant","model":"m","content":[{"type":"text","text":"The gateway listens on port 8443."}]}}`,
	}
	for path, text := range map[string]string{
		filepath.Join(b.project, "README.md"): "shop\n",
		filepath.Join(b.home, ".claude", "projects", "p", "00000000-0000-4000-8000-000000000001.jsonl"): strings.ReplaceAll(strings.Join(lines, "\n")+"\n", `"S"`, `"00000000-0000-4000-8000-000000000001"`),
		filepath.Join(b.home, ".dormouse", "config.toml"):                                               "[mcp]\nhttp = true\nport = 0\n",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return err
		}
	}
	if out, err := b.command("git", "init", "-q").CombinedOutput(); err != nil {
		return fmt.Errorf("make a repository: %w: %s", err, out)
	}
	return nil
}

// serve starts a service and waits until agents can ask it over HTTP.
func (b *bench) serve() (stop func(), err error) {
	cmd := b.command(b.program, "up")
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	stop = func() {
		_ = b.command(b.program, "stop").Run()
		_ = cmd.Wait()
	}
	for range 600 {
		if b.command(b.program, "mcp", "url").Run() == nil {
			return stop, nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	_ = cmd.Process.Kill()
	return nil, fmt.Errorf("the service does not come up")
}
