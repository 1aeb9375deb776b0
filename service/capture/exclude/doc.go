// Package exclude tells what lies in the folders that the person keeps from Dormouse, however it is spelled: through links, linked
// worktrees, "~", variables of the environment, letters of another case where the file system takes them for the same, drives as WSL and
// Git for Windows spell them, and WSL's shares. Where it is not sure it says that something lies there: what is left out can be read from
// the agent's own files, and what was kept cannot be taken back from a history.
//
// It never opens a file but the .git of a linked worktree, and never changes one.
package exclude
