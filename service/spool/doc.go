// Package spool keeps what an agent's hook reported while the service could not take it: a folder of small files, one a
// report, which the service picks up later.
//
// It keeps where something happened and never what was said: a report holds no prompt, no argument and no result, so that
// nothing lies on the disk that has not been through redaction. It is bounded, imports the standard library alone, and
// starts in no time, because the hook waits for it.
package spool
