// Package view is the window's screens: it copies the view models of app/model into widgets and hands what the person does
// back to the presenter.
//
// It never words or formats anything, never asks the service on the goroutine that draws, and never touches a widget on any
// other. It uses Fyne's core alone, so that it can be tested without a display.
package view
