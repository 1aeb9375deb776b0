package redact

// follows says how usual it is in words that one letter follows another, from 0 (never) to 9: row by the first letter, column by
// the second. It was counted over the distinct words of some million lines of published code and documentation, as the logarithm
// of the conditional frequency. Words of any European language do well by it, and so do the abbreviations of programmers.
var follows = [26]string{
	"46763451524767262778563442",
	"75657542742854653774743253",
	"74547457617654842667552230",
	"75578542832554654664644441",
	"64775552412667354877354631",
	"64666843811765752665624341",
	"64648556701646752775643222",
	"84458434734554741656624152",
	"55666561212668751577152405",
	"84657444635555754485647423",
	"65559564732655454476534242",
	"73468443803734742466544262",
	"85458322714553771365642240",
	"74777583615445642378453032",
	"55764551514668560866665321",
	"74558435604753762877634240",
	"55466456503664456545955154",
	"74568451704555741566544250",
	"64648346714663554578634252",
	"74548436801543651765533453",
	"67656652612768461777232412",
	"75559644702564574575455423",
	"85557546713556743775445433",
	"65757624622554573568474642",
	"63655534603677582576365445",
	"65649454730544641454535546",
}

// fluency is how usual the pairs of neighbouring letters in v are, from 0 to 9. Words have about 6.3, letters drawn by chance 4.7.
// It is 9 where there is no pair.
func fluency(v string) float64 {
	sum, pairs := 0, 0
	for i := 1; i < len(v); i++ {
		if isLetter(v[i-1]) && isLetter(v[i]) {
			sum += int(follows[v[i-1]|0x20-'a'][v[i]|0x20-'a'] - '0')
			pairs++
		}
	}
	if pairs == 0 {
		return 9
	}
	return float64(sum) / float64(pairs)
}

// The fluency under which letters are taken for drawn: one word in a hundred of that length is below, and of random letters
// three in four.
const (
	fluentShort = 4.7 // from 8 letters
	fluentLong  = 5.0 // from 12 letters
	fluentPiece = 5.4 // of a piece of a name, of 4 to 6 letters
	// After "the password is" the words that may follow are few, so that more may be taken for drawn.
	fluentStated = 5.4
)

// isJumble reports whether v, which has no digits, is letters that a machine drew: pairs of letters that words do not have, or
// capitals at random places.
func isJumble(v string, t traits) bool {
	if t.letters < 8 {
		return false
	}
	least := fluentShort
	if t.letters >= 12 {
		least = fluentLong
	}
	return fluency(v) < least || t.bothCases() && t.turns*4 >= t.letters
}

// isLongJumble reports whether v is long, has about as many capitals as small letters or letters that no word has in that order, and
// no words in it: so are random strings that happen to have few digits.
func isLongJumble(v string, t traits) bool {
	if t.length < 20 || t.letters < 12 || t.others*6 > t.length || t.hex {
		return false
	}
	return (t.bothCases() || t.digits > 0 && fluency(v) < fluentLong) && t.bits > 3.3 && !isWordy(v)
}

// isWordy reports whether v is mostly words: whether most of its letters stand in pieces of four and more, of one case but for
// a capital at the beginning, that read like words.
func isWordy(v string) bool {
	letters, fluent := 0, 0
	begin := 0
	cut := func(end int) {
		piece := v[begin:end]
		letters += len(piece)
		if len(piece) >= 4 && (fluency(piece) >= fluentPiece || len(piece) > 6 && fluency(piece) >= fluentLong) {
			fluent += len(piece)
		}
	}
	for i := range len(v) {
		switch {
		case !isLetter(v[i]):
			cut(i)
			begin = i + 1
		case i > begin && isUpper(v[i]) && (!isUpper(v[i-1]) || i+1 < len(v) && isLower(v[i+1])):
			cut(i)
			begin = i
		}
	}
	cut(len(v))
	return letters > 0 && fluent*2 >= letters
}
