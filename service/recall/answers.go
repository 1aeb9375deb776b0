package recall

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dormouse/store/index/words"
	"dormouse/store/memory"
)

// Said is a text out of which a question may be answered: a record, or a message.
type Said struct {
	Text string
	Node string // of a message
	// Weight is how much it counts beside others; 1 is usual.
	Weight float64
}

// Answer is a sentence that answers a question.
type Answer struct {
	Text  string // word for word, on one line
	From  int    // place of its source
	Said  int    // place of its text in the source
	Score float64
}

const (
	answerShare  = 0.34 // of what a question asks for that a sentence has to hold, by weight
	perSource    = 2    // sentences of one source
	sentenceMost = 480  // bytes of a sentence
	manySaid     = 4000 // sentences that are looked at
)

// Answers picks the sentences that hold most of what a question asks for, best first. sources are what a search found, best first.
// Nothing is made up or put together: where no sentence holds enough, there is none.
func Answers(a *words.Analyzer, question string, sources [][]Said, limit int) []Answer {
	q := a.Query(question[:cutAt(question, 8<<10)])
	if len(q) == 0 {
		return nil
	}
	wanted := map[string]bool{}
	for _, t := range q {
		wanted[t] = true
	}
	list := sentencesOf(a, sources, wanted)
	rare := rarity(q, list)
	whole := 0.0
	for _, t := range q {
		whole += rare[t]
	}
	for i := range list {
		list[i].weigh(rare, whole, &sources[list[i].From][list[i].Said])
	}
	list = slices.DeleteFunc(list, func(s sentence) bool { return s.share < answerShare })
	slices.SortStableFunc(list, func(x, y sentence) int { return cmp.Compare(y.Score, x.Score) })
	return chooseAnswers(list, limit)
}

// sentence is a sentence on its way to be an answer.
type sentence struct {
	Answer
	terms map[string]bool // of the question
	share float64
	asks  bool
}

func sentencesOf(a *words.Analyzer, sources [][]Said, wanted map[string]bool) (list []sentence) {
	for from, texts := range sources {
		for k, said := range texts {
			for _, text := range sentences(said.Text) {
				if len(list) == manySaid {
					return list
				}
				s := sentence{Answer: Answer{Text: text, From: from, Said: k}, terms: map[string]bool{}, asks: strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？")}
				a.Text(text, func(term string, _ bool) {
					if wanted[term] {
						s.terms[term] = true
					}
				})
				list = append(list, s)
			}
		}
	}
	return list
}

// rarity is what each term of the question weighs: the fewer sentences have it, the more.
func rarity(q []string, list []sentence) map[string]float64 {
	n := map[string]int{}
	for _, s := range list {
		for t := range s.terms {
			n[t]++
		}
	}
	out := map[string]float64{}
	for _, t := range q {
		out[t] = math.Log(1 + float64(len(list)+1)/float64(n[t]+1))
	}
	return out
}

func (s *sentence) weigh(rare map[string]float64, whole float64, said *Said) {
	for t := range s.terms {
		s.share += rare[t] / whole
	}
	s.Score = s.share * (0.6 + 0.4/(1+0.3*float64(s.From))) * cmp.Or(said.Weight, 1)
	if s.asks { // a question is no answer
		s.Score *= 0.4
	}
	if n := utf8.RuneCountInString(s.Text); n > 250 {
		s.Score *= 0.85
	}
}

// chooseAnswers takes the best, each once, and not too many of one source.
func chooseAnswers(list []sentence, limit int) (out []Answer) {
	seen, of := map[string]bool{}, map[int]int{}
	for _, s := range list {
		key := strings.ToLower(strings.TrimRight(s.Text, ".!。！ "))
		if len(out) == limit || seen[key] || of[s.From] == perSource {
			continue
		}
		seen[key] = true
		of[s.From]++
		out = append(out, s.Answer)
	}
	return out
}

// sentences parts a text at the ends of lines and sentences. A line that leads to the next one goes with it.
func sentences(text string) (out []string) {
	held := ""
	for l := range strings.Lines(strings.ToValidUTF8(text, "\uFFFD")) {
		if l = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(l), "-*#>|· \t")); l == "" || strings.Trim(l, "`~=_-") == "" {
			continue
		}
		if held != "" {
			l, held = held+" "+l, ""
		}
		if strings.HasSuffix(l, ":") && len(l) < sentenceMost/2 {
			held = l
			continue
		}
		out = appendSentences(out, l)
	}
	if held != "" {
		out = append(out, oneLine(held))
	}
	return out
}

func appendSentences(out []string, l string) []string {
	from := 0
	for i, r := range l {
		end := i + utf8.RuneLen(r)
		if !strings.ContainsRune("。！？", r) && (!strings.ContainsRune(".!?", r) || end < len(l) && l[end] != ' ') {
			continue
		}
		if next, _ := utf8.DecodeRuneInString(strings.TrimSpace(l[end:])); !unicode.IsLower(next) { // "e.g. this" ends nothing
			out = appendText(out, l[from:end])
			from = end
		}
	}
	return appendText(out, l[from:])
}

func appendText(out []string, s string) []string {
	if s = oneLine(s); s == "" {
		return out
	}
	if len(s) > sentenceMost {
		s = strings.TrimSpace(s[:cutAt(s, sentenceMost)]) + ellipsis
	}
	return append(out, s)
}

// SaidInTurn are the messages of a turn out of which a question may be answered, those of some nodes alone where any are named.
func SaidInTurn(nodes []memory.Node, only []string) (out []Said, speakers []string) {
	for i := range nodes {
		n := &nodes[i]
		if len(only) > 0 && !slices.Contains(only, n.ID) {
			continue
		}
		text := nodeText(n)
		if text == "" {
			continue
		}
		s, who := Said{Text: text, Node: n.ID, Weight: 1}, string(memory.TrustAgent)
		switch n.Role {
		case memory.RoleUser:
			if s.Weight, who = 1.1, string(memory.TrustPerson); n.Metadata.Kind != memory.KindPrompt {
				who = string(memory.TrustAgent)
			}
		case memory.RoleTool:
			s.Weight, who = 0.8, "tool"
		}
		out, speakers = append(out, s), append(speakers, who)
	}
	return out, speakers
}
