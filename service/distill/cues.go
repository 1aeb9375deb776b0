package distill

import (
	"regexp"
	"strings"

	"dormouse/store/memory"
)

// cue is one rule: what wording speaks for (or, with a negative weight, against) a statement being worth a record of a kind.
type cue struct {
	name   string
	kind   memory.Kind // "" counts for every kind
	weight float64
	words  []string // one of them must occur, in lower case; saves running the expression
	re     *regexp.Regexp
}

// cues are tried on the lower-case text of a statement with its label in front ("label: text").
var cues = []cue{
	// Found out.
	{"cause", memory.KindLearning, 3, []string{"issue", "problem", "bug", "cause", "culprit", "reason", "catch"},
		rx(`\b(?:the|that's the|real|actual|root|underlying|main)\s(?:\w+\s)?(?:issue|problem|bug|cause|culprit|reason|catch)\b(?:\shere)?\s?(?:is|was|:|—)`)},
	{"cause label", memory.KindLearning, 3, []string{"cause", "problem", "issue", "bug", "why", "reason", "finding", "limitation", "trade", "caveat", "gotcha", "insight"},
		rx(`^(?:the )?(?:root cause|cause|problem|issue|bug|why|reason|key finding|finding|limitation|trade-?off|caveat|one caveat|gotcha|insight|key insight|what happened)s?\b[^:]{0,25}:`)},
	{"turned out", memory.KindLearning, 2.5, []string{"turns out", "turned out"}, rx(`\bturn(?:s|ed) out\b`)},
	{"caused by", memory.KindLearning, 2, []string{"caused", "stem", "due to", "introduced"},
		rx(`\b(?:caused by|stem(?:s|med) from|due to|was introduced|is introduced)\b`)},
	{"because", memory.KindLearning, 1.5, []string{"because", "since ", "as a result", "which means", "means that", "so that's why", "that's why", "which is why"},
		rx(`\b(?:because|which means|that means|this means|means that|that's why|which is why|as a result)\b`)},
	{"consequence", memory.KindLearning, 0.8, []string{", so ", " since "}, rx(`, so (?:the|it|that|there|any|every|each|no|\w+\()|\bsince\b`)},
	{"cannot", memory.KindLearning, 1.3, []string{"n't ", " not ", "never", "cannot", "no longer", "without"},
		rx(`\b(?:does(?:n't| not)|do(?:n't| not)|can(?:'t|not)|is(?:n't| not)|are(?:n't| not)|was(?:n't| not)|were(?:n't| not)|has(?:n't| no)|won't|never|no longer)\b`)},
	{"always", memory.KindLearning, 1, []string{"always", "only", "every", "by default", "default", "regardless", "even ", "already", "silently", "actually"},
		rx(`\b(?:always|only|by default|defaults? to|regardless|even (?:with|when|if|though)|already|silently|actually)\b`)},
	{"failure", memory.KindLearning, 0.8, []string{"fail", "error", "break", "broke", "crash", "leak", "overwrit", "clobber", "stale", "missing", "shadow", "mismatch", "race", "block", "hang", "lost", "lose", "orphan", "conflict", "wrong"},
		rx(`\b(?:fail(?:s|ed|ing|ure)?|errors?|break(?:s|ing)?|broken?|crash(?:es|ed)?|leak(?:s|ed)?|overwrit\w+|clobber\w+|stale|missing|shadow(?:s|ed)|mismatch\w*|race|block(?:s|ed|ing)|hang(?:s|ing)?|los(?:t|es|ing)|orphan\w*|conflict(?:s|ed|ing)?|wrong\w*)\b`)},
	{"since a version", memory.KindLearning, 1.6, []string{"."},
		rx(`\bv?\d+\.\d+(?:\.\d+)*(?:-[\w.]+)? (?:\w+ )?(?:fix(?:ed|es)|broke|breaks|chang(?:ed|es)|introduc(?:ed|es)|drop(?:s|ped)|remov(?:ed|es)|deprecat(?:ed|es)|requires?|supports?|no longer|does(?:n't| not))\b|\b(?:since|as of|starting (?:with|in)|introduced in|fixed in|removed in|broken (?:in|since)) (?:[\w.@/-]+ )?v?\d+\.\d+`)},
	{"correction", memory.KindLearning, 1.5, []string{"you're right", "you are right", "was wrong", "my mistake", "i was wrong", "incorrect"},
		rx(`\byou(?:'re| are) (?:absolutely )?right\b|\bmy mistake\b|\b(?:i|my \w+|answer) was (?:wrong|incorrect)\b`)},
	{"measured", memory.KindLearning, 0.8, nil, rx(`\b\d+(?:\.\d+)?\s?(?:ms|s|mb|gb|kb|%|x|seconds|minutes)\b`)},

	// Done.
	{"now does", memory.KindWork, 2.5, []string{" now "}, rx(`\bnow (?:\w+s|uses?|has|have|only|also|correctly|properly|no longer|returns?|shows?|read|works?)\b`)},
	{"fix label", memory.KindWork, 2, []string{"fix", "solution", "change", "result", "what changed"}, rx(`^(?:the )?(?:fix|solution|what changed|changes?|change made|result)\b[^:]{0,25}:`)},
	{"down from", memory.KindWork, 1.5, []string{"from"}, rx(`\b(?:down|up|reduced|went|improved|dropped)\b.{0,20}\bfrom\b.{1,25}\bto\b|\bdown from\b`)},

	// Decided.
	{"instead of", memory.KindDecision, 1.5, []string{"instead of", "rather than", "over "}, rx(`\b(?:instead of|rather than)\b`)},
	{"chosen", memory.KindDecision, 2.5, []string{"decided", "chose", "going with", "go with", "agreed", "settled", "decision", "we'll keep", "opted"},
		rx(`\b(?:decided (?:to|that|on|against)|chose|chosen|going with|agreed (?:to|that|on)|settled on|opted (?:for|to)|the decision)\b`)},
	{"right tool", memory.KindDecision, 2, []string{"the right"}, rx(`\bis the right (?:tool|approach|call|choice|place|way|thing|fit)\b`)},
	{"single source", memory.KindDecision, 1.5, []string{"single source", "source of truth"}, rx(`\bsingle source|source of truth\b`)},

	// Happened.
	{"delivered", memory.KindEvent, 3, []string{"publish", "release", "deploy", "roll", "live", "merged"},
		rx(`^(?:i |we )?(?:[\w@./#:-]+,? ){0,6}?(?:was |were |is now |are now |has been |have been |successfully |now )*(?:rolled (?:out|back)\b|went live\b|merged (?:pr|pull request|#\d+)|(?:published|released|deployed|merged)(?:$|[.,;!)]| (?:to|into|in|on|by|with|as|and|from|at|via|v?\d)))`)},
	{"delivery ended", memory.KindEvent, 2.5, []string{"publish", "release", "deploy", "rollout", "migration"},
		rx(`^(?:the )?(?:[\w-]+ ){0,2}(?:publish\w*|release|deploy\w*|rollout|migration)\b.{0,40}\b(?:succeeded|failed|passed|completed|green|was cancelled)\b`)},
	{"removed from the world", memory.KindEvent, 2.2, []string{"deleted", "revoked", "rotated", "exposed", "leaked"},
		rx(`^(?:\S+ ){0,5}?(?:deleted|revoked|rotated|exposed|leaked)\b.{0,50}\b(?:remote|branch|public|origin|history|tokens?|keys?|secrets?|database|repo)\b`)},
	{"not yet", memory.KindEvent, -3, []string{"not ", "n't", "never", " be ", "before", "old ", "previous", "when ", "if "}, rx(`\b(?:not|never|can be|to be|should be|will be|\w+n't|before|when|if)\b|^(?:the )?(?:old|previous)\b`)},

	// Against every kind.
	{"plan", "", -4, []string{"i'll", "i will", "let me", "let's", "going to", "we'll", "next,", "next step", "next:", "would you", "do you want", "want me", "shall i", "should i", "i'd", "i need", "we need", "we could", "i can ", "i'm "},
		rx(`\b(?:i'll|i will|let me|let's|i'm (?:\w+ )?\w+ing|we'll|want me to|would you like|do you want|shall i|should i|i'd|i need to|we need to|we could|i can)\b|\bnext steps?\b`)},
	{"hedge", "", -1.5, []string{"might", "maybe", "perhaps", "probably", "likely", "possibly", "could be", "i think", "i believe", "seems", "appears", "not sure", "may be"},
		rx(`\b(?:might|maybe|perhaps|probably|likely|possibly|could be|i think|i believe|seems?|appears?|not sure|may)\b`)},
	{"advice", "", -1.5, []string{"you can", "you'll", "you could", "you should", "you may", "you need", "try ", "if you", "consider", "please", "feel free", "your "},
		rx(`\b(?:you can|you'll|you could|you should|you may|you need|you'd|if you|feel free|please|consider)\b|^(?:try|run|check|use|go to|open|add|set|see)\b`)},
	{"should", "", -1.2, []string{"should", "would", "could", "needs to", "need to", "must be", "has to"},
		rx(`\b(?:should|would|could|needs? to|has to|have to)\b`)},
	{"walk through code", "", -0.9, []string{"line ", "lines ", "we return", "returns (", "falls through", "looking at"}, rx(`^(?:on |at )?lines? \d+|\b(?:at|on) lines? \d+|\bwe return\b|\breturns \(|\bfalls through\b|^looking at\b`)},
	{"editor noise", "", -1.5, []string{"lsp", "diagnostic", "ide ", "linter warning", "lint warning"}, rx(`\b(?:lsp|diagnostics?|ide|lint(?:er)?) (?:warnings?|errors?|is|are|hints?)\b|\bdiagnostics\b`)},
	{"chatter", "", -3, []string{"all tests pass", "tests pass", "lint", "compiles", "looks good", "no changes needed", "no errors", "build succe", "all green", "all clean", "all passing", "passes", "up to date", "in sync", "working tree"},
		rx(`^(?:all |both |the )?(?:tests?|lint\w*|build|everything|checks?|it|code|files?)(?: (?:suite|and lint))? (?:all )?(?:pass(?:es|ed|ing)?|compiles?|clean|succeed(?:s|ed)?|looks? good|are green|is green)\b|^(?:all green|all clean|all passing|looks good|compiles cleanly|no errors|0 issues)`)},
}

// workVerbs start a statement of something done.
var workVerbs = wordSet(`added adjusted aligned allowed amended applied archived broke bumped built capped centralized changed cherry-picked
cleaned cleared closed committed configured consolidated converted copied corrected created cut debugged declared decoupled
deduplicated delegated deleted deployed deprecated disabled documented dropped enabled ended enforced escaped excluded exported
exposed extended extracted filed finished fixed flattened formatted gave generalized generated granted grouped guarded handled
hardened hooked implemented improved included increased initialized inlined inserted installed integrated introduced isolated kept
landed limited linked loaded locked lowered made marked masked merged migrated mocked modified moved narrowed normalized opened
optimized organized overhauled parallelized parsed passed patched pinned ported posted prefixed prepared preserved prevented
propagated protected published pulled pushed put raised rebased rebuilt recorded redacted reduced refactored refreshed registered
reimplemented released relocated removed renamed reordered reorganized repaired replaced replied reported reproduced required reset
resolved restored restricted restructured retried reused reverted reviewed revised reworked rewrote rolled scoped scrubbed
separated set shipped shortened signed simplified skipped sorted split squashed stabilized standardized stopped stored streamlined
stripped submitted supported suppressed swapped switched synced tagged taught tightened tracked translated trimmed tweaked unified
uninstalled unwrapped updated upgraded used wired wrapped wrote`)

func wordSet(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// nounWorks tells works that are stated without a verb at the start: "New helper ...", "2 tests for ...".
var passiveWork = rx(`\b(?:has been|have been|was|were|is now|are now)\s(?:\w+ly\s)?(\w+ed|split|set|built|rewritten|made|kept|cut|put)\b`)
