// Package words turns text into the terms of a text index: it knows identifiers, paths, versions and flags as programmers
// write them, the words of natural languages, and the scripts that write without spaces.
//
// Both sides of a search, documents and queries, go through the same rules, so that what was written one way is found when
// it is asked for in another: getUserName, get_user_name and "user name"; e-mail and email; café and cafe; full-width and
// half-width forms.
//
//   - Text is brought to one form: Unicode NFKD, vowel points taken off, NFC, case folded, katakana as hiragana.
//   - A word with accents is two terms: without them, and as it is written, so that whoever leaves them out finds it and whoever writes them
//     finds first what has them too. In Vietnamese, where they tell words apart, that is most of the text.
//   - A run of letters and digits joined by _ - . / \ : @ & + is split into its parts, at the joints and at the humps of camelCase.
//     Every part is a term, so is every pair of neighbours written together, and so is a whole name of three parts and more.
//   - English and Russian words lose their endings (Snowball), Arabic ones their article too; the commonest English words are no
//     terms. In a text whose function words tell its language, one of thirteen, a word is a further term without the endings of that.
//   - Chinese and Japanese are cut into pairs of characters, Korean too; Thai, Lao, Khmer and Burmese into triples.
//
// It never does I/O and never keeps text: an Analyzer remembers stems only.
package words
