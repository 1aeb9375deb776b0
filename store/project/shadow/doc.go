// Package shadow keeps, for a project that the person bound, the files that agents edited: as they were before and after each
// turn, in a repository of ours outside the project.
//
// # Where a content comes from
//
// A version of a file is "exact" when the session's own records give it whole, or lead to it from a content that they prove;
// "derived" when a change fits on the content that was known before, which nothing proves to be still there; "disk" when it
// was read from the disk, at a time and with a content that fit the change; and "unknown" otherwise. A file that is
// somebody else's business (outside the folder, ignored by git, excluded, too long) or that holds a secret is named, and its
// content is not kept.
//
// # The repository
//
// Each session has the branch session/<id>: a chain of one commit a turn that edited files, whose tree holds the files that the
// session has edited so far, as they were after the turn. Where the files were not so before it, a commit precedes that
// brings them to what they were: "before turn N" for files that the session had not touched, "outside change before turn N"
// where somebody else changed one. So git show of a turn's commit is what the agent changed. Changes whose contents are not
// known are kept as the call shows them, below .dormouse/hunks. HEAD names the branch with the newest commit.
//
// Commits are made of the session's nodes, and of the disk where those do not tell: equal nodes give equal commits. A turn that
// goes on after it was recorded is recorded anew, and so are those after it.
//
// The package never writes to the person's repository or folder, never follows a symbolic link, never attributes a change that no
// call tells of, and never opens a session itself.
package shadow
