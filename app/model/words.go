package model

import "dormouse/app/lang"

// The words of the window that belong to no single view model. They stand here so that there is one place to translate.
const (
	AppName                = "Dormouse"
	DemoBadge    lang.Word = "Demo"
	NotThere     lang.Word = "Not running"
	TryAgain     lang.Word = "Try again"
	StartService lang.Word = "Start Dormouse"
	Starting     lang.Word = "Starting …"
	SleepNow     lang.Word = "Sleep now"
	SleepingNow  lang.Word = "Sleeping …"
	SyncNow      lang.Word = "Sync now"
	SyncingNow   lang.Word = "Syncing …"
	PauseCapture lang.Word = "Pause capture"
	GoOn         lang.Word = "Go on"
	BindFolder   lang.Word = "Bind a folder …"
	BindThis     lang.Word = "Bind"
	ProjectTitle lang.Word = "What this project is called"
	ProjectHint  lang.Word = "Your own name for it on this machine. An empty one takes it back; memories stay filed under the name that it was found with."
	UnbindThis   lang.Word = "Unbind"
	ShowSessions lang.Word = "Sessions"
	ShowCore     lang.Word = "Core"
	CopyText     lang.Word = "Copy"
	CopyTurn     lang.Word = "Copy turn"
	Copied       lang.Word = "Copied."
	Search       lang.Word = "Search titles and what was said"
	ChooseOne    lang.Word = "Choose a session"
	ChooseHint   lang.Word = "Its turns appear here as they were: what you said, what the agent said, and every tool call."
	ShowMore     lang.Word = "Show more of this turn"
)

// The words of the search and of the costs.
const (
	FindAny   lang.Word = "Search"
	FindHint  lang.Word = "Search memories, names, turns, sessions and pages"
	FindKeys  lang.Word = "↑ ↓ choose      Enter opens      Esc closes"
	FindName  lang.Word = "A name: a file, tool, error …"
	PointHint lang.Word = "Point at a day to see what it took."
)

// The words of the timeline.
const (
	ShowReplaced lang.Word = "Show what was replaced"
	AboutWhat    lang.Word = "About: a file, tool, error …"
	LoadMore     lang.Word = "Show earlier ones"
	ActForget    lang.Word = "Forget"
	ActRefuse    lang.Word = "Refuse"
	ActPin       lang.Word = "Pin"
	ChooseMemory lang.Word = "Choose a memory to see who says it, where it comes from and what you can do with it."
	OneDay       lang.Word = "Every day"
)

// The words of a project.
const (
	AutoCommitOn  lang.Word = "Commit turns"
	AutoCommitOff lang.Word = "Stop committing"
	FilesOn       lang.Word = "Keep files"
	FilesOff      lang.Word = "Stop keeping files"
	RestoreFiles  lang.Word = "Restore files …"
	RestoreHint   lang.Word = "Files that an agent edited are written into an empty folder of your choice; the project itself is not touched."
	RestoreInto   lang.Word = "Choose the folder"
	AboutProject  lang.Word = "Choose a project to see its repository, its agents and what is kept of it."
)

// The words of review.
const (
	ReviewEdit      lang.Word = "Edit"
	ReviewMerge     lang.Word = "Merge"
	ReviewSplit     lang.Word = "Split"
	ReviewUndo      lang.Word = "Undo"
	OpenTurn        lang.Word = "Open the turn"
	EvidenceTitle   lang.Word = "Where it comes from"
	EditTitle       lang.Word = "Say it in better words"
	EditHint        lang.Word = "What it says changes, not where it comes from. You stand behind it from then on."
	MergeTitle      lang.Word = "The same as"
	MergeHint       lang.Word = "The name or id under which it is known. What was known of this one belongs to that one then."
	SplitTitle      lang.Word = "Names that mean something else"
	SplitHint       lang.Word = "Each name that you choose becomes a thing of its own."
	SplitByHandHint lang.Word = "The tags into which it falls, at least two, separated by commas."
	AllDecided      lang.Word = "All decided"
	AllDecidedHint  lang.Word = "Nothing waits for you any more. U takes the last decision back."
	Save            lang.Word = "Save"
	GiveUp          lang.Word = "Cancel"
	Loading         lang.Word = "One moment …"
)

// ReplacedBy says what took a memory's place; empty where nothing is known to have.
func ReplacedBy(by string) string {
	if by == "" {
		return ""
	}
	return lang.Say("Replaced by: {memory}", by)
}

// CannotOpen says why the turn of a memory cannot be opened.
func CannotOpen(why string) string {
	return lang.Say("Its turn cannot be opened: its session is {why}.", why)
}

// WithUndo tells how to take back what was just done.
func WithUndo(text string) string { return lang.Say("{done}. U takes it back.", text) }

// NotFor says that something cannot be done with what is shown.
func NotFor(act string) Notice {
	return Notice{Text: lang.Say("{act} makes no sense here: it has no words or names of its own for that.", act)}
}

// The titles of the cards.
const (
	CardSteps     lang.Word = "First steps"
	CardNight     lang.Word = "Last night"
	CardToday     lang.Word = "Today"
	CardYear      lang.Word = "The year"
	CardSpend     lang.Word = "Spending"
	CardBudgets   lang.Word = "Budgets"
	CardByDay     lang.Word = "By day"
	CardByModel   lang.Word = "By model"
	CardByAim     lang.Word = "By purpose"
	CardRelations lang.Word = "Relations"
	CardMemories  lang.Word = "Memories"
	CardSync      lang.Word = "Sync"
	CardParts     lang.Word = "Health"
	CardAgents    lang.Word = "Agents"
	CardSkipped   lang.Word = "Could not be used"
	CardProblems  lang.Word = "Problems"
	CardAbout     lang.Word = "This memory"
)

// Started tells what came of starting the service.
func Started(err error) Notice {
	if err == nil {
		return Notice{Tone: Good, Text: lang.Say("Dormouse is running.")}
	}
	return Notice{Tone: Bad, Text: lang.Say("Dormouse could not be started: {why}", sentence(err.Error()))}
}

// The words of sync.
const (
	SyncSetup       lang.Word = "Set up …"
	SyncSetupTitle  lang.Word = "Carry the memory to your other machines"
	SyncSetupHint   lang.Word = "The address of an empty private git repository, or of the one that another machine of yours was set up with: git@host:me/memory.git, https://host/me/memory.git, or a folder."
	SyncAddress     lang.Word = "Address of the repository"
	SyncEncrypt     lang.Word = "Encrypt what it holds (a new, empty repository)"
	SyncCode        lang.Word = "Code that another machine shows, to join an encrypted memory"
	SyncKnow        lang.Word = "Take it although it is public, or holds code"
	SyncRestore     lang.Word = "Give this machine's memory to a repository that was emptied or rewound"
	SyncOff         lang.Word = "Turn off"
	SyncInvite      lang.Word = "Let a machine in"
	SyncInviteTitle lang.Word = "A code for one new machine"
	SyncToken       lang.Word = "Token"
	SyncRename      lang.Word = "Rename"
	SyncRenameTitle lang.Word = "What this machine is called"
	SyncRenameHint  lang.Word = "The name travels to all your machines."
	SyncRetire      lang.Word = "Retire"
	SyncReturn      lang.Word = "Use again"
	SyncRevoke      lang.Word = "Revoke"
	SyncAside       lang.Word = "Not taken from other machines"
	CardMachines    lang.Word = "Machines"
	LinkConnect     lang.Word = "Connect"
	LinkDisconnect  lang.Word = "Disconnect"
	SyncDo          lang.Word = "Set up"
	Close           lang.Word = "Close"
)

// The words of what can be done with a session.
const (
	ActUnpin      lang.Word = "Unpin"
	SessionRename lang.Word = "Retitle"
	SessionFolder lang.Word = "Open folder"
	SessionDelete lang.Word = "Delete"
	ShowHistory   lang.Word = "History"
	ShowTurns     lang.Word = "Turns"
	RetitleTitle  lang.Word = "What this session is called"
	RetitleHint   lang.Word = "Your own title. Nothing but a newer one of yours replaces it."
	BranchShow    lang.Word = "Show this branch"
)

// The words of what agents are told.
const (
	CardTalks     lang.Word = "Conversations"
	CardProxy     lang.Word = "Proxy"
	CardSent      lang.Word = "What an agent is told"
	SentPrompt    lang.Word = "A prompt; empty for the begin of a session"
	SentNoProject lang.Word = "No project is known yet: the first captured session brings its own along."
	CoreSent      lang.Word = "As sent"
	CoreNew       lang.Word = "new"
	CoreGone      lang.Word = "Gone since yesterday"
)

// The words of the settings.
const (
	SettingsFind  lang.Word = "Search settings"
	SettingsFound lang.Word = "Found"
	SettingsNone  lang.Word = "No setting has these words."
	SettingReset  lang.Word = "Use default"
	SettingOn     lang.Word = "On"
	SettingByHand lang.Word = "Set in the file"
	SettingAdd    lang.Word = "Add"
	SettingUndo   lang.Word = "Undo"
	SettingsStale lang.Word = "The file says something else than what runs. It holds from the next start."
	RestartNow    lang.Word = "Restart now"
	Restarting    lang.Word = "Restarting …"
)
