package distill

import (
	"regexp"
	"strings"
)

// rx compiles a rule. Rules are tried on lower-case text.
func rx(s string) *regexp.Regexp { return regexp.MustCompile(s) }

// any of the words, as a group of an expression.
func anyOf(words string) string { return "(?:" + strings.Join(strings.Fields(words), "|") + ")" }

// The words by which a person's sentence is told from a question, a task, a remark and a ruling.
var (
	// standingRE finds wishes that hold beyond the turn.
	standingRE = rx(`(?:^|[,;:.] |please |should |must |and |i )(?:always|never) (?:want |like )?` + anyOf(`add ask call change check
		commit create delete do edit force give include install keep leave make mention merge mock name omit prefer push put read rebase
		remove rename reply run say show skip start stash test touch try update use want wrap write`) + `\b` +
		`|\bfrom now on\b|\bin (?:the )?future,? (?:please|always|never|use|do|don't)\b|\bevery time you\b` +
		`|\bi (?:really )?prefer\b|\b(?:don't|do not) want\b|\bi no longer\b|\bi hate\b` +
		`|\b(?:don't|do not) ` + anyOf(`ever use add commit push stash touch create write run mention include`) + `\b` +
		`|\bi(?:'d| would) (?:always )?(?:like|prefer) (?:every|each|to see (?:all|every|each))\b|\bfor every \w+` +
		`|\bmake sure (?:to|you) always\b|\bplease use (?:the )?\w+ (?:spelling|style|convention|format|naming)\b` +
		`|\bstop ` + anyOf(`using adding running committing`) + `\b`)

	// rulingRE finds words that settle how something is to be.
	rulingRE = rx(`\b(?:instead|rather than|don't|do not|never|always|only|must|make sure|no need|won't|go with)\b` +
		`|\bshould(?:n't| not)? ` + anyOf(`be not only always never use have stay keep go live just`) + `\b` +
		`|\blet's ` + anyOf(`keep use not go make move rename remove drop do set start leave skip call stick put bump`) + `\b` +
		`|\bi(?:'d| would) (?:like|prefer|rather)\b|\bi (?:want|prefer|don't want|don't like|think we should)\b` +
		`|\bwe (?:should|need to|want|don't|can't|must)\b|\bkeep (?:it|the|them|this|these|each|that)\b|\bstick (?:to|with)\b` +
		`|\bnot? (?:a |the )?\w+,? but\b|\b(?:use|rename|put|split|break out|break|leave|drop|avoid)\b.{3,}`)

	// correctRE finds words that set the assistant right.
	correctRE = rx(`\b(?:you(?:'re| are) (?:not correct|wrong|incorrect|mistaken)|that(?:'s| is) (?:not (?:right|correct|true|quite)|wrong|incorrect)` +
		`|is not correct|not (?:true|correct)|too broad|too much|wrong)\b|^(?:no|nope|actually|but)\b,? ?`)

	// directiveRE finds who is to do what: without it a sentence of the person tells, it does not rule.
	directiveRE = rx(`\b(?:i|we|i'd|i'm|i've|let's|lets|please|you|us|our|my|should|must|shouldn't|mustn't|needs? to|want|prefer|make sure)\b` +
		`|(?:^|[,;:.(-] ?|\b(?:but|and|then|just|so|yeah|yes|no|ok|okay|now(?: on)?|forward|instead|also)[, ]+)(?:don't|do not|go with|no need|` +
		anyOf(`never always only just keep use not avoid leave drop rename put split break stick stop skip remove make set move call change instead`) + `)\b`)

	// musingRE finds sentences in which the person thinks aloud.
	musingRE = rx(`\b(?:i guess|i don't know|no idea|thinking aloud|i wonder|wondering|seems? to|seems? like|i feel like|not sure|presumably|i mean|i suppose|maybe we)\b|^(?:hmm|huh)\b`)

	// placeRE finds sentences that begin with a place in a file: pasted findings.
	placeRE = rx(`^[\w./-]+\.\w+(?::\d+)+`)

	// waitRE finds words that hold the assistant up and say nothing of what is to be.
	waitRE = rx(`^(?:hang on|hold on|wait|one sec|stop|never mind|nevermind|sorry|oh|oops)\b[^.]{0,60}\.?$|\bi'll\b|\bi will\b`)

	questionRE = rx(`\?\s*$|^` + anyOf(`can could would do does did is are was were what why how where which when who should have has`) + `\b[^.]*\?`)

	// invertedRE finds questions that are typed without their mark.
	invertedRE = rx(`^(?:is|are|was|were) (?:there|it|this|that|these|we|you)\b|^(?:do|does|did|should|would|has|have) (?:we|you|i|they|it|the|this|that|there|\w+ \w+ (?:send|use|do|be|have|need|work))\b` +
		`|^(?:what|why|where|when|which|who)\b|^how (?:do|does|did|is|are|can|could|would|should|many|much|come)\b`)

	// passingRE finds orders that hold for the moment: where to begin, what to look at.
	passingRE = rx(`^(?:just )?(?:have|take) a (?:quick )?look\b|^(?:start|begin) (?:with|by)\b|^(?:look|continue|go back|check|see|test|wait|try again|merge|pull|rebase|push|bump it)\b|\bjust continue\b|\bfor now,? just\b|\bfirst[.!]?$|^do (?:this|that|it|these)(?: (?:now|then|please))?[.!]?$`)

	// reportRE finds sentences that report what is broken.
	reportRE = rx(`\b(?:somehow|(?:we have|there(?:'s| is)|found) an? (?:bug|issue|problem)|(?:is|are|was)(?:n't| not)(?: really| actually)? (?:work|show|display)ing|doesn't (?:seem to )?work|(?:is|are|seems) broken|the (?:issue|problem|bug) (?:with|is))\b`)

	// aboutCodeRE finds sentences in which code is told what it should do, as reviewers write them.
	aboutCodeRE = rx(`^(?:while|although) (?:this|that|the|it)\b|^(?:the|this|that) (?:[\w.()/-]+ ){0,3}(?:function|method|test|class|struct|field|handler|comment|code|check|variable|error|message|condition|logic|implementation)s? (?:should|must|needs?|is|are|does|only|could|would)\b`)

	// pronounRE finds orders about something that only the talk before names.
	pronounRE = rx(`^(?:(?:do not|don't|just|then) )?\w+ (?:it|this|that|them|these|those)\b`)

	// clientRE finds what an agent's client writes in the person's place.
	clientRE = rx(`^(?:operation stopped by hook|\[request interrupted|api error|stop hook|pretooluse|hook (?:error|blocked))`)

	// taskRE finds orders to do one thing now.
	taskRE = rx(`^(?:(?:ok(?:ay)?|yes|great|now|please|then|and|also|cool|alright),?\s+)*(?:please\s+)?(?:can|could|would) (?:you|we|i)\b` +
		`|^(?:please\s+)?(?:go ahead|` + anyOf(`fix run commit push create write implement review check look show explain summarize continue
		proceed merge update add generate investigate debug find open read give tell list test rebase address print apply`) + `)\b`)
)
