package proxy

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"dormouse/service/pager"
)

// The memory's tools, which models are offered and their clients never see.
const (
	toolQuery   = "memory_query"
	toolRestore = pager.RestoreTool
	toolRelease = pager.ReleaseTool
)

// Memory is asked by models what is remembered.
type Memory interface {
	// Query answers a question out of what the client's agent may be shown, and out of the conversation's own texts. What is not known
	// has no lines.
	Query(ctx context.Context, q Question) (Answer, error)
}

// Question is what a model asks the memory.
type Question struct {
	Text    string
	Client  string // as its address names it
	Session string // that the request names as its own, as the agent calls it; empty where it names none
	Within  []Text // what of the conversation the request shows in short
}

// Text is a text of a conversation.
type Text struct {
	Stub string // what stands in its place
	Text string
}

// Answer is what is remembered.
type Answer struct {
	Lines   []string // word for word, best first
	Sources []string // where they are from, in order, each once
}

// tool is one that models are offered.
type tool struct{ name, description, schema string }

// tools are what models are offered. Each byte of it stands in each request, before what the provider's cache holds: it must not change
// in the life of a conversation.
var tools = []tool{
	{toolQuery, "Ask the long-term memory of this person's work (earlier sessions, decisions, facts) and the paged-out parts of this conversation. Answers are quoted, with sources. If it knows nothing, it says so; asking again in other words rarely helps.",
		`{"type":"object","properties":{"question":{"type":"string","description":"One question, with the names that matter"}},"required":["question"]}`},
	{toolRestore, "Bring back what a short form such as [Paged out: 1a2b3c4d Read main.go (210 lines)] stands for, byte for byte.",
		`{"type":"object","properties":{"handle":{"type":"string","description":"The six or more characters after \"Paged out:\""},"about":{"type":"string","description":"Lines of which only the surroundings are needed, quoted"}},"required":["handle"]}`},
	{toolRelease, "Say that something restored is no longer needed, so that it goes back to its short form.",
		`{"type":"object","properties":{"handle":{"type":"string","description":"The handle by which it was restored"}},"required":["handle"]}`},
}

// isOurs says whether a tool is one of the memory's.
func isOurs(name string) bool {
	return slices.ContainsFunc(tools, func(t tool) bool { return t.name == name })
}

// toolsAs are the tools as a form has them in its list.
func (f form) toolsAs() []byte {
	var list [][]byte
	for _, t := range tools {
		switch f {
		case chat:
			list = append(list, fmt.Appendf(nil, `{"type":"function","function":{"name":%s,"description":%s,"parameters":%s}}`, quote(t.name), quote(t.description), t.schema))
		case responses:
			list = append(list, fmt.Appendf(nil, `{"type":"function","name":%s,"description":%s,"parameters":%s,"strict":false}`, quote(t.name), quote(t.description), t.schema))
		case generate:
			list = append(list, fmt.Appendf(nil, `{"name":%s,"description":%s,"parameters":%s}`, quote(t.name), quote(t.description), geminiSchema(t.schema)))
		default:
			list = append(list, fmt.Appendf(nil, `{"name":%s,"description":%s,"input_schema":%s}`, quote(t.name), quote(t.description), t.schema))
		}
	}
	return bytes.Join(list, []byte(","))
}

var toolBytes = map[form][]byte{messages: messages.toolsAs(), chat: chat.toolsAs(), responses: responses.toolsAs(), generate: generate.toolsAs()}

// unfit is why a request is not offered the tools.
type unfit string

// The reasons.
const (
	unfitNone    unfit = "it offers its model no tools"
	unfitName    unfit = "one of its own tools has the name of one of Dormouse's"
	unfitServer  unfit = "the provider runs some of its tools"
	unfitChoice  unfit = "it says which tool is to be called"
	unfitMany    unfit = "it asks for several answers or in the background"
	unfitJoined  unfit = "its conversation began without them"
	unfitManaged unfit = "it has a form in which they are not offered"
)

// unfitting says why a request cannot be offered the tools; "" where it can.
func (t *talk) unfitting() unfit {
	list := t.root.field("tools")
	if list.kind != '[' || len(list.kids) == 0 {
		return unfitNone
	}
	if t.form == generate {
		return t.geminiUnfit()
	}
	for _, x := range list.kids {
		name, server := t.clientTool(x)
		switch {
		case isOurs(name):
			return unfitName
		case server:
			return unfitServer
		}
	}
	for _, f := range []string{"mcp_servers", "container", "functions", "audio"} {
		if k := t.root.field(f).kind; k != 0 && k != 'n' {
			return unfitServer
		}
	}
	if n := t.root.field("n"); n.kind == '0' && string(n.raw(t.doc)) != "1" || t.root.field("background").kind == 't' {
		return unfitMany
	}
	return ""
}

// clientTool is the name of a tool that a request offers, and whether the provider runs it.
func (t *talk) clientTool(x span) (name string, server bool) {
	kind := x.field("type").text(t.doc)
	name = x.field("name").text(t.doc)
	switch t.form {
	case chat:
		return x.field("function").field("name").text(t.doc), kind != "function"
	case responses:
		// what a web search finds is in the answer, and goes into the next request like all of it
		return name, !slices.Contains([]string{"function", "custom", "local_shell", "web_search", "web_search_preview"}, kind)
	}
	for _, own := range []string{"bash_", "text_editor_", "computer_", "memory_"} { // of Anthropic, run by the client
		if strings.HasPrefix(kind, own) {
			return name, false
		}
	}
	return name, kind != "" && kind != "custom"
}

// chooses says whether a request leaves it to the model which tool is called. Only such ones begin with the tools.
func (t *talk) chooses() bool {
	if t.form == generate {
		return t.geminiChooses()
	}
	switch c := t.root.field("tool_choice"); c.kind {
	case 0, 'n':
		return true
	case '{':
		return c.field("type").text(t.doc) == "auto"
	default:
		return c.text(t.doc) == "auto"
	}
}

// offered is where the tools go into a request: after all others, so that what a provider's cache holds of those stays.
func (t *talk) offered() edit {
	if t.form == generate {
		return t.geminiOffered()
	}
	list := t.root.field("tools")
	return edit{list.end - 1, list.end - 1, append([]byte{','}, toolBytes[t.form]...)}
}
