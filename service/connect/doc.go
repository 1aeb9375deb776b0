// Package connect writes Dormouse's hooks into the agents' own configuration files, and takes them out again. An agent that runs
// plugins instead gets one, a file of Dormouse's own.
//
// The files belong to the person: comments, order, spacing and everything else in them stay as they are, what is going to be
// changed is shown first as a diff, the file is kept beside itself until the hooks are taken out, and taking them out of a
// file that was not touched since gives back the same bytes.
//
// It never runs an agent, never touches a file of a project, and never writes to a file that it cannot read as what it
// should be.
package connect
