package distill

import (
	"regexp"
	"strings"

	"dormouse/store/memory"
)

// saidFacts are where things are, as the assistant's last message says it: ports, paths and the default branch. Other sentences
// of the assistant are findings and no facts.
func (s *scan) saidFacts(g *graph) []FactDraft {
	if g.project == "" {
		return nil
	}
	var out []FactDraft
	for i := range s.said {
		st := &s.said[i]
		low := strings.ToLower(st.text)
		if !st.final || len(st.text) > 200 || strings.HasSuffix(st.text, "?") || nonLead(st.lead) || conditionRE.MatchString(low) || wishedRE.MatchString(low) ||
			weigh(st).any < -1.4 {
			continue
		}
		f := s.factDraft(g.project, "", "", memory.TrustAgent, st.node)
		if !locate(&f, bare(st.text), g) {
			continue
		}
		if s.quotes(st.text) {
			f.Trust = memory.TrustQuoted
		}
		out = append(out, f)
	}
	return out
}

var (
	versionCmdRE    = regexp.MustCompile(`^([\w.+-]+) (?:--version|-version|-V|-v|version)$`)
	releaseNumberRE = regexp.MustCompile(`(?:^|[^\w.])v?(\d+\.\d+(?:\.\d+)*(?:-[\w.]+)?)(?:[^\w.]|$)`)
	// narrowRE finds commands that take a part of the project alone.
	narrowRE  = regexp.MustCompile(` (?:\./\w\S*|[\w-][\w.-]*/\S+)`)
	headCmdRE = regexp.MustCompile(`^git (?:symbolic-ref(?: --short)? refs/remotes/\w+/HEAD|rev-parse --abbrev-ref \w+/HEAD|remote show \w+)$`)
	headOutRE = regexp.MustCompile(`(?m)^(?:refs/remotes/)?\w+/([\w./-]+)\s*$|^\s*HEAD branch: ([\w./-]+)\s*$`)
)

// shownFacts are what the structure of calls shows: the versions of tools, the default branch, and the commands by which the
// project is tested, built and checked, each with the exit code that says that it works.
func (s *scan) shownFacts(g *graph) []FactDraft {
	var out []FactDraft
	for i := range s.nodes {
		n := &s.nodes[i]
		if !succeeded(n) {
			continue
		}
		cmd := strings.TrimSpace(command(n))
		if f, ok := s.shownBy(cmd, i, g); ok {
			out = append(out, f)
		}
		if g.project == "" {
			continue
		}
		for part := range splitCommands(cmd) {
			if line, relation := projectCommand(part); line != "" && checkers[firstWord(part)] && !narrowRE.MatchString(line) {
				f := s.factDraft(g.project, relation, line, memory.TrustObserved, i)
				f.Links = []memory.Link{{Type: "about", To: memory.EntityID(memory.TypeCommand, line)}}
				out = append(out, f)
			}
		}
	}
	return out
}

// shownBy reads the output of a command that prints one thing in a fixed form.
func (s *scan) shownBy(cmd string, i int, g *graph) (f FactDraft, ok bool) {
	out := s.nodes[i].Output
	if m := versionCmdRE.FindStringSubmatch(cmd); m != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(out), "\n")
		if v := releaseNumberRE.FindStringSubmatch(strings.ReplaceAll(first, m[1], " ")); v != nil && len(first) < 200 {
			return s.factDraft(memory.EntityID(memory.TypeTool, m[1]), verbVersion, v[1], memory.TrustObserved, i), true
		}
	}
	if headCmdRE.MatchString(cmd) && g.project != "" && len(out) < 4000 {
		if m := headOutRE.FindStringSubmatch(out); m != nil {
			return s.factDraft(g.project, verbBranch, m[1]+m[2], memory.TrustObserved, i), true
		}
	}
	return f, false
}

func firstWord(s string) string {
	w, _, _ := strings.Cut(s, " ")
	return w
}
