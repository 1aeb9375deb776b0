// Package seal is the form in which a memory lies on a remote that is not to read it: age files (filippo.io/age) and nothing else.
//
//   - A [Ring] holds the data keys: one in force, and the earlier ones. It is kept in keys.age, encrypted to the X25519 recipient of every
//     machine, and authenticated under each key that it holds, so that a machine which knows one of them takes no ring that its
//     companions did not make. A generation is a new key, made when a machine is revoked; a rewrite is counted when history was replaced.
//   - A [Segment] is a part of a log: which one, from which byte on, and the bytes, packed. It is encrypted under the data key, which also
//     vouches for it: whoever knows the recipients alone can make none. Its name is a keyed hash.
//   - A join is a request and an answer, both closed with a key that is drawn from a short code (see [CodeKey]); the ring in the answer is
//     encrypted to the new machine's own key beside that, so that a code which leaks later opens nothing.
//
// All of it is read as the work of an enemy: sizes are bounded, and what does not verify is an error.
//
// The package never touches the disk or the network, and never decides what is taken.
package seal
