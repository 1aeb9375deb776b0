// Package when finds the expression of a time in a question ("last Tuesday", "in March", "zwischen 3. und 5. Mai", "上周") and says
// which window of time it means, seen from a moment that is handed in and in that moment's zone.
//
// A question is read in three steps: words become tokens of few classes by the table of its language (lang/), patterns over the classes
// become constraints (a year, a weekday, "two weeks ago"), and constraints are resolved from coarse to fine. Where a year or a month is
// not said, the newest one that has begun is meant: questions to a memory look back.
//
// It never reads a clock, never does I/O, and never guesses where there is no expression: it says so.
package when
