package memory

import (
	"maps"
	"slices"
	"strings"
)

// guarded stands in a record for a value that its text gives to the name of a secret. It is the same for every value, because
// whoever has the record, and no key, must be able to make it, and because nobody must be able to test a guess with it.
const guarded = "[redacted:stated]"

// Guard takes out of a text that is to be remembered or told whatever it gives to the name of a secret. Redaction at capture judges by what a
// value looks like, because code and transcripts must stay as they are; here a lost word costs little, and a kept one is repeated to every
// session, so that behind "the password is" any word goes that is not one that sentences about passwords go on with. It depends on nothing but
// the text, and changes nothing that it has changed already.
func Guard(text string) string {
	for range guardRounds {
		clean := guardOnce(text)
		if clean == text {
			break
		}
		text = clean
	}
	return text
}

// guardRounds is how often a text is looked at again after something went, because that can uncover another value. Two rounds are usual.
const guardRounds = 16

func guardOnce(text string) string {
	var all []Stated
	EachStated(text, func(v Stated) {
		if !v.harmless(text[v.From:v.To]) {
			v.To = v.phraseEnd(text)
			all = append(all, v)
		}
	})
	if len(all) == 0 {
		return text
	}
	slices.SortFunc(all, func(a, b Stated) int { return a.From - b.From })
	var b strings.Builder
	last := 0
	for _, v := range all {
		if v.To <= last {
			continue
		}
		if v.From >= last {
			b.WriteString(text[last:v.From])
			b.WriteString(guarded)
		}
		last = v.To
	}
	b.WriteString(text[last:])
	return b.String()
}

// harmless reports whether what stands at the place of a value is none, by as little as can be said of it.
func (v Stated) harmless(text string) bool {
	plain := onlyLetters(strings.ReplaceAll(text, "-", "")) && !oddCase(text)
	switch {
	case strings.Contains(text, "[redacted:"), len(text) < 3, strings.Contains(text, "://") && !strings.Contains(text, "@"):
		return true
	case v.Key:
		// A machine made it, so it has digits, or is long and in no way a name.
		made := hasDigit(text) && len(text) >= 8 || len(text) >= 20 && onlyLetters(text) && !v.Inner
		return v.Beside && !(hasDigit(text) && len(text) >= 12) || !made && !(v.Quoted && !plain && !v.Inner) || isAmount(text)
	case v.Short:
		return v.Beside && !v.Cued || !v.Quoted && !hasDigit(text) && (!plain || !v.Clause) || isAmount(text) && len(text) < 4
	case v.Beside && !v.Cued && !v.Quoted:
		return plain || isAmount(text) || strings.ContainsAny(text, "(){}[]<>")
	}
	return false
}

// oddCase reports whether a capital follows a small letter, as in no word of a sentence.
func oddCase(text string) bool {
	for i := 1; i < len(text); i++ {
		if text[i] >= 'A' && text[i] <= 'Z' && text[i-1] >= 'a' && text[i-1] <= 'z' {
			return true
		}
	}
	return false
}

// isAmount reports whether text is a number with or without a short unit: 32, 7d, 4,096, 15m.
func isAmount(text string) bool {
	rest := strings.TrimLeft(text, "0123456789.,")
	return rest != text && len(rest) <= 2 && len(text) < 12
}

// phraseEnd is the end of the value, of which there can be several words where a phrase was asked for: "the passphrase is correct horse
// battery". Words go on it up to one that joins sentences.
func (v Stated) phraseEnd(text string) int {
	if v.Quoted || v.Key || v.Short || v.Beside && !v.Cued {
		return v.To
	}
	to := v.To
	for range 30 {
		i := skipBlank(text, to)
		w := wordAt(text, i)
		if i == to || w == "" || i+len(w) < len(text) && !strings.ContainsRune(" .,;:!?\n)'\"", rune(text[i+len(w)])) {
			break
		}
		if low := strings.ToLower(w); ordinaryWords[low] || ofWords[low] || stateWords[low] || roleWords[low] || joinsSentence[low] {
			break
		}
		to = i + len(w)
	}
	return to
}

// joinsSentence are words after which the sentence goes on with something else.
var joinsSentence = wordList("und aber weil et mais y pero e mas since when if log login please bitte instead")

// guardRecord does as Guard with the texts of a record that come from what somebody said. Its id stays.
func guardRecord(r Record) {
	switch r := r.(type) {
	case *Event:
		r.Summary = Guard(r.Summary)
	case *Entity:
		r.Name = Guard(r.Name)
		for i, a := range r.Aliases {
			if clean := Guard(a); clean != a {
				r.Aliases = slices.Clone(r.Aliases)
				r.Aliases[i] = clean
			}
		}
		for k, v := range r.Attrs {
			if clean := Guard(v); clean != v {
				r.Attrs = maps.Clone(r.Attrs)
				r.Attrs[k] = clean
			}
		}
	case *Fact:
		guardFact(r)
	case *Segment:
		r.Summary = Guard(r.Summary)
	case *Tag:
		r.Name, r.Description = Guard(r.Name), Guard(r.Description)
	case *TagAlias:
		r.Alias = Guard(r.Alias)
	case *TagSummary:
		r.Summary = Guard(r.Summary)
	}
}

// guardFact looks at a fact as the sentence that it is: its subject can be the name of which its object is the value.
func guardFact(f *Fact) {
	f.Object = Guard(f.Object)
	head := strings.ReplaceAll(f.Subject+" "+f.Verb, "_", " ") + " "
	if whole := Guard(head + f.Object); strings.HasPrefix(whole, head) {
		f.Object = whole[len(head):]
	}
}

// GuardNode does as Guard with the texts of a node that memories are made of. Its input, which is JSON, stays: it is the structure of a call.
func GuardNode(n *Node) {
	n.Output = Guard(n.Output)
	for i := range n.Metadata.Commands {
		n.Metadata.Commands[i] = Guard(n.Metadata.Commands[i])
	}
}
