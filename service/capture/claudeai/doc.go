// Package claudeai reads the data export of Claude.ai: the conversations of an account.
//
// What it makes of them:
//
//   - A message hangs on the one that it names, or on the one before it where the export names none. Two that hang on one are forks; the
//     branch of the newest message is the session's head.
//   - A message's blocks stand in their order: what was said before a call and what was said after it are nodes of their own. The flat
//     copy of the text is read only where there are no blocks.
//   - Files that were attached are the client's words, before the prompt, with the text that was taken from them.
//
// Tokens and models are not in the export. Its projects, memories and users are not read. It is used by imports alone and
// never looks for anything in the home folder.
package claudeai
