package assets

import _ "embed"

// DistillPrompt is what a language model is told to do with the text of a session.
//
//go:embed prompts/distill.md
var DistillPrompt string

// DistillSchema is the JSON schema of its answer, in the subset that providers' strict modes take.
//
//go:embed prompts/distill.json
var DistillSchema []byte

// TagPrompt is what a language model is told that sums up what is remembered of one tag.
//
//go:embed prompts/tag.md
var TagPrompt string

// TagSchema is the JSON schema of its answer.
//
//go:embed prompts/tag.json
var TagSchema []byte
