package api

// LLM is what reads sessions, and what the language model took in the night that goes on.
type LLM struct {
	Extractor string `json:"extractor"` // rules or model
	Provider  string `json:"provider"`  // empty where no model is set
	Model     string `json:"model"`     // as set; empty for the provider's default
	Since     int64  `json:"since"`     // when the night began that is counted
	Calls     int    `json:"calls"`
	Tokens    int64  `json:"tokens"`     // in and out
	MaxTokens int64  `json:"max_tokens"` // 0 is no bound
	// CostMicros and MaxCostMicros are in millionths of a US dollar; a cost without a price is unknown, which Priced tells.
	CostMicros    int64 `json:"cost_micros"`
	MaxCostMicros int64 `json:"max_cost_micros"` // 0 is no bound
	Priced        bool  `json:"priced"`
	// Month is what the calendar month has taken, of what it may.
	Month Month `json:"month"`
	// Why says why sessions wait for the model; empty where nothing hinders.
	Why string `json:"why"`
}

// Month is what the language model took in the calendar month that goes on.
type Month struct {
	Calls         int   `json:"calls"`
	Tokens        int64 `json:"tokens"`
	MaxTokens     int64 `json:"max_tokens"` // 0 is no bound
	CostMicros    int64 `json:"cost_micros"`
	MaxCostMicros int64 `json:"max_cost_micros"` // 0 is no bound
}

// CostQuery asks what models took. Days are of the person's calendar, as 2026-05-31; empty bounds nothing.
type CostQuery struct {
	By    string // day, month, model, purpose or provider
	Since string // day
	Until string // day, which is included
}

// Cost is what models took.
type Cost struct {
	By    string    `json:"by"`
	Since string    `json:"since"` // the day from which on it counts; empty for all that is kept
	Until string    `json:"until"`
	Rows  []CostRow `json:"rows"`
	Total CostRow   `json:"total"`
	// Damaged counts lines of the meter that could not be read.
	Damaged int `json:"damaged"`
}

// CostRow is a sum: what the providers told, to the digit, and beside it what had to be estimated.
type CostRow struct {
	Key      string `json:"key"` // the day, month, model, purpose or provider; empty for the total
	Provider string `json:"provider,omitempty"`
	Told     Usage  `json:"told"`
	// Estimated is of calls of which the provider told nothing: the most that they can have taken.
	Estimated Usage `json:"estimated"`
}

// Usage is what calls took. The cost is in millionths of a US dollar, and 0 where no price is known.
type Usage struct {
	Calls        int   `json:"calls"`
	InputTokens  int64 `json:"input_tokens"`
	OutputTokens int64 `json:"output_tokens"`
	CostMicros   int64 `json:"cost_micros"`
}

// ModelTried is how the language model took one tiny question.
type ModelTried struct {
	Provider     string `json:"provider"`
	Model        string `json:"model"` // that answered, else that was asked for
	Milliseconds int64  `json:"milliseconds"`
	Calls        int    `json:"calls"` // that it took
	InputTokens  int64  `json:"input_tokens"`
	OutputTokens int64  `json:"output_tokens"`
	CostMicros   int64  `json:"cost_micros"`
	Priced       bool   `json:"priced"` // the cost is known
	// Failure says what went wrong, Reason in a word; both are empty where it answered.
	Failure string `json:"failure"`
	Reason  string `json:"reason"`
}
