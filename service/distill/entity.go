package distill

import (
	"regexp"
	"slices"
	"strings"

	"dormouse/store/memory"
)

// graph collects a turn's entities and relations, each once.
type graph struct {
	s        *scan
	project  string // id of the project's entity
	parts    map[string]string
	entities []EntityDraft
	edges    []EdgeDraft
	have     map[string]int // entity id -> index
	linked   map[string]bool
}

// graph reads entities and relations out of the turn's acts, edits and picked records. Only what was changed, made, run or
// stated is an entity: files that were merely read are none.
func (s *scan) graph(picked []Draft) *graph {
	g := &graph{s: s, have: map[string]int{}, linked: map[string]bool{}}
	g.addProject()
	g.addFiles()
	g.addCommits()
	g.addInstalls()
	g.addChecks()
	g.addParts()
	for i := range picked {
		g.addNamed(&picked[i])
	}
	if len(picked) == 0 && len(g.edges) == 0 {
		g.entities = nil // a turn in which nothing was done names no project either
	}
	return g
}

func (g *graph) entity(typ, name string, node int, attrs map[string]string) string {
	e := EntityDraft{Type: typ, Name: oneLine(name), Attrs: attrs}
	id := e.ID()
	if id == typ+"." {
		return ""
	}
	if _, ok := g.have[id]; ok {
		return id
	}
	e.Nodes, e.At = g.evidence(node)
	g.have[id] = len(g.entities)
	g.entities = append(g.entities, e)
	return id
}

func (g *graph) edge(from, relation, to string, confidence float64, node int) {
	if from == "" || to == "" || from == to {
		return
	}
	key := from + "\x00" + relation + "\x00" + to
	if g.linked[key] {
		return
	}
	g.linked[key] = true
	e := EdgeDraft{From: from, Relation: relation, To: to, Confidence: confidence}
	e.Nodes, e.At = g.evidence(node)
	g.edges = append(g.edges, e)
}

func (g *graph) evidence(node int) ([]string, *int64) {
	n := &g.s.nodes[node]
	if n.CreatedAt == 0 {
		return []string{n.ID}, nil
	}
	at := n.CreatedAt
	return []string{n.ID}, &at
}

// addProject names the project that the session works in. A session without one has no such entity.
func (g *graph) addProject() {
	p := g.s.turn.Project
	if p.Name == "" || len(g.s.nodes) == 0 {
		return
	}
	attrs := map[string]string{}
	if p.Root != "" {
		attrs["path"] = relative(p.Root, "")
	}
	g.project = g.entity(memory.TypeProject, p.Name, 0, attrs)
}

// maxTurnFiles bounds the file entities of one turn: a sweep over hundreds of files is one event, not hundreds of entities.
const maxTurnFiles = 30

func (g *graph) addFiles() {
	files := g.s.edited()
	for _, f := range files[:min(len(files), maxTurnFiles)] {
		id := g.entity(memory.TypeFile, f.path, f.last, nil)
		g.edge(id, "part-of", g.project, 1, f.last)
	}
}

var closesRE = regexp.MustCompile(`(?i)\b(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?)[:\s]+(?:[\w.-]+/[\w.-]+)?(#\d+|[A-Z][A-Z0-9]{1,9}-\d+)`)

// addCommits ties each commit to the files that were changed since the one before it, and to the issues that its message
// says it fixes.
func (g *graph) addCommits() {
	pending := slices.Clone(g.s.turn.Prior.Pending)
	files := g.s.edited()
	for _, c := range g.s.commits() {
		id := g.entity(memory.TypeCommit, shortSHA(c.id), c.node, map[string]string{"subject": shorten(oneLine(c.text), MaxSummary), "branch": oneLine(c.branch)})
		g.edge(id, "part-of", g.project, 1, c.node)
		for _, f := range files {
			if f.first < c.node {
				pending = append(pending, f.path)
			}
		}
		pending = g.staged(c.node, pending)
		for _, p := range pending[:min(len(pending), maxTurnFiles)] {
			g.edge(id, "touches", memory.EntityID(memory.TypeFile, p), 0.8, c.node)
		}
		pending = nil
		for _, m := range closesRE.FindAllStringSubmatch(c.text, 4) {
			g.edge(g.entity(memory.TypeIssue, m[1], c.node, nil), "fixed-by", id, 0.95, c.node)
		}
	}
}

// staged narrows the files of a commit to those that the turn's commands name for it, where they name any.
func (g *graph) staged(commit int, pending []string) []string {
	var named strings.Builder
	for i := range g.s.nodes[:commit+1] {
		if cmd := command(&g.s.nodes[i]); strings.Contains(cmd, "git add ") {
			named.WriteString(cmd + "\n")
		}
	}
	if named.Len() == 0 {
		return pending
	}
	kept := slices.DeleteFunc(slices.Clone(pending), func(p string) bool { return !strings.Contains(named.String(), p) })
	if len(kept) == 0 {
		return pending // "git add -A", or names seen from another folder
	}
	return kept
}

func (g *graph) addInstalls() {
	for _, a := range g.s.acts {
		if a.what == "install" {
			g.edge(g.project, "uses", g.entity(memory.TypeLibrary, a.id, a.node, nil), 0.9, a.node)
		}
	}
}

// checkers are the programs by which projects are built, tested, checked and shipped, by the first word of a command.
var checkers = wordSet(`go cargo npm pnpm yarn bun deno pytest tox ruff mypy uv poetry pip make cmake bazel gradle mvn dotnet
swift xcodebuild rake bundle rspec composer phpunit mix mise just task golangci-lint eslint prettier biome jest vitest playwright
docker kubectl terraform helm gh glab goreleaser alembic prisma vite webpack turbo nx tsc wrangler vercel flyctl`)

// addChecks notes the tools that a turn ran with success, and the commands that test, check and build the project: the more
// often one succeeded on the branch, the surer is the relation.
func (g *graph) addChecks() {
	ran := g.s.ran()
	for i := range g.s.nodes {
		n := &g.s.nodes[i]
		if !succeeded(n) {
			continue
		}
		for part := range splitCommands(command(n)) {
			word, _, _ := strings.Cut(part, " ")
			if !checkers[word] {
				continue
			}
			g.edge(g.project, "uses", g.entity(memory.TypeTool, word, i, nil), 0.9, i)
			if line, relation := projectCommand(part); line != "" {
				g.edge(g.project, relation, g.entity(memory.TypeCommand, line, i, nil), sureness(ran[line]), i)
			}
		}
	}
}

var separators = regexp.MustCompile(`\s*(?:&&|\|\||;|\||\n)\s*`)

// splitCommands yields the simple commands of a shell line. What stands in a here-document is not looked at.
func splitCommands(cmd string) func(func(string) bool) {
	if k := strings.Index(cmd, "<<"); k >= 0 {
		cmd = cmd[:k]
	}
	return func(yield func(string) bool) {
		for _, p := range separators.Split(cmd, 12) {
			if p = strings.TrimSpace(p); p != "" && !yield(p) {
				return
			}
		}
	}
}

var (
	issueRE = regexp.MustCompile(`\b([A-Z][A-Z0-9]{1,9}-\d{1,6})\b|\b(?:PR|pull request|issue) (#\d{1,6})\b|(?:^|[\s(])(#\d{2,6})\b`)
	errorRE = regexp.MustCompile(`(?:^|[^.\w])([A-Z][a-z][A-Za-z0-9]*(?:Error|Exception)|E[A-Z]{4,}|E\d{3}|SIG[A-Z]{3,6}|(?:HTTP )?(?:40[0-9]|41[0-9]|42[0-9]|50[0-4]) (?:error|response|status))\b`)
	// notIssues look like the keys of a tracker and are names of standards, codes and models.
	notIssues = regexp.MustCompile(`^(?:UTF|SHA|ISO|RFC|CVE|GPT|AES|RSA|MD|HTTP|TLS|SSL|ES|BASE|UUID|CP|ASCII|IPV|X|H|V|PEP|ECMA|ANSI|POSIX|UTC|GMT|ARM|AMD|RC|B|P|S|T|CRC|COVID|FIPS|NIST|EC|HMAC|GB|ID)-?\d`)
	baseRE    = regexp.MustCompile(`[\w@.+-]+(?:/[\w@.+-]+)*\.[A-Za-z][A-Za-z0-9]{0,9}\b`)
)

// addNamed gives a record the entities that its line names: issues, errors, commits of the turn, and files that the branch
// has edited, which a line names by less than their path.
func (g *graph) addNamed(d *Draft) {
	node := g.s.index(d.Nodes[len(d.Nodes)-1])
	if d.command != "" {
		d.Entities = append(d.Entities, g.entity(memory.TypeCommand, d.command, node, nil))
	}
	for _, m := range issueRE.FindAllStringSubmatch(d.Summary, 6) {
		key := m[1] + m[2] + m[3]
		if !notIssues.MatchString(key) {
			d.Entities = append(d.Entities, g.entity(memory.TypeIssue, key, node, nil))
		}
	}
	for _, m := range errorRE.FindAllStringSubmatch(d.Summary, 4) {
		id := g.entity(memory.TypeError, m[1], node, nil)
		d.Entities = append(d.Entities, id)
		if n := len(d.commits); n > 0 && strings.Contains(strings.ToLower(d.Summary), "fix") {
			g.edge(id, "fixed-by", memory.EntityID(memory.TypeCommit, shortSHA(d.commits[n-1].id)), 0.7, node)
		}
	}
	for _, m := range baseRE.FindAllString(d.Summary, 8) {
		if p := g.s.file(m); p != "" {
			d.Entities = append(d.Entities, memory.EntityID(memory.TypeFile, p))
		}
	}
	d.Entities = append(d.Entities, g.mentioned(d.Summary)...)
	if g.project != "" {
		d.Entities = append(d.Entities, g.project)
	}
}

// file finds the edited file of the branch that a name means: its path, the end of its path, or its base name where that is
// unambiguous.
func (s *scan) file(name string) string {
	for _, e := range s.edited() {
		if e.path == name || strings.HasSuffix(e.path, "/"+name) {
			return e.path
		}
	}
	p := s.turn.Prior.Files[name[strings.LastIndexByte(name, '/')+1:]]
	if p == name || strings.HasSuffix(p, "/"+name) {
		return p
	}
	return ""
}

// index is the position of a node in the turn; the first one where the node is none of its own.
func (s *scan) index(id string) int {
	return max(0, slices.IndexFunc(s.nodes, func(n memory.Node) bool { return n.ID == id }))
}
