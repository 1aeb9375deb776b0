// Package recall brings the right memories back: it makes documents of records and raw turns and keeps the index up to date
// with them, searches within a reader's view, walks the timeline and the graph, and writes core.md.
//
// What it returns always says where it comes from (session, turn, nodes), so that it can be opened. Superseded records stay
// out unless they are asked for, forgotten ones always, and near-identical ones are folded into one.
//
// It never writes to sessions or to the log, never reads a clock (times are handed in), and never shows a record outside of
// the view. Nothing quoted enters core.md.
package recall
