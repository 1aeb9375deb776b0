package distill

import (
	"regexp"
	"strings"

	"dormouse/store/memory"
)

// The verbs of facts that are told.
const (
	verbUses    = "uses"
	verbPlans   = "plans"
	verbDoes    = "does"
	verbListens = "listens-on"
	verbIsAt    = "is-at"
	verbBranch  = "default-branch"
	verbVersion = "version"
)

// plans are the verbs in which projects change, by each of their forms.
var plans = func() map[string]string {
	m := map[string]string{"move": "move", "moved": "move", "moving": "move", "rewrote": "rewrite", "rewrite": "rewrite", "rewriting": "rewrite"}
	for v := range strings.FieldsSeq("migrate switch upgrade rename drop replace release deploy ship deprecate remove adopt port convert archive publish") {
		root := strings.TrimSuffix(v, "e")
		double := ""
		if v == "drop" || v == "ship" {
			double = "p"
		}
		m[v], m[root+double+"ed"], m[root+double+"ing"] = v, v, v
	}
	return m
}()

var (
	who    = `(?:we|the (?:project|team)|this (?:project|repo|repository)|our (?:team|project|repo))`
	object = `(.{2,80}?)(?:[.!;](?:\s|$)|,|$| (?:for|because|since|so that|as|when|but|and)\b)`
	place  = "`?((?:[\\w@.~-]*/)+[\\w@.-]*|[\\w-]+\\.(?:json|ya?ml|toml|ini|conf|env|md|go|ts|js|py|rs))`?"
	thing  = `(?:the|our|its) ((?:[\w.-]+ ){0,3}[\w.-]+?)`

	usesRE    = regexp.MustCompile(`(?i)^(?:note that |fyi,? |btw,? )?` + who + ` (?:currently |now |already |only |mostly )?(?:uses?|(?:are|is) (?:now )?using|(?:are|is) on|run(?:s)? on|rel(?:y|ies) on) ` + object)
	ceasedRE  = regexp.MustCompile(`(?i)^(?:note that )?` + who + ` (?:no longer uses?|(?:have |has )?stopped using|got rid of|(?:do not|don't|does not|doesn't) use) ` + object)
	anymoreRE = regexp.MustCompile(`(?i)\b(?:no longer|stopped|got rid|any ?more|any longer)\b`)
	plannedRE = regexp.MustCompile(`(?i)^` + who + `(?:'re| are| is|'ll| will)? (?:going to |plan(?:ning|s)? to |about to |eventually |soon )*([a-z]+) (.{3,80}?)(?:[.!;](?:\s|$)|$)`)
	futureRE  = regexp.MustCompile(`(?i)\b(?:going to|plan(?:ning|s)? to|about to|'ll|will|eventually|soon)\b`)
	droppedRE = regexp.MustCompile(`(?i)^` + who + ` (?:gave up(?: on)?|have given up(?: on)?|abandoned|cancelled|canceled|shelved|decided against|decided not to|are not going to|will not|won't|no longer plan to|scrapped) (?:the (?:plan|idea)s? (?:to|of) |plans? to |the )?([a-z]+) (.{3,80}?)(?:[.!;](?:\s|$)|$)`)
	movedRE   = regexp.MustCompile(`(?i)^` + who + `(?:'ve| have| has)? (?:already |finally |now |just |successfully )*([a-z]+) (.{3,80}?)(?:[.!;](?:\s|$)|$)`)
	// recurringRE finds what happens again and again.
	recurringRE = regexp.MustCompile(`(?i)\b(?:every|each) (?:other |second |single )?(?:day|morning|night|evening|week|weekday|month|quarter|year|sprint|monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?\b|\b(?:daily|nightly|weekly|monthly)\b`)
	weDoRE      = regexp.MustCompile(`(?i)\b` + who + ` ([a-z].{4,100}?)(?:[.!;](?:\s|$)|$)`)

	portRE        = regexp.MustCompile(`(?i)(?:^|[,;] |\b(?:that|and) )` + thing + ` (?:always |now )?(?:listens?|runs?|is|serves?|is (?:listening|running|served)) on (?:localhost|127\.0\.0\.1|0\.0\.0\.0)?(?:port )?:?(\d{2,5})\b`)
	isAtRE        = regexp.MustCompile(`(?i)^` + thing + ` (?:lives?|lies?|sits?|is (?:stored|kept|located|found)|are (?:stored|kept|located)) (?:in|at|under) ` + place + `(?:[\s.,;]|$)`)
	branchRE      = regexp.MustCompile("(?i)\\b(?:the|our) default branch is (?:called |named )?[`\"']?([\\w./-]+[\\w])")
	runsVersionRE = regexp.MustCompile(`(?i)^` + who + ` (?:(?:are|is|runs?) on|targets?) ([A-Za-z][\w.+#-]*) (?:version )?v?(\d+(?:\.\d+)*)\b`)
	// whereRE finds the surroundings in which alone something holds.
	whereRE = regexp.MustCompile(`(?i)\b(?:in|on|for|during) (?:the )?(dev|development|staging|prod|production|tests?|ci|docker|kubernetes|windows|linux|macos|local|e2e|sandbox)\b|\b(locally|remotely)\b`)
)

// told are the facts that the person states in the prompt: what is used and is no longer, what is planned, done and given up,
// what happens regularly, where things are.
func (s *scan) told(g *graph) []FactDraft {
	text := strings.TrimSpace(s.nodes[s.prompt].Output)
	if g.project == "" || len(text) > maxPrompt || strings.HasPrefix(text, "<") || strings.HasPrefix(text, "/") || planPromptRE.MatchString(text) {
		return nil
	}
	var out []FactDraft
	for _, st := range promptStatements(text) {
		low := strings.ToLower(st)
		if questionRE.MatchString(low) || invertedRE.MatchString(low) || musingRE.MatchString(low) || conditionRE.MatchString(low) || wishedRE.MatchString(low) {
			continue
		}
		f := s.factDraft(g.project, "", "", memory.TrustPerson, s.prompt)
		w, rest := windowOf(strings.TrimRight(st, ". "), f.At)
		f.From, f.Until = w.from, w.until
		if f.read(softRE.ReplaceAllString(rest, ""), g) {
			out = append(out, f)
		}
	}
	return out
}

// wishedRE finds what somebody would have, which is not so.
var wishedRE = rx(`\bwe (?:should|could|would|might|may|must|need|want|can)\b|\b(?:should|shouldn't|let's|please)\b`)

// read fills a fact from a sentence; false where it states none that is understood.
func (f *FactDraft) read(st string, g *graph) bool {
	if recurringRE.MatchString(st) {
		if m := weDoRE.FindStringSubmatch(st); m != nil {
			f.Verb, f.Object, f.Status = verbDoes, capital(strings.TrimSpace(st)), memory.StatusRecurring
			return true
		}
		return false
	}
	if m := ceasedRE.FindStringSubmatch(st); m != nil && anymoreRE.MatchString(st) {
		f.Verb, f.Object, f.Status = verbUses, nameOfObject(anymoreRE.ReplaceAllString(m[1], "")), memory.StatusCeased
		if f.Until == nil {
			f.Until = f.At
		}
		return f.Object != ""
	}
	if planOf(f, st) || locate(f, st, g) {
		return true
	}
	if m := runsVersionRE.FindStringSubmatch(st); m != nil {
		f.Subject, f.Verb, f.Object = memory.EntityID(memory.TypeTool, m[1]), verbVersion, m[2]
		return true
	}
	if m := usesRE.FindStringSubmatch(st); m != nil {
		f.Verb, f.Object = verbUses, nameOfObject(m[1])
		return f.Object != ""
	}
	if m := rememberRE.FindStringIndex(st); m != nil {
		if subject, verb, object, ok := SplitFact(st[m[1]:]); ok {
			f.Subject, f.Verb, f.Object = g.subject(subject), verb, object
			return true
		}
	}
	return false
}

// planOf reads what is to change, has changed, or was given up.
func planOf(f *FactDraft, st string) bool {
	for _, p := range []struct {
		re     *regexp.Regexp
		status memory.FactStatus
		need   *regexp.Regexp
	}{{droppedRE, memory.StatusAbandoned, nil}, {plannedRE, memory.StatusPlanned, futureRE}, {movedRE, memory.StatusCompleted, nil}} {
		m := p.re.FindStringSubmatch(st)
		if m == nil || p.need != nil && !p.need.MatchString(st) {
			continue
		}
		verb, known := plans[strings.ToLower(m[1])]
		if !known || p.status == memory.StatusCompleted && verb == strings.ToLower(m[1]) {
			continue // "we move" tells of a habit, not of something done
		}
		f.Verb, f.Object, f.Status = verbPlans, verb+" "+strings.TrimSpace(m[2]), p.status
		if p.status != memory.StatusPlanned {
			f.From, f.Until = nil, nil
		}
		return true
	}
	return false
}

// locate reads where something is: its port, its path, the default branch.
func locate(f *FactDraft, st string, g *graph) bool {
	where := ""
	if m := whereRE.FindStringSubmatch(st); m != nil {
		where = " (" + strings.ToLower(m[1]+m[2]) + ")"
	}
	if m := branchRE.FindStringSubmatch(st); m != nil {
		f.Subject, f.Verb, f.Object = g.project, verbBranch, m[1]
		return true
	}
	if m := portRE.FindStringSubmatch(st); m != nil && !vagueThingRE.MatchString(strings.ToLower(m[1])) {
		f.Subject, f.Verb, f.Object = g.subject(m[1])+where, verbListens, "port "+m[2]
		return true
	}
	if m := isAtRE.FindStringSubmatch(st); m != nil && !vagueThingRE.MatchString(strings.ToLower(m[1])) {
		f.Subject, f.Verb, f.Object = g.subject(m[1])+where, verbIsAt, m[2]
		return true
	}
	return false
}

// vagueThingRE finds names of things that mean another one each time.
var vagueThingRE = rx(`^(?:\w+ )?(?:issue|problem|bug|fix|change|changes|code|function|method|logic|test|tests|error|thing|file|files|rest|other|new|old|same|following|first|second|last)$`)

// subject is how a fact names a thing: by the id of its entity where it has one, else by its words.
func (g *graph) subject(name string) string {
	low := strings.ToLower(strings.TrimSpace(name))
	if id := g.parts[low]; id != "" {
		return id
	}
	return low
}

// nameOfObject is the name at the front of what is used; empty where it is a whole sentence.
func nameOfObject(s string) string {
	s = strings.Trim(strings.TrimSpace(s), "`\"' ,")
	for _, a := range []string{"the ", "a ", "an "} {
		s = strings.TrimPrefix(s, a)
	}
	if len(strings.Fields(s)) > 5 || pronounThingRE.MatchString(strings.ToLower(s)) {
		return ""
	}
	return s
}

var pronounThingRE = rx(`^(?:it|this|that|these|those|them|same|both|one|which|what|some|any|to)\b`)
