package copilot

import (
	"strings"

	"dormouse/service/capture/chain"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// state takes an event that tells of the session and is no message.
func (p *Parser) state(s *chain.Stream, e *event) {
	switch e.typ {
	case "session.start", "session.resume":
		p.place(e.data.Get("context"))
		p.model(s, e.data.Get("selectedModel").String())
	case "session.context_changed":
		p.place(e.data)
	case "session.model_change":
		p.model(s, e.data.Get("newModel").String())
	case "session.title_changed":
		if t := e.data.Get("title").String(); t != "" {
			p.b.Facts.Title, p.b.Facts.TitleBy = strings.Clone(t), "agent"
		}
	case "session.compaction_complete":
		if ok := e.data.Get("success"); !ok.Exists() || ok.Bool() {
			s.Compact(e.At, e.data.Get("summaryContent").String(), memory.Compaction{PreTokens: e.data.Get("preCompactionTokens").Int()}, e.id, "compaction")
		}
	case "session.truncation":
		if e.data.Get("messagesRemovedDuringTruncation").Int() > 0 {
			s.Compact(e.At, "", memory.Compaction{Trigger: "auto", PreTokens: e.data.Get("preTruncationTokensInMessages").Int()}, e.id, "truncation")
		}
	case "session.snapshot_rewind":
		p.rewind(s, e)
	case "session.handoff":
		s.Client(e.At, memory.KindHarness, e.data.Get("summary").String(), e.id, "handoff")
	default:
		if !quiet[e.typ] && !strings.HasSuffix(e.typ, "_delta") && !transcript.StartsWithAny(e.typ, quietKinds) {
			p.b.Unknown(e.At, e.typ, e.size)
		}
	}
}

// quiet events repeat what others say, or are the client's own state.
var quiet = map[string]bool{"assistant.turn_start": true, "assistant.turn_end": true, "assistant.usage": true, "assistant.intent": true,
	"assistant.streaming": true, "session.shutdown": true, "session.idle": true, "session.permissions_changed": true, "session.mode_changed": true,
	"session.auto_mode_resolved": true, "session.usage_checkpoint": true, "session.usage_info": true, "session.compaction_start": true,
	"session.task_complete": true, "session.plan_changed": true, "session.workspace_file_changed": true, "session.tools_updated": true,
	"session.background_tasks_changed": true, "session.skills_loaded": true, "session.custom_agents_updated": true,
	"session.mcp_servers_loaded": true, "session.mcp_server_status_changed": true, "session.extensions_loaded": true,
	"session.remote_steerable_changed": true, "subagent.completed": true, "subagent.failed": true, "subagent.selected": true,
	"subagent.deselected": true, "tool.user_requested": true, "tool.execution_partial_result": true, "tool.execution_progress": true,
	"pending_messages.modified": true, "session.binary_asset": true, "session.memory_changed": true, "session.custom_notification": true}

// quietKinds begin the events of questions to the person and of other programs.
var quietKinds = []string{"hook.", "permission.", "user_input.", "elicitation.", "external_tool.", "command.", "exit_plan_mode.", "commands.",
	"mcp.", "sampling.", "auto_mode_switch.", "session.canvas."}

// place takes where the session is.
func (p *Parser) place(c gjson.Result) {
	s, f := p.b.Main(), &p.b.Facts
	if cwd := c.Get("cwd").String(); cwd != "" {
		s.Cwd = strings.Clone(cwd)
		if f.Cwd == "" {
			f.Cwd = s.Cwd
		}
	}
	if b := c.Get("branch").String(); b != "" {
		s.Branch = strings.Clone(b)
		f.GitBranch = s.Branch
	}
	if h := c.Get("headCommit").String(); h != "" {
		s.Commit = strings.Clone(h)
	}
	host, repo := c.Get("repositoryHost").String(), c.Get("repository").String()
	if host != "" && strings.Count(repo, "/") == 1 {
		f.RepositoryURL = "https://" + host + "/" + repo
	}
}

func (p *Parser) model(s *chain.Stream, name string) {
	if name != "" && name != "auto" {
		s.Model = strings.Clone(name)
	}
}

// rewind goes back to before an event. Most versions cut the log instead and say nothing; then what comes hangs on what was kept.
func (p *Parser) rewind(s *chain.Stream, e *event) {
	up, ok := p.before[e.data.Get("upToEventId").String()]
	e.data.Get("eventIds").ForEach(func(_, id gjson.Result) bool { // those that were taken back, the first one first
		at, known := p.before[id.String()]
		if known {
			up, ok = at, true
		}
		return !known
	})
	if !ok {
		p.b.Skip(e.At, transcript.BadShape, e.size)
		return
	}
	s.Rewind(e.At, up, e.id, "rewind")
}
