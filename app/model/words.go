package model

import "fmt"

// The words of the window that belong to no single view model. They stand here so that there is one place to translate.
const (
	AppName      = "Dormouse"
	DemoBadge    = "Demo"
	NotThere     = "Not running"
	TryAgain     = "Try again"
	StartService = "Start Dormouse"
	Starting     = "Starting …"
	SleepNow     = "Sleep now"
	SleepingNow  = "Sleeping …"
	SyncNow      = "Sync now"
	SyncingNow   = "Syncing …"
	PauseCapture = "Pause capture"
	GoOn         = "Go on"
	BindFolder   = "Bind a folder …"
	BindThis     = "Bind"
	UnbindThis   = "Unbind"
	ShowSessions = "Sessions"
	ShowCore     = "Core"
	CopyText     = "Copy"
	CopyTurn     = "Copy turn"
	Copied       = "Copied."
	Search       = "Search titles and what was said"
	ChooseOne    = "Choose a session"
	ChooseHint   = "Its turns appear here as they were: what you said, what the agent said, and every tool call."
	ShowMore     = "Show more of this turn"
)

// The titles of the cards.
const (
	CardSleep    = "Sleep"
	CardSync     = "Sync"
	CardParts    = "Health"
	CardAgents   = "Agents"
	CardSkipped  = "Could not be used"
	CardProblems = "Problems"
	CardAbout    = "This memory"
)

// PageName is a page in the navigation.
type PageName struct {
	Name string
	Sign string // the name of its sign
	// About is the line below its title.
	About string
}

// Pages are the pages in the order of the navigation.
var Pages = []PageName{
	{Name: "Status", Sign: "status"},
	{Name: "Core", Sign: "core", About: "What the next session of an agent is told, to the byte. Each line leads to the turn that it came from."},
	{Name: "Projects", Sign: "projects"},
	{Name: "Sessions", Sign: "sessions"},
}

// PageKey is the key that leads to a page, as it is written on this system's keyboards.
func PageKey(page int, goos string) string {
	if goos == "darwin" {
		return fmt.Sprintf("⌘%d", page+1)
	}
	return fmt.Sprintf("Ctrl %d", page+1)
}

// Started tells what came of starting the service.
func Started(err error) Notice {
	if err == nil {
		return Notice{Tone: Good, Text: "Dormouse is running."}
	}
	return Notice{Tone: Bad, Text: "Dormouse could not be started: " + sentence(err.Error())}
}
