// Package project knows the folders of the user's work: which project a session belongs to, and the registry of projects in
// projects/projects.json.
//
// A project is told by its normalised remote URL, else by its first commit, else by its path. So the same project has one
// id in a sub-folder, in a linked worktree, behind a symlink, after its folder was renamed and, with a remote, on every
// machine. An id never changes once it was given: a project that gets its first remote later keeps the id it has.
//
// The package only reads other people's repositories and never writes to them. It never takes the home folder or the root of
// the file system for the project of everything below it.
package project
