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
	// Why says why sessions wait for the model; empty where nothing hinders.
	Why string `json:"why"`
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
