package model

import "fmt"

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
var Pages = []PageName{
	{ID: "today", Name: "Today", Sign: "today"},
	{ID: "review", Name: "Review", Sign: "review", About: "What Dormouse is not sure of. What you decide holds on all your machines, and can be taken back."},
	{ID: "timeline", Name: "Timeline", Sign: "timeline", Group: "Memory"},
	{ID: "graph", Name: "Graph", Sign: "graph"},
	{ID: "core", Name: "Core", Sign: "core",
		About: "What the next session of an agent is told, to the byte. Choose a line to see why it stands there."},
	{ID: "sessions", Name: "Sessions", Sign: "sessions", Group: "Work"},
	{ID: "projects", Name: "Projects", Sign: "projects"},
	{ID: "sync", Name: "Sync", Sign: "sync", Group: "Dormouse"},
	{ID: "context", Name: "Context", Sign: "open",
		About: "What your agents are told of the memory, byte for byte, and what passes between them and the providers of their models."},
	{ID: "costs", Name: "Costs", Sign: "costs"},
	{ID: "agents", Name: "Agents", Sign: "agents"},
	{ID: "settings", Name: "Settings", Sign: "settings"},
}

// PageIDs are the ids of the pages, in the order of the navigation.
func PageIDs() []string {
	var out []string
	for _, p := range Pages {
		out = append(out, p.ID)
	}
	return out
}

// KeyedPages is how many pages have a key of their own: the digits.
const KeyedPages = 9

// PageKey is the key that leads to a page, as it is written on this system's keyboards; empty for one that has none.
func PageKey(page int, goos string) string {
	if page < len(Pages) && Pages[page].ID == "settings" {
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
	return "Ctrl " + key
}
