// Package osservice has the operating system start a program of Dormouse when its person logs on, for that person alone: a
// unit of the systemd user manager on Linux or, where there is none, an XDG autostart entry; a LaunchAgent on macOS; a value of
// the registry's Run key on Windows. None of them needs an administrator.
//
// systemd and launchd are spoken to through kardianos/service, which gets finished files from here: its own ones start at
// targets that a user manager does not have, and restart what has ended in order.
//
// systemd and launchd start again what has failed. Where nobody does, the program gets a Keeper, which is a process of its own.
//
// It never reads or writes the state folder but for the file of the Keeper that it is told, never changes another program's entries, and never decides whether the service
// is well: it tells the system's word, and the truth is what the local API answers.
package osservice
