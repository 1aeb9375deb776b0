// Package sqlite reads SQLite databases that belong to other programs, while those programs write to them.
//
// # Why it does not simply open them
//
// Every usual way of opening a foreign database harms its owner or misses something:
//
//   - A reader's shared lock makes the commit of a writer without a write-ahead log fail as busy, and keeps one with such a log
//     from emptying it.
//   - Opened for reading alone, a database with a write-ahead log still gets files -wal and -shm made beside it, or cannot be
//     opened where the folder cannot be written to.
//   - Opened as immutable, what is only in the log is not seen, and a change meanwhile gives nonsense without an error.
//   - A copy of several gigabytes at every change is no way either, and a copy made while it is written to is torn.
//
// # What it does
//
// SQLite reads through a file system of our own ([overlay]) that takes no locks and makes no files. A page is taken from the
// write-ahead log where its last whole transaction has it, from the rollback journal where one is unfinished, and from the
// database otherwise. That is one state of the database, as long as nobody writes into the pages that were not in the log. Whether
// somebody did is found out after reading and before anything is handed on: size and time of the database, its header, and the
// header of the log or journal. If so, all is read again from a new state ([Read]).
//
// The formats of log and journal are those of https://www.sqlite.org/fileformat2.html.
//
// The package never writes to a database, never locks one, never makes a file, and knows nothing of what the databases hold.
package sqlite
