// Package gitcmd runs the git command on repositories that belong to the person.
//
// A [Command] that reads takes no optional lock, starts nothing that the repository's settings name (a monitor of the file
// system, hooks, a pager, a check of signatures) and reaches no network, not even for the objects that a partial clone left
// out. One that writes honours the person's hooks, filters and signing as their own git does. Neither asks the person
// anything, starts upkeep, or obeys the variables by which a git hook that called us points elsewhere. Each has a time limit,
// after which it ends with all that it has started.
//
// Two kinds of programs are left to the caller: an external diff and a text conversion are turned off by --no-ext-diff and
// --no-textconv, and git status runs the clean filter of a file whose times have changed, without which its answer is wrong.
//
// It never interprets what git prints, never retries, and never removes a lock.
package gitcmd
