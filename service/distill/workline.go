package distill

import (
	"regexp"
	"slices"
	"strings"
)

// workLine makes the line of a statement of work: who did it goes, what it was done to comes in where the sentence leaves that
// to its label or to the file. lack is what the line loses for what it does not say.
func (s *scan) workLine(text, label string) (line string, lack float64) {
	line = bare(itemNumberRE.ReplaceAllString(text, ""))
	if t := doneRE.ReplaceAllString(line, ""); didWork(t) {
		line = capital(t)
	}
	line = uncoloned(line)
	label = numberRE.ReplaceAllString(label, "")
	object := ""
	switch {
	case label == "" || genericLabel(label) || fixLabelRE.MatchString(strings.ToLower(label)):
		object = s.onlyFile()
	case s.names(label) && !didWork(line):
		line = s.changed(label) + " " + label + ": " + line
	case s.names(label) || fileLabel(label):
		object, _, _ = strings.Cut(label, " ")
		if didWork(line) && !objectlessRE.MatchString(strings.ToLower(line)) && !strings.Contains(line, base(object)) && len(line)+len(object)+4 < MaxSummary {
			line = strings.TrimRight(line, ". ") + " in " + object
		}
	default:
		line = label + ": " + line
	}
	low := strings.ToLower(line)
	switch {
	case vagueWorkRE.MatchString(low), namedOnlyRE.MatchString(low):
		lack = 2.5
	case objectlessRE.MatchString(low) && !pathVerbRE.MatchString(low):
		verb, rest, _ := strings.Cut(line, " ")
		if object == "" || !goesOnRE.MatchString(rest) || !transitiveRE.MatchString(low) {
			return line, 1.6
		}
		line = verb + " " + object + " " + rest
	case filesOnlyRE.MatchString(line):
		lack = 2
	case itRE.MatchString(low), talkRE.MatchString(low):
		lack = 1.2
	case definiteRE.MatchString(low) && specifics(line) == 0:
		lack = 0.8
	}
	return line, lack
}

var (
	// numberRE finds the number of a label.
	numberRE     = regexp.MustCompile(`^(?:(?i:step|issue|fix|task|phase|part|change|comment|finding|lines?) )?#?\d{1,4}(?:-\d+)?[.):]?\s*`)
	itemNumberRE = regexp.MustCompile(`^\d{1,2}[.)]\s+`)
	// fixLabelRE finds labels that only say that something was mended.
	fixLabelRE = rx(`^(?:(?:critical|root cause|main|bug|test|minor|other|additional|lint|code|key)?\s*(?:fix(?:es|ed)?|changes?|updates?|cleanup|improvements?|additions?|done|added|removed|updated)|test|tests)\b[^a-z]*(?:\([a-z ]{2,20}\))?[^a-z]*$`)
	// objectlessRE finds "Updated to ...": what was updated stands somewhere else.
	objectlessRE = rx(`^\w+ (?:to|in|with|for|by|as|from|so|because|when|instead|via|using)\b`)
	// pathVerbRE finds verbs that need no object before such a word.
	pathVerbRE = rx(`^(?:switched|migrated|rebased|reverted|replied|upgraded|committed|published|released|deployed|pushed|moved|linked|responded|merged) (?:to|from|with|in|for|as|by)\b`)
	// transitiveRE finds verbs that a file can be the object of.
	transitiveRE = rx(`^(?:updated|changed|modified|rewrote|refactored|adjusted|extended|simplified|fixed|improved|converted|restructured|reworked|edited|cleaned|corrected|renamed|reorganized)\b`)
	// goesOnRE finds what can follow the object that comes in: "to send ...", not "to "a text"".
	goesOnRE = regexp.MustCompile(`^[a-z]+ [a-z]`)
	// filesOnlyRE finds lists of files without a word on what became of them.
	filesOnlyRE = regexp.MustCompile(`^(?:Changed|Updated|Modified|Patched|Edited|Touched):?(?: (?:and )?[\w@./-]+\.\w+,?| and \d+ more| files?:?)+$`)
	// itRE finds works on something that only the text before names.
	itRE = rx(`^\w+ (?:it|them|this|that|these|those|both|everything|its|their)\b`)
	// talkRE finds works on the talk about the code.
	talkRE = rx(`^(?:replied|responded|answered|posted|commented|resolved)\b.*\b(?:thread|comment|review|discussion|question)s?\b`)
	// definiteRE finds works on something that was spoken of before.
	definiteRE = rx(`^\w+ (?:the|another) \w+ (?:in|to|from|with|for|at|so|and|on)\b`)
	// vagueWorkRE finds accounts that say only that something was done.
	vagueWorkRE = rx(`^(?:\w+ed|made|done) (?:(?:up|the|this|that|these|those|both|all|all the|a few|some|several|two|three|four|five|\d+|following|requested|remaining|my|your|small|review|pr|lint|linting|test|code|minor|necessary|required|above|same|targeted|key) )*` +
		`(?:issues?|bugs?|problems?|errors?|changes?|fix(?:es)?|refactor(?:ing)?|feedback|comments?|suggestions?|tasks?|items?|features?|plan|things?|tests?|updates?|improvements?|work|edits?|warnings?|findings?)(?:$|[.,;:!]| (?:and|as|you|above|successfully|below|now)\b)`)
	// namedOnlyRE finds accounts that name what was changed, and nothing of how.
	namedOnlyRE = rx(`^(?:fixed|updated|changed|modified|adjusted|improved|reworked|edited|corrected) (?:the )?[\w.()/*:-]+(?: (?:function|method|tests?|file|struct|class|type|handler|helper|section|docs?|code|logic))?[.]?$`)
	// colonRE finds a verb that is headed off by a colon: "Fixed: ...", "Removed (unused): ...".
	colonRE = regexp.MustCompile(`^(\w+(?:ed|ut|te|lt|de|it|ept))\s*(?:\([^()]*\)\s*)?:\s+(.+)$`)
	fileRE  = regexp.MustCompile(`^[\w@.+-]*(?:/[\w@.+-]+)*\.[A-Za-z][A-Za-z0-9]{0,9}(?::\d+(?:-\d+)?)?$`)
)

// uncoloned joins a verb to what stands behind its colon.
func uncoloned(line string) string {
	m := colonRE.FindStringSubmatch(line)
	if m == nil || !workVerbs[strings.ToLower(m[1])] {
		return line
	}
	if didWork(m[2]) {
		return capital(m[2])
	}
	return m[1] + " " + lower(m[2])
}

// fileLabel reports whether a label is the name of a file, a place in it among them.
func fileLabel(label string) bool {
	word, rest, _ := strings.Cut(label, " ")
	return fileRE.MatchString(word) && (rest == "" || strings.HasPrefix(rest, "(")) && strings.ContainsAny(word, "/.")
}

// onlyFile is the file that the turn changed, where it is just one.
func (s *scan) onlyFile() string {
	if files := s.edited(); len(files) == 1 {
		return files[0].path
	}
	return ""
}

// shown reports whether the turn's structure shows all that a line claims: which files were made or deleted.
func (s *scan) shown(line string) bool {
	verb, rest, ok := strings.Cut(strings.TrimRight(line, ". "), " ")
	op := map[string]string{"Created": "create", "Added": "create", "Wrote": "create", "Deleted": "delete", "Removed": "delete"}[verb]
	if !ok || op == "" {
		return false
	}
	for _, name := range strings.Split(strings.ReplaceAll(rest, " and ", ", "), ", ") {
		if name = strings.TrimSpace(strings.TrimPrefix(name, "and ")); !slices.ContainsFunc(s.edits, func(e edit) bool {
			return e.op == op && (e.path == name || strings.HasSuffix(e.path, "/"+name))
		}) {
			return false
		}
	}
	return true
}
