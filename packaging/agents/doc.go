// Command agents tries Dormouse with the real coding agents: it installs them from npm into a folder of their own, runs each
// against a scripted model on this machine, with Dormouse absent, up and hung, and compares what the person sees, the exit
// codes, the transcripts, and what was captured with what the script said.
//
//	go run ./packaging/agents -dormouse bin/dormouse [-keep DIR] [NAME...]
//
// The agents run in a network of their own that has the loopback alone, with a home, a PATH and variables of their own and
// nothing of the person's. Nothing that ships uses this program, and it never talks to a real model.
package main
