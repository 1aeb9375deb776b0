// Package alias says whether two names mean one thing of software: a library, a tool, a part of a program. Strict normal forms
// (case, separators, Unicode forms, a name with its short form in brackets) and what texts state to be equal are certain; short
// forms, plurals, versions and names that hold the other one are likely, which is for a person to decide.
//
// It is pure, knows no names but a few words that every field uses ("app", "server"), and never decides a merge by itself.
package alias
