// Package pager decides how much of a conversation the next request carries: which blocks stay as they are, which are shown in
// short, and what comes back when it turns out to be needed. It is an engine over messages: they are added in the order in
// which a client sends them, and before each request it says which blocks change their form from then on.
//
// What it weighs: the bytes that a block costs in every later request, the price of a prompt cache whose prefix a change breaks,
// and how likely the block is to be needed again. A form once chosen is repeated byte for byte, so that a request which changes
// nothing is a prefix of the next one.
//
// It is pure: the same messages at the same times give the same forms. It never reads a clock, a file or the network, never
// changes the last turns, a failed result or a block that it does not know, and never loses anything: a block's text stays
// where it was, and each short form says what it leaves out.
package pager
