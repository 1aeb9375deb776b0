//go:build unix

package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// goneTime is how long the bridge may outlive its agent.
const goneTime = 5 * time.Second

// TestCaseP7TheBridgeEndsWithAnAgentThatIsKilled (children of MCP that outlive their agent) has an agent be killed without a chance to
// close anything, while somebody else still holds the other end of the bridge's standard input.
func TestCaseP7TheBridgeEndsWithAnAgentThatIsKilled(t *testing.T) {
	in, give, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer give.Close() //nolint:errcheck // held open until the test ends
	from, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close() //nolint:errcheck // opened for reading
	user := t.TempDir()
	agent := exec.Command("sh", "-c", `"$0" mcp --agent codex <&3 >&4 & wait`, os.Args[0])
	agent.ExtraFiles = []*os.File{in, out}
	agent.Dir, agent.Env = user, append(os.Environ(), asProgram+"=1", "HOME="+user, "DORMOUSE_HOME=")
	if err := agent.Start(); err != nil {
		t.Fatal(err)
	}
	_, _ = in.Close(), out.Close() // the agent and the bridge have them
	if _, err := io.WriteString(give, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`+"\n"); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(from)
	if line, err := r.ReadString('\n'); err != nil || !strings.Contains(line, `"id":1`) {
		t.Fatalf("%q %v", line, err)
	}
	if err := agent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = agent.Wait() // killed
	ended := make(chan error, 1)
	go func() {
		_, err := io.Copy(io.Discard, r) // until nobody can write any more
		ended <- err
	}()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(goneTime):
		t.Errorf("the bridge is still there %v after its agent was killed", goneTime)
	}
}
