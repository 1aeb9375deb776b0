package distill

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"dormouse/store/memory"
)

// The relations of a project to the commands by which it is worked on.
const (
	testedBy  = "tested-by"
	checkedBy = "checked-by"
	builtBy   = "built-by"
)

var (
	checkCmdRE = regexp.MustCompile(`^(?:golangci-lint run|go vet|gofmt|cargo (?:clippy|fmt|check)|ruff (?:check|format)|mypy|eslint|prettier|biome (?:check|lint|format|ci)|tsc|shellcheck)\b|^(?:\S+ )?(?:run )?\S*(?:lint|fmt|format|typecheck|type-check|vet)\S*$`)
	buildCmdRE = regexp.MustCompile(`^(?:go build|cargo build|dotnet build|mvn package|gradle build|vite build|next build)\b|^(?:npm|pnpm|yarn|bun|make|just|mise|task)(?: run)? \S*build\S*$`)
	// argumentRE finds arguments that name one test or one file, which is not how a project is tested.
	argumentRE = regexp.MustCompile(`\.(?:test|spec)\.|^[^.@/]\S*/|^\S+\.(?:py|go|ts|tsx|js|rb|java|rs)(?:::\S+)?$|^/|^\./\S*[^.]$`)
)

// projectCommand is a command by which the project is tested, checked or built, as one would tell it, and its relation to the
// project; empty for others.
func projectCommand(part string) (line, relation string) {
	line = commandLine(part)
	switch {
	case testCmdRE.MatchString(line):
		return line, testedBy
	case checkCmdRE.MatchString(line):
		return line, checkedBy
	case buildCmdRE.MatchString(line):
		return line, builtBy
	}
	return "", ""
}

// commandLine is a command without flags, redirections and names of single tests, at most five words.
func commandLine(part string) string {
	var words []string
	for w := range strings.FieldsSeq(part) {
		if w == "-m" && len(words) > 0 && strings.HasPrefix(words[len(words)-1], "python") {
			words = append(words, w)
			continue
		}
		if strings.HasPrefix(w, "-") || strings.ContainsAny(w, "<>|&'\"$=`(") || len(words) == 5 {
			break
		}
		if len(words) > 0 && argumentRE.MatchString(w) {
			break
		}
		words = append(words, w)
	}
	return strings.Join(words, " ")
}

// succeeded reports whether a tool call ran well, as its status and its exit code say and, for tests, what they counted.
func succeeded(n *memory.Node) bool {
	if n.Role != memory.RoleTool || n.Metadata.Status == memory.StatusError || n.Metadata.Status == memory.StatusInterrupted ||
		n.Metadata.ExitCode != nil && *n.Metadata.ExitCode != 0 {
		return false
	}
	cmd := command(n)
	return cmd != "" && !(testCmdRE.MatchString(cmd) && failedRE.MatchString(tail(n.Output, maxCounts)))
}

// ran counts the successful runs of the project's commands on the branch, this turn among them.
func (s *scan) ran() map[string]int {
	out := maps.Clone(s.turn.Prior.Ran)
	if out == nil {
		out = map[string]int{}
	}
	for i := range s.nodes {
		if !succeeded(&s.nodes[i]) {
			continue
		}
		for part := range splitCommands(command(&s.nodes[i])) {
			line, _ := projectCommand(part)
			if _, known := out[line]; line != "" && (known || len(out) < maxCommands) {
				out[line]++
			}
		}
	}
	return out
}

// sureness is the confidence, 0 to 1, that a command which succeeded so often is how the project is worked on.
func sureness(runs int) float64 { return min(0.95, 0.5+0.1*float64(runs)) }

// leftFailing is a test run that failed and was the last thing that the turn tested: what the next one has to begin with.
func (s *scan) leftFailing() []Draft {
	last := -1
	for i := range s.acts {
		if s.acts[i].what == "test" {
			last = i
		}
	}
	if last < 0 || s.acts[last].ok {
		return nil
	}
	node := s.acts[last].node
	if slices.ContainsFunc(s.edits, func(e edit) bool { return e.last > node }) {
		return nil // something was changed since, and not tested
	}
	for part := range splitCommands(command(&s.nodes[node])) {
		line, relation := projectCommand(part)
		if relation != testedBy {
			continue
		}
		text := "Tests were left failing: " + line
		if m := failCountRE.FindString(s.nodes[node].Output); m != "" {
			text += " (" + m + ")"
		}
		d := s.draft(memory.KindEvent, text, memory.TrustObserved, 4.4, node, node, max(node, s.final))
		d.command = line
		return []Draft{d}
	}
	return nil
}

var failCountRE = regexp.MustCompile(`\b[1-9]\d* (?:failed|failing)\b`)
