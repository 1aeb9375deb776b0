package model

import (
	"dormouse/app/lang"

	"fmt"
	"slices"
)

// PageName is a page in the navigation.
type PageName struct {
	ID   string // by which programs name it
	Name string
	Sign string // the name of its sign
	// About is the line below its title.
	About string
	// Group is the title above it in the navigation, where it begins a group.
	Group string
}

// Pages are the pages in the order of the navigation.
func Pages() []PageName {
	return []PageName{
		{ID: "today", Name: lang.Say("Today"), Sign: "today"},
		{ID: "review", Name: lang.Say("Review"), Sign: "review", About: lang.Say("What Dormouse is not sure of. What you decide holds on all your machines, and can be taken back.")},
		{ID: "timeline", Name: lang.Say("Timeline"), Sign: "timeline", Group: lang.Say("Memory")},
		{ID: "graph", Name: lang.Say("Graph"), Sign: "graph"},
		{ID: "core", Name: lang.Say("Core"), Sign: "core",
			About: lang.Say("What the next session of an agent is told, to the byte. Choose a line to see why it stands there.")},
		{ID: "sessions", Name: lang.Say("Sessions"), Sign: "sessions", Group: lang.Say("Work")},
		{ID: "projects", Name: lang.Say("Projects"), Sign: "projects"},
		{ID: "sync", Name: lang.Say("Sync"), Sign: "sync", Group: lang.Say("Dormouse")},
		{ID: "context", Name: lang.Say("Context"), Sign: "open",
			About: lang.Say("What your agents are told of the memory, byte for byte, and what passes between them and the providers of their models.")},
		{ID: "costs", Name: lang.Say("Costs"), Sign: "costs"},
		{ID: "agents", Name: lang.Say("Agents"), Sign: "agents"},
		{ID: "settings", Name: lang.Say("Settings"), Sign: "settings"},
	}
}

// pageIDs are the pages in the order of the navigation.
var pageIDs = []string{"today", "review", "timeline", "graph", "core", "sessions", "projects", "sync", "context", "costs", "agents", "settings"}

// PageIDs are the ids of the pages, in the order of the navigation.
func PageIDs() []string {
	return slices.Clone(pageIDs)
}

// KeyedPages is how many pages have a key of their own: the digits.
const KeyedPages = 9

// PageKey is the key that leads to a page, as it is written on this system's keyboards; empty for one that has none.
func PageKey(page int, goos string) string {
	if page < len(pageIDs) && pageIDs[page] == "settings" {
		return withCtrl(",", goos)
	}
	if page >= KeyedPages {
		return ""
	}
	return withCtrl(fmt.Sprint(page+1), goos)
}

// FindKey is the key that opens the search.
func FindKey(goos string) string { return withCtrl("K", goos) }

// withCtrl is a key that is pressed with the one for shortcuts.
func withCtrl(key, goos string) string {
	if goos == "darwin" {
		return "⌘" + key
	}
	return lang.Say("Ctrl {key}", key)
}
