// Package osservice has the operating system start a program of Dormouse when its person logs on, for that person alone: a
// unit of the systemd user manager on Linux or, where there is none, an XDG autostart entry; a LaunchAgent on macOS; a value of
// the registry's Run key on Windows. None of them needs an administrator.
//
// systemd and launchd are spoken to through kardianos/service, which gets finished files from here: its own ones start at
// targets that a user manager does not have, and restart what has ended in order.
//
// It never reads or writes the state folder, never changes another program's entries, and never decides whether the service
// is well: it tells the system's word, and the truth is what the local API answers.
package osservice
