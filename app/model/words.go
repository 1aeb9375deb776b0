package model

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

// The words of the search and of the costs.
const (
	FindAny   = "Search"
	FindHint  = "Search memories, names, turns, sessions and pages"
	FindKeys  = "↑ ↓ choose      Enter opens      Esc closes"
	FindName  = "A name: a file, tool, error …"
	PointHint = "Point at a day to see what it took."
)

// The words of the timeline.
const (
	ShowReplaced = "Show what was replaced"
	AboutWhat    = "About: a file, tool, error …"
	LoadMore     = "Show earlier ones"
	ActForget    = "Forget"
	ActRefuse    = "Refuse"
	ActPin       = "Pin"
	ChooseMemory = "Choose a memory to see who says it, where it comes from and what you can do with it."
	OneDay       = "Every day"
)

// The words of review.
const (
	ReviewEdit      = "Edit"
	ReviewMerge     = "Merge"
	ReviewSplit     = "Split"
	ReviewUndo      = "Undo"
	OpenTurn        = "Open the turn"
	EvidenceTitle   = "Where it comes from"
	EditTitle       = "Say it in better words"
	EditHint        = "What it says changes, not where it comes from. You stand behind it from then on."
	MergeTitle      = "The same as"
	MergeHint       = "The name or id under which it is known. What was known of this one belongs to that one then."
	SplitTitle      = "Names that mean something else"
	SplitHint       = "Each name that you choose becomes a thing of its own."
	SplitByHandHint = "The tags into which it falls, at least two, separated by commas."
	AllDecided      = "All decided"
	AllDecidedHint  = "Nothing waits for you any more. U takes the last decision back."
	Save            = "Save"
	GiveUp          = "Cancel"
	Loading         = "One moment …"
)

// ReplacedBy says what took a memory's place; empty where nothing is known to have.
func ReplacedBy(by string) string {
	if by == "" {
		return ""
	}
	return "Replaced by: " + by
}

// CannotOpen says why the turn of a memory cannot be opened.
func CannotOpen(why string) string { return "Its turn cannot be opened: its session is " + why + "." }

// WithUndo tells how to take back what was just done.
func WithUndo(text string) string { return text + ". U takes it back." }

// NotFor says that something cannot be done with what is shown.
func NotFor(act string) Notice {
	return Notice{Text: act + " makes no sense here: it has no words or names of its own for that."}
}

// The titles of the cards.
const (
	CardSteps     = "First steps"
	CardNight     = "Last night"
	CardToday     = "Today"
	CardYear      = "The year"
	CardSpend     = "Spending"
	CardBudgets   = "Budgets"
	CardByDay     = "By day"
	CardByModel   = "By model"
	CardByAim     = "By purpose"
	CardRelations = "Relations"
	CardMemories  = "Memories"
	CardSync      = "Sync"
	CardParts     = "Health"
	CardAgents    = "Agents"
	CardSkipped   = "Could not be used"
	CardProblems  = "Problems"
	CardAbout     = "This memory"
)

// Started tells what came of starting the service.
func Started(err error) Notice {
	if err == nil {
		return Notice{Tone: Good, Text: "Dormouse is running."}
	}
	return Notice{Tone: Bad, Text: "Dormouse could not be started: " + sentence(err.Error())}
}

// The words of sync.
const (
	SyncSetup       = "Set up …"
	SyncSetupTitle  = "Carry the memory to your other machines"
	SyncSetupHint   = "The address of an empty private git repository, or of the one that another machine of yours was set up with: git@host:me/memory.git, https://host/me/memory.git, or a folder."
	SyncAddress     = "Address of the repository"
	SyncEncrypt     = "Encrypt what it holds (a new, empty repository)"
	SyncCode        = "Code that another machine shows, to join an encrypted memory"
	SyncKnow        = "Take it although it is public, or holds code"
	SyncRestore     = "Give this machine's memory to a repository that was emptied or rewound"
	SyncOff         = "Turn off"
	SyncInvite      = "Let a machine in"
	SyncInviteTitle = "A code for one new machine"
	SyncToken       = "Token"
	SyncRename      = "Rename"
	SyncRenameTitle = "What this machine is called"
	SyncRenameHint  = "The name travels to all your machines."
	SyncRetire      = "Retire"
	SyncReturn      = "Use again"
	SyncRevoke      = "Revoke"
	SyncAside       = "Not taken from other machines"
	CardMachines    = "Machines"
	LinkConnect     = "Connect"
	LinkDisconnect  = "Disconnect"
	SyncDo          = "Set up"
	Close           = "Close"
)

// The words of what can be done with a session.
const (
	ActUnpin      = "Unpin"
	SessionRename = "Retitle"
	SessionFolder = "Open folder"
	SessionDelete = "Delete"
	ShowHistory   = "History"
	ShowTurns     = "Turns"
	RetitleTitle  = "What this session is called"
	RetitleHint   = "Your own title. Nothing but a newer one of yours replaces it."
	BranchShow    = "Show this branch"
)

// The words of what agents are told.
const (
	CardProxy     = "Proxy"
	CardSent      = "What an agent is told"
	SentPrompt    = "A prompt; empty for the begin of a session"
	SentNoProject = "No project is known yet: the first captured session brings its own along."
	CoreSent      = "As sent"
	CoreNew       = "new"
	CoreGone      = "Gone since yesterday"
)

// The words of the settings.
const (
	SettingsFind    = "Search settings"
	SettingsFound   = "Found"
	SettingsNone    = "No setting has these words."
	SettingReset    = "Use default"
	SettingOn       = "On"
	SettingByHand   = "Set in the file"
	SettingOneALine = "One a line"
	SettingsStale   = "The file says something else than what runs. It holds from the next start."
	RestartNow      = "Restart now"
	Restarting      = "Restarting …"
)
