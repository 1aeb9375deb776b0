// Package project knows the folders of the person's work: which project a session belongs to, the registry of projects in
// projects/projects.json, and Project-Git, the repository that such a folder has.
//
// # Which project
//
// A project is told by its normalised remote URL, else by its first commit, else by its path. So the same project has one
// id in a sub-folder, in a linked worktree, behind a symlink, after its folder was renamed and, with a remote or a first
// commit, on every machine. An id never changes once it was given: a project that gets its first remote later keeps the id it
// has. The home folder and the root of the file system are never taken for the project of everything below them.
//
// # Project-Git
//
// Reading goes by go-git or by the git command, whichever was found to work for the repository, and changes nothing, git's own
// index included. Writing goes by the git command alone, since only it honours excludes, locks, hooks, filters and signing. It
// is done twice: git init, where the person asks for it, and a [Committer]'s commits of what an agent changed in a turn, where
// the person turned that on.
//
// The package never resets, checks out, stashes or cleans anything, never moves a branch but by a commit on top of it, never
// changes a setting or a hook, and never asks the person anything.
package project
