package when

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Mode is what a question about a time asks for.
type Mode string

// The modes.
const (
	Lookup  Mode = "lookup"  // what there was
	State   Mode = "state"   // what held at a time
	Change  Mode = "change"  // what changed
	Summary Mode = "summary" // how much of what
)

// asking are the words that say what is asked for, in the languages of the tables. The beginning of a word is enough where a word ends in a star.
var asking = map[Mode]string{
	State:  "state|as of|used to|was true|were true|held|at that time|stand der|galt|galten|était vrai|en vigueur|vigente|vigeur|当时|當時|時点|당시",
	Change: "change*|evolve*|evolution|over time|superseded|replaced|development of|geändert|änder*|entwickelt|ersetzt|changé|évolu*|remplac*|cambi*|gewijzigd|veranderd|mudança*|mudou|变化|變化|变了|变更|変更|変化|変わ*|변경|변화|바뀌*",
	Summary: "summar*|recap|overview|digest|happened|what did we do|what did i do|what have we done|what was done|zusammenfass*|überblick|passiert|geschehen|résum*|passé quoi|resum*|pasó|samenvat*|gebeurd|riassun*|successo|" +
		"aconteceu|总结|總結|概要|概览|まとめ|何があった|발생|요약",
}

// empty are words that say nothing about what is looked for: those of the question itself.
var empty = words(`what which who how why where when did do does done have has had we i you us our my it is was were are be been the a an of on in at to for with about from by and or that this
there anything something everything all happen happened happening change changed changes work worked working summarize summarise summary recap overview decide decided decision decisions
learn learned learnt finding findings tell show list me give please go went going on state then things thing any made make
was wer wie warum wo wann haben habe hat wir ich du sie uns der die das den dem des ein eine einen und oder in im am an auf für mit zu von bei über getan gemacht passiert geschehen geändert entschieden
gelernt zeig zeige mir bitte zusammenfassung es ist war waren
que quoi qui quel quelle quelles comment pourquoi nous avons fait est était le la les un une des du de et ou sur décidé changé appris passé résume
qué quién cómo cuándo hemos hicimos hizo decidimos cambió aprendimos pasó los las el del y o en se
wat hebben gedaan besloten gebeurd veranderd er het een
cosa abbiamo fatto deciso successo che il lo gli
fizemos decidimos aconteceu mudou os as um uma
我们 我們 做了 什么 什麼 了 的 の 概要 まとめ 总结 總結 요약 over as since during evolve evolved 发生 發生 决定 決定 何 を が は に した しましたか 決めた あった`)

// emptyLongest are the same, long ones first.
var emptyLongest = slices.SortedFunc(maps.Keys(empty), func(a, b string) int {
	return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
})

func words(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(s) {
		out[fold(w).text] = true
	}
	return out
}

// Asked is what a question asks for, beside its time.
type Asked struct {
	Mode     Mode
	Inferred bool // a word says the mode; without one it is a lookup
	// Words are what is left to search for; "" where only words of the question itself are left. Then Decisions and Learnings say
	// whether those alone are asked for.
	Words                string
	Decisions, Learnings bool
}

// Ask reads what a question asks for, given its expression of time; the zero Found where it has none.
func Ask(question string, f Found) Asked {
	folded := " " + strings.Join(splitWords(fold(question).text), " ") + " "
	out := Asked{Mode: Lookup, Words: rest(question, f)}
	for _, m := range []Mode{Change, State, Summary} {
		if saysOne(folded, asking[m]) {
			out.Mode, out.Inferred = m, true
			break
		}
	}
	if out.Words == "" {
		out.Decisions, out.Learnings = saysOne(folded, deciding), saysOne(folded, learning)
	}
	return out
}

// The words for decisions and for findings.
const (
	deciding = "decide*|decision*|entschied*|entscheidung*|beschl*|décid*|décision*|decid*|decisi*|beslot*|besluit*|decis*|决定|決定|決め|결정"
	learning = "learn*|finding*|found out|gelernt|erkenntnis*|appris|aprend*|geleerd|imparat*|学到|学んだ|배운"
)

func saysOne(folded, phrases string) bool {
	for phrase := range strings.SplitSeq(phrases, "|") {
		if says(folded, phrase) {
			return true
		}
	}
	return false
}

// says reports whether a phrase is among words. What is written without blanks is looked for anywhere.
func says(folded, phrase string) bool {
	phrase, begins := strings.CutSuffix(phrase, "*")
	key := strings.Join(splitWords(fold(phrase).text), " ")
	if strings.IndexFunc(key, func(r rune) bool { return r > 0x2e7f }) >= 0 {
		return strings.Contains(folded, key)
	}
	if begins {
		return strings.Contains(folded, " "+key)
	}
	return strings.Contains(folded, " "+key+" ")
}

// rest is the question without its expression of time, where something is left that can be looked for.
func rest(question string, f Found) string {
	left := question
	if f.Text != "" {
		left = question[:f.From] + " " + question[f.To:]
	}
	left = strings.TrimFunc(strings.Join(trimmed(strings.Fields(left)), " "), func(r rune) bool { return !inWord(r) && !strings.ContainsRune("\"'`/.-+#@_", r) })
	for _, w := range splitWords(fold(left).text) {
		if !empty[w] && !only(w) {
			return left
		}
	}
	return ""
}

// trimmed are words without those of the question itself at both ends.
func trimmed(list []string) []string {
	says := func(w string) bool {
		for _, part := range splitWords(fold(w).text) {
			if !empty[part] {
				return true
			}
		}
		return false
	}
	for len(list) > 0 && !says(list[0]) {
		list = list[1:]
	}
	for len(list) > 0 && !says(list[len(list)-1]) {
		list = list[:len(list)-1]
	}
	return list
}

// only reports whether a run of East Asian characters holds words of the question alone.
func only(w string) bool {
	if strings.IndexFunc(w, func(r rune) bool { return r < 0x2e80 }) >= 0 {
		return false
	}
	for _, word := range emptyLongest {
		w = strings.ReplaceAll(w, word, "")
	}
	return w == ""
}
