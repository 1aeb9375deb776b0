package api

// PathImport takes POST ?path=: capture what an export holds, or a copy of an agent's store. It takes as long as that takes.
const PathImport = "/v1/import"

// Imported is what one import gave.
type Imported struct {
	Path     string `json:"path"`
	Agent    string `json:"agent"`    // that the file is from
	Found    int    `json:"found"`    // sessions that the file holds
	Sessions int    `json:"sessions"` // that got something new
	Nodes    int    `json:"nodes"`    // that are new
	// Problems say what could not be read; the rest was captured all the same.
	Problems []string `json:"problems"`
	// Skipped counts what could not be used of what was read, by reason, and names the newest places.
	Skipped []SkipReason `json:"skipped"`
}
