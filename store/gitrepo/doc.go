// Package gitrepo reads and writes git repositories.
//
// It has three parts. [Repo] is a repository of ours (a session, the memory): its objects, trees, packs, refs and index are
// written directly, so that a commit costs what it adds and not what is there, and a crash at any moment leaves a
// repository that git fsck accepts. [Peer] exchanges the main branch of such a repository with another one. [Find] and
// [Inspect] look at somebody else's repository through go-git, with the git command as the fallback for shapes that go-git
// cannot open.
//
// It never writes to a repository that it did not make, but for a Push, which never forces. It never uses a go-git Worktree
// (whose Reset and Checkout delete ignored files), and knows nothing of what the files mean.
//
// One process at a time may write to a Repo; within it, callers serialise the writes to one repository. A user's own git
// command is kept out by the locks that git itself uses, and is honoured in turn.
package gitrepo
