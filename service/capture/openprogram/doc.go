// Package openprogram reads the sessions in a state folder of OpenProgram: each is a folder with meta.json and one JSON file a node
// in history/, NNNN-<u|l|c>-<id>.json.
//
// What it makes of them:
//
//   - The conversation follows the predecessors, a retry forks where it names the same one, and the branch of the session's head is
//     its head here. Calls hang behind the message that made them.
//   - What a function did while it ran, models asked and functions called, is a branch that hangs on its call, and so is the work of
//     an agent that was started.
//   - A message that is still being said, and a function that still runs, wait with all that hangs on them until they are done or the
//     session is over.
//   - Turns that the program scheduled for itself, and what it recorded of its prompts, are the client's and not the person's. A summary
//     that replaced turns is a compaction, where it was written.
//   - A file that cannot be read is counted by its name; what hung on it goes on from what was before it. A folder with nodes whose
//     meta.json is damaged is a session named by its folder.
//   - A page of the memory (a day, a page of the wiki, a topic) is a session of its own, whose nodes are its paragraphs and the items of
//     its lists. They give candidates, which point to the page.
//
// A state folder, the folder "sessions" in it, a project with sessions in it and one session can be imported; on a machine where
// OpenProgram is used its sessions are followed, also those in the folders of projects, which sessions/locations.json names.
//
// No real state folder was at hand. The test data are made from the published shapes, and the adapter was held against OpenProgram's
// source for the fields that those leave open.
//
// It never runs git in a session, never reads settings, keys or logs, and never writes.
package openprogram
