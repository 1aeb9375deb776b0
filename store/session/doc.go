// Package session keeps each session of an agent as a git repository of its own: meta.json, history/ with one file a
// node, one commit a turn, and one branch a retry.
//
// # What is true
//
// A node is appended by a [Batch]. It is durable when Batch.Close returns. Nodes of the open turn lie as files in history/,
// which are the write-ahead log; when the turn is over, all files beyond the newest commits become commits. Git is the truth:
// meta.json is repaired from it when it lags, and a file in history/ that is cut off or does not follow on the others is
// ignored and reported by [Session.Problems].
//
// A commit's id depends on the nodes alone: its tree holds history/ and not meta.json, its author and dates are fixed by the
// nodes. Equal nodes in equal order give equal branches and commits on every machine.
//
// # Branches
//
// Nodes form a DAG along their parents, and the branches of the repository mirror it. A node that follows on one that the
// conversation has gone on from already, a retry, begins a branch retry-<id of its first answer>; main is the line that was
// there first. A branch's history/ holds the nodes on the way to its newest one and what sub-agents did on that way, and nothing
// else. Its first commit is built on the newest commit that holds nothing beside that way, the turn before, and holds the shared
// part of its own turn anew: two answers to one prompt are two commits with one parent. What comes late of an earlier turn goes
// with the next commit of its line. Numbers are given once in a session, whatever the branch, so that each history/ only grows at
// its end. All branches that a batch commits to are moved at once, so a crash leaves what is committed a beginning of all nodes.
//
// HEAD, the index and the work tree show the branch that the session's head is on, unless the person checked out another one. A
// repository whose commits are one line over all nodes is read as well: it is one branch, and new retries fork from it.
//
// # Hot and cold
//
// A bulk batch streams its turns into one pack and leaves no files in history/; git's index marks them skip-worktree,
// so git status is clean and a checkout brings them back. Turns that are appended live keep their files. [Session.Compact]
// makes a session cold.
//
// # Long texts and images
//
// A text that is too long for a node's file is stored by [Batch.File] as files/<sha256>.<extension>: committed with its node,
// never in the work tree, where git's index says that it is not missed, and packed by Compact. The node holds head, tail and the
// reference; [Session.File] streams the whole.
//
// An image is stored by [Batch.Image] and kept by a ref of its own, refs/dormouse/images/<sha256>.<extension>: whether images are kept
// is up to each machine, while equal nodes have equal commits on all. The node holds the image's SHA-256 whether it is kept or not;
// [Session.Images] says which are.
//
// # Damage
//
// A damaged or missing object is an error of the node or turn that needs it, which names the object, the folder and what
// helps; all else is read and appended to. [Examine] looks at a folder from outside, for the doctor.
//
// The package never changes or removes a node that was written, never looks into what nodes say, and writes to no repository
// but those below its folder.
package session
