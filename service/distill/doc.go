// Package distill turns the turns of sessions into the records of the virtual layer, in five stages: collect (which turns
// hold something new, and which session owns them), extract (rules that read one turn), link (names of one thing become one
// id), reconcile (what the log already holds, refused or forgot) and project (append, then render).
//
// Where a language model is handed in, it reads what is worth remembering in the place of the rules, several turns at once, and
// only proposes: what its evidence does not say is refused, and who stands behind a record is read from the evidence.
//
// Extract is a pure function: a turn's records depend on the turn and on its ancestors alone, so any order of sessions, any
// split into nights and any number of repeats gives the same records.
//
// The package never trusts a model's word on where something comes from, never reads a clock of its own, never changes a session, and never writes a file: what it
// decides goes to the log through functions that are handed in. It never remembers injected text, harness text, compaction
// summaries or the inner talk of sub-agents.
package distill
