// Package gitsync carries the memory between machines through a git remote that the person owns.
//
// What travels is the logs: memory/ is a git repository whose tracked files are log/<machine>/<day>.jsonl. An exchange commits
// what the own log holds, fetches, joins, pushes, and tells its caller when lines of other machines came in. Each machine
// writes its own log alone, so a join is the union of files: of two versions of a log that which is the other one with more
// lines. No conflict can occur and no merge base is needed; whatever the order in which machines meet, all end with the
// same tree. A join is a commit with two parents that depends on its content alone; where the joined tree is the remote's, the
// remote's commit is taken instead, so that two machines never join for ever.
//
// What is not as it must be never gets in and never stops the rest:
//   - a log of another machine that does not go on from what is known of it is set aside in memory/quarantine with its
//     reason, and what is known stays in force. The remote's tree keeps the remote's version, so that machines that know
//     different ones do not overwrite each other for ever; when a version comes that goes on, it is taken;
//   - the own log is never taken from the remote. When the remote holds lines of it that this machine does not have, the
//     logs of others are still taken in, nothing is sent, and the error says how to go on;
//   - a remote that no longer holds what was there at the last exchange is refused, until the person says otherwise;
//   - what lies in the remote beside the logs is carried on unread, and nothing but logs is ever written to the disk.
//
// Two places are made for what is to come: [CheckURL] is where a remote is judged before it is used, and logsIn and the
// overlay that join makes are the only places where a tree becomes logs and logs become a tree, so that an encrypted form
// of the tree changes these two and nothing else.
//
// What a decision erases is taken out of the history here and on the remote (see erase.go).
//
// Sessions are no part of that: Carry and Bring put single ones onto the remote and fetch them (see sessions.go).
//
// The package never forces a push of the memory but for an erase, never deletes a line, never writes to the own log, never asks anybody anything,
// and never decides what a line means.
package gitsync
