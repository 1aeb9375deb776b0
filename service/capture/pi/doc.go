// Package pi reads the sessions of pi and of Oh My Pi (omp), which grew out of it: files of JSON lines whose entries form a tree by
// their ids.
//
// What it makes of them:
//
//   - An entry is known by who said what when and not by its id: a session of an early version has none, and is written anew with
//     ids when it is opened again.
//   - Entries that are no messages hold the tree together: what hangs on them hangs on what is before them.
//   - A branch is a fork: all branches stay, the one that was written last is the active one.
//   - A sub-agent's file in the folder of a session (omp) is a branch of it.
//
// It never reads what the client keeps beside its sessions.
package pi
