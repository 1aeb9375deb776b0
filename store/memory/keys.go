package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
)

// claim joins the parts of a claim key.
func claim(parts ...string) ClaimKey { return ClaimKey(strings.Join(parts, claimSep)) }

// Hash is the SHA-256 of the claim key in hex. It is all that stays of a claim whose text was erased.
func (k ClaimKey) Hash() string {
	sum := sha256.Sum256([]byte("claim\x00" + string(k)))
	return hex.EncodeToString(sum[:])
}

// parts are scope, kind and the rest of a claim key.
func (k ClaimKey) parts() []string { return strings.Split(string(k), claimSep) }

// fold makes spellings of one name equal: lower case, runs of space as one.
func fold(s string) string { return strings.Join(strings.Fields(strings.ToLower(s)), " ") }

// claimObject is an object as a claim key has it: an entity's id stays as it is; of a text the content words count, in any
// order and number.
func claimObject(s string) string {
	s = strings.TrimSpace(s)
	if !strings.ContainsAny(s, " \t\n") {
		return fold(s)
	}
	said, denied := negation(s)
	words := ContentWords(said)
	for i, w := range words {
		words[i] = singular(w)
	}
	slices.Sort(words)
	if words = slices.Compact(words); len(words) == 0 {
		return fold(s)
	}
	if denied {
		words = append([]string{"not"}, words...)
	}
	return strings.Join(words, " ")
}

// negations deny or forbid. They are no content words, and turn a claim into its opposite.
var negations = toSet(strings.Fields("not no never without cannot avoid don't doesn't didn't can't won't shouldn't mustn't isn't aren't wasn't weren't"))

// negation takes the negations out of a text and reports whether there was one.
func negation(s string) (rest string, denied bool) {
	var out []string
	for _, w := range strings.Fields(strings.ReplaceAll(strings.ToLower(s), "\u2019", "'")) {
		if negations[strings.Trim(w, ".,;:!?()\"")] {
			denied = true
			continue
		}
		out = append(out, w)
	}
	return strings.Join(out, " "), denied
}

// singular takes the plural's s off an English word. A word that is no plural loses it everywhere alike.
func singular(w string) string {
	switch {
	case len(w) > 4 && strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
		return w[:len(w)-1]
	}
	return w
}

func formatInt(n int64) string { return strconv.FormatInt(n, 10) }
