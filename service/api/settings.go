package api

import "net/url"

// The paths of the settings in config.toml.
const (
	PathSettings   = "/v1/settings"     // all of them
	PathSettingSet = "/v1/settings/set" // POST ?name=&value= or ?name=&reset=true, &try=true: change one in the file
)

// Settings are those of config.toml. What runs took them up when it started.
type Settings struct {
	File     string    `json:"file"`
	Settings []Setting `json:"settings"` // in the order of the file
	// Restart says that the file says something else than what runs took up.
	Restart bool `json:"restart"`
}

// Setting is one setting.
type Setting struct {
	Name    string `json:"name"` // such as sleep.deep_at
	Section string `json:"section"`
	Help    string `json:"help"` // settings that stand together share it
	// Kind is text, yes, number, duration (such as 30m), time (such as 03:00), list (an element a line) or table (an object of JSON with an
	// entry for each name; empty where there is none).
	Kind    string   `json:"kind"`
	Choices []string `json:"choices,omitempty"` // the values that it may have; none where others are right too
	Value   string   `json:"value"`             // in the file
	Default string   `json:"default"`
	// Columns are the values of each entry of a table: one without a key where an entry is a text or a list, else those of its object.
	Columns []SettingColumn `json:"columns,omitempty"`
}

// SettingColumn is one value of a table's entries.
type SettingColumn struct {
	Key  string `json:"key"`
	Kind string `json:"kind"` // text, number or list
}

// The kinds of a Setting.
const (
	SettingText   = "text"
	SettingYes    = "yes"
	SettingNumber = "number"
	SettingLength = "duration"
	SettingClock  = "time"
	SettingList   = "list"
	SettingTable  = "table"
)

// SettingChange is a change of one setting. Reset gives it its default. Try has the change be looked at and not made.
type SettingChange struct {
	Name, Value string
	Reset       bool
	Try         bool
}

// Values are the change's parameters in a request. An empty value is one, too.
func (c SettingChange) Values() url.Values {
	v := url.Values{"name": {c.Name}}
	if c.Reset {
		v.Set("reset", "true")
	} else {
		v.Set("value", c.Value)
	}
	if c.Try {
		v.Set("try", "true")
	}
	return v
}
