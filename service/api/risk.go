package api

// AtRisk is what an agent's own clean-up is about to delete before it was captured.
type AtRisk struct {
	KeptDays int   `json:"kept_days"` // how long the agent keeps a transcript after its last change; 0 = it deletes none by itself
	Files    int   `json:"files"`     // transcripts that are not captured and will be deleted within seven days
	Bytes    int64 `json:"bytes"`     // of them that are not captured
	Next     int64 `json:"next"`      // when the first of all that are not captured may be deleted; 0 where there is none
}
