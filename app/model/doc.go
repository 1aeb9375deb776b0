// Package model is what the window shows, without the window: presenters ask the service and answer with view models, which
// hold every word and number as it is to be read.
//
// It never draws, never starts a goroutine of its own but the one that follows the service's events, and never trusts a
// text: what comes from transcripts is cleaned before it becomes part of a view model.
package model
