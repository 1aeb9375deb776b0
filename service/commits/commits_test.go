package commits

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"dormouse/store/gitrepo"
	"dormouse/store/memory"
	"dormouse/store/project"
	"dormouse/store/session"
)

// clock is when the session of the tests began, in Unix seconds.
const clock = 1_790_000_000

// git runs git at a time, as somebody.
func git(t *testing.T, dir string, at int64, args ...string) string {
	t.Helper()
	c := exec.Command("git", args...)
	c.Dir = dir
	when := fmt.Sprintf("%d +0000", at)
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=R", "GIT_AUTHOR_EMAIL=r@example.org",
		"GIT_COMMITTER_NAME=R", "GIT_COMMITTER_EMAIL=r@example.org", "GIT_AUTHOR_DATE="+when, "GIT_COMMITTER_DATE="+when)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

func commit(t *testing.T, dir string, at int64, message string, more ...string) string {
	t.Helper()
	git(t, dir, at, append([]string{"commit", "-q", "--allow-empty", "-m", message}, more...)...)
	return git(t, dir, at, "rev-parse", "HEAD")
}

// node is a node of the session: a prompt, or a call with its output.
func node(id string, at int64, output string, call bool) memory.Node {
	n := memory.Node{ID: id, Role: memory.RoleUser, Output: output, CreatedAt: at, Metadata: memory.Metadata{Kind: memory.KindPrompt}}
	if call {
		n.Role, n.Name, n.Metadata = memory.RoleTool, "Bash", memory.Metadata{}
	}
	return n
}

func captured(t *testing.T, store *session.Store, agentID, cwd string, nodes ...memory.Node) *session.Session {
	t.Helper()
	x, err := store.Ensure(memory.Session{Agent: "claude-code", AgentSessionID: agentID, Cwd: cwd, CreatedAt: nodes[0].CreatedAt}, "cc_")
	if err != nil {
		t.Fatal(err)
	}
	b := x.Begin(false)
	parent := memory.Ref("")
	for _, n := range nodes {
		n.ParentID, parent = parent, memory.Ref(n.ID)
		if _, err := b.Append(n); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Close(true); err != nil {
		t.Fatal(err)
	}
	if err := x.Update(func(m *memory.Session) { m.CreatedAt, m.Cwd = nodes[0].CreatedAt, cwd }); err != nil {
		t.Fatal(err)
	}
	return x
}

func TestTheCommitsOfASessionAreTiedToTheirNodes(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, clock, "init", "-q", "-b", "main")
	old := commit(t, dir, clock-86400, "Long before")
	byCall := commit(t, dir, clock+100, "By the agent, in a call")
	byHand := commit(t, dir, clock+250, "By the person, meanwhile")
	amended := commit(t, dir, clock+300, "Amended away")
	git(t, dir, clock+300, "reset", "-q", "--soft", "HEAD~1")
	onSide := func() string {
		git(t, dir, clock, "checkout", "-q", "-b", "side")
		defer git(t, dir, clock, "checkout", "-q", "main")
		return commit(t, dir, clock+320, "On another branch")
	}()
	forAgent := commit(t, dir, clock+400, "[agent cc_x] turn 2: Second", "--author=agent (m via Dormouse) <"+project.AgentMail+">")
	came := func() string {
		other := t.TempDir()
		git(t, other, clock, "clone", "-q", dir, ".")
		id := commit(t, other, clock+150, "Somebody else's")
		git(t, dir, clock+260, "fetch", "-q", other, "main:theirs")
		return id
	}()
	commit(t, dir, clock+9000, "Long after")

	store := session.New(session.Options{Dir: t.TempDir(), Machine: "m"})
	x := captured(t, store, "s1", dir,
		node("n1", clock, "Do it", false),
		node("n2", clock+50, "[main "+byCall[:7]+"] By the agent, in a call\n 1 file changed", true),
		node("n3", clock+120, old[:9]+" Long before\n"+byCall[:12]+" By the agent", true),
		node("n4", clock+200, "Second", false),
		node("n5", clock+290, "[main "+amended[:8]+"] Amended away\n", true),
		node("n6", clock+330, "deadbeef is no commit, "+strings.Repeat("0", 40)+" neither", true),
		node("n7", clock+410, "done", true))
	g, err := project.New(project.Options{Dir: t.TempDir()}).Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	list, err := During(t.Context(), g, x)
	if err != nil {
		t.Fatal(err)
	}
	id := x.Meta().ID
	want := []Linked{
		{gitrepo.LogEntry{SHA: forAgent}, []Link{{"cc_x", 2, "n7", ByMessage}}},
		{gitrepo.LogEntry{SHA: onSide}, []Link{{id, 2, "n5", ByTime}}},
		{gitrepo.LogEntry{SHA: amended}, []Link{{id, 2, "n5", ByCall}}},
		{gitrepo.LogEntry{SHA: byHand}, []Link{{id, 2, "n4", ByTime}}},
		{gitrepo.LogEntry{SHA: byCall}, []Link{{id, 1, "n2", ByCall}}},
	}
	if slices.ContainsFunc(list, func(l Linked) bool { return l.SHA == came }) {
		t.Error("a commit that came in from elsewhere counts as made meanwhile")
	}
	if len(list) != len(want) {
		t.Fatalf("%d commits: %+v", len(list), list)
	}
	for i, w := range want {
		if list[i].SHA != w.SHA || !reflect.DeepEqual(list[i].Links, w.Links) {
			t.Errorf("%d: %s %+v, want %s %+v", i, list[i].Subject, list[i].Links, w.SHA, w.Links)
		}
	}
}

func TestACommitIsTiedToSessionsByItsMessageElseByTime(t *testing.T) {
	sessions := []memory.Session{{ID: "cc_1", AgentSessionID: "u1", CreatedAt: 100, UpdatedAt: 200}, {ID: "cc_2", CreatedAt: 150, UpdatedAt: 300}}
	agent := func(subject string) gitrepo.LogEntry {
		return gitrepo.LogEntry{Subject: subject, Mail: project.AgentMail, Time: 170}
	}
	for name, c := range map[string]struct {
		e    gitrepo.LogEntry
		want []Link
	}{
		"its message":             {agent("[agent cc_2] turn 7: x"), []Link{{Session: "cc_2", Turn: 7, By: ByMessage}}},
		"the agent's own id":      {agent("[agent u1] turn 7: x"), []Link{{Session: "cc_1", Turn: 7, By: ByMessage}}},
		"a session of long ago":   {agent("[agent gone] turn 7: x"), []Link{{Session: "gone", Turn: 7, By: ByMessage}}},
		"the person's own words":  {gitrepo.LogEntry{Subject: "[agent cc_2] turn 7: x", Mail: "r@example.org", Time: 120}, []Link{{Session: "cc_1", By: ByTime}}},
		"two sessions at a time":  {gitrepo.LogEntry{Time: 170}, []Link{{Session: "cc_1", By: ByTime}, {Session: "cc_2", By: ByTime}}},
		"a moment after it ended": {gitrepo.LogEntry{Time: 330}, []Link{{Session: "cc_2", By: ByTime}}},
		"no session at that time": {gitrepo.LogEntry{Time: 5000}, nil},
		"no number of a turn":     {agent("[agent cc_2] turn x: y"), []Link{{Session: "cc_1", By: ByTime}, {Session: "cc_2", By: ByTime}}},
	} {
		if got := Within(c.e, sessions); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestASessionIsAtWorkWhereItCallsTools(t *testing.T) {
	store := session.New(session.Options{Dir: t.TempDir(), Machine: "m"})
	root := t.TempDir()
	sub := filepath.Join(root, "sub")
	if err := os.Mkdir(sub, 0o700); err != nil {
		t.Fatal(err)
	}
	call := func(at int64) []memory.Node {
		return []memory.Node{node("p"+fmt.Sprint(at), at, "x", false), node("c"+fmt.Sprint(at), at+1, "x", true)}
	}
	captured(t, store, "me", root, call(clock)...)
	at := captured(t, store, "at work", sub, call(clock+2)...).Meta().ID
	captured(t, store, "before", root, call(clock-100)...)
	captured(t, store, "elsewhere", root+"-two", call(clock+3)...)
	captured(t, store, "only talks", root, node("t", clock+5, "x", false))
	got, err := AtWork(store, root, "me", clock)
	if err != nil || !reflect.DeepEqual(got, []string{at}) {
		t.Errorf("%v, %v; want %s", got, err, at)
	}
}
