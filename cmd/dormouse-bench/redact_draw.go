package main

import (
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
)

// drawn makes the pieces of generated cases, the same ones for the same seed.
type drawn struct{ *rand.Rand }

func newDrawn(seed uint64) drawn { return drawn{rand.New(rand.NewPCG(seed, 0x5ec4e7))} }

// The alphabets of fill, by the letter that names them in a form.
var alphabets = map[byte]string{
	'a': "abcdefghijklmnopqrstuvwxyz0123456789",
	'A': "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
	'b': "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
	'B': "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
	'd': "0123456789",
	'h': "0123456789abcdef",
	'H': "0123456789ABCDEF",
	'l': "abcdefghijklmnopqrstuvwxyz",
	'L': "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
	'u': "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
	'v': "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
	's': "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#%&*+-.:=?@^_~",
}

// pieceForm is a piece of a form that is drawn; every other brace stays.
var pieceForm = regexp.MustCompile(`\{(w|W|p|P|U|[aAbBdhHlLusv][0-9]+)\}`)

// fill draws a text of the given form, in which {A36} is 36 characters of the alphabet A, {w} a word of programs,
// {p} one of people, {W} and {P} the same with a capital, and {U} a UUID.
func (d drawn) fill(form string) string {
	return pieceForm.ReplaceAllStringFunc(form, func(piece string) string {
		switch mark := piece[1 : len(piece)-1]; mark {
		case "w", "p":
			return d.pick(wordsOf[mark])
		case "W", "P":
			w := d.pick(wordsOf[strings.ToLower(mark)])
			return strings.ToUpper(w[:1]) + w[1:]
		case "U":
			return d.fill("{h8}-{h4}-{h4}-{h4}-{h12}")
		default:
			n, _ := strconv.Atoi(mark[1:])
			return d.of(alphabets[mark[0]], n)
		}
	})
}

func (d drawn) of(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[d.IntN(len(alphabet))]
	}
	return string(b)
}

func (d drawn) pick(of []string) string { return of[d.IntN(len(of))] }

// wordsOf are words by the letter that names them in a form: of names in programs, and of passwords.
var wordsOf = map[string][]string{"w": nounsOfCode, "p": wordsOfPeople}

// wordsOfPeople are words that people make passwords of.
var wordsOfPeople = strings.Fields(`amber anchor apple autumn badger bailey banana barcelona basket beaver berlin biscuit bramble butter
	buttercup candle castle cherry chester cobra coffee cookie dakota dragon eagle ember falcon fender football forest freedom ginger golden
	guitar hammer harley heather hockey honey hunter iceland jasper jordan juniper kestrel kitten lemon lisbon madison maggie mango marlin
	meadow merlin midnight monkey mountain mustang nirvana november oliver orange panther paris peanut pepper phoenix pickle pirate pumpkin
	purple rabbit raven river rocket sailor salmon shadow silver smokey snowball soccer sparrow spring summer sunshine taylor thunder tiger
	tulip turtle velvet violet walnut whisky willow winter yankee yellow zebra`)

// nounsOfCode are words that names in programs consist of.
var nounsOfCode = strings.Fields(`account address batch branch buffer bundle cache catalog channel client cluster column commit config
	context counter cursor customer device document driver editor element engine event export factory filter folder format frame gateway
	handler history image import index invoice journal kernel label layer ledger library license listener locale logger mailbox manager
	matrix member merge message metric module monitor network node object order owner packet page panel parser partner payment pipeline
	planet plugin pointer policy portal printer process product profile project promise queue record region report request resolver
	resource result router sample scanner schedule schema screen script sensor server session signal slice socket source storage stream
	string system table target template terminal thread ticket timer toolbar tracker transfer tunnel upload vendor version viewer volume
	wallet widget window worker wrapper zone`)
