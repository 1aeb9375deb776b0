package main

// agentImage is a transcript in which somebody shows an image: where it lies in the person's home folder, and in the place of IMAGE the
// image's base64. Statements of a database are one to a line. What is imported may lie anywhere.
type agentImage struct {
	name, agent, path, text string
	imported                bool
}

// agentImages are the smallest transcripts with an image, in every form that each agent has.
var agentImages = []agentImage{
	{name: "Claude Code, pasted", agent: "claude-code", path: ".claude/projects/-w/11111111-2222-3333-4444-555555555555.jsonl",
		text: `{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"11111111-2222-3333-4444-555555555555","timestamp":"2026-01-01T00:00:00Z","cwd":"/w","message":{"role":"user","content":[{"type":"text","text":"look"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"IMAGE"}}]}}
{"type":"assistant","uuid":"u2","parentUuid":"u1","sessionId":"11111111-2222-3333-4444-555555555555","timestamp":"2026-01-01T00:00:01Z","cwd":"/w","message":{"id":"m","role":"assistant","model":"x","content":[{"type":"text","text":"seen"}]}}
`},
	{name: "Claude Code, read by a tool", agent: "claude-code", path: ".claude/projects/-w/21111111-2222-3333-4444-555555555555.jsonl",
		text: `{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"21111111-2222-3333-4444-555555555555","timestamp":"2026-01-01T00:00:00Z","cwd":"/w","message":{"role":"user","content":"look"}}
{"type":"assistant","uuid":"u2","parentUuid":"u1","sessionId":"21111111-2222-3333-4444-555555555555","timestamp":"2026-01-01T00:00:01Z","cwd":"/w","message":{"id":"m","role":"assistant","model":"x","content":[{"type":"tool_use","id":"t","name":"Read","input":{"file_path":"/w/a.png"}}]}}
{"type":"user","uuid":"u3","parentUuid":"u2","sessionId":"21111111-2222-3333-4444-555555555555","timestamp":"2026-01-01T00:00:02Z","cwd":"/w","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"IMAGE"}}]}]},"toolUseResult":{"type":"image","file":{"base64":"IMAGE","type":"image/png"}}}
`},
	{name: "Codex, pasted", agent: "codex", path: ".codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-31111111-2222-3333-4444-555555555555.jsonl",
		text: `{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"31111111-2222-3333-4444-555555555555","timestamp":"2026-01-01T00:00:00Z","cwd":"/w"}}
{"timestamp":"2026-01-01T00:00:01Z","type":"turn_context","payload":{"turn_id":"1","cwd":"/w","model":"gpt"}}
{"timestamp":"2026-01-01T00:00:02Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"look"},{"type":"input_image","image_url":"data:image/png;base64,IMAGE"}]}}
{"timestamp":"2026-01-01T00:00:02Z","type":"event_msg","payload":{"type":"user_message","message":"look","images":["data:image/png;base64,IMAGE"]}}
`},
	{name: "Codex, made", agent: "codex", path: ".codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-41111111-2222-3333-4444-555555555555.jsonl",
		text: `{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"41111111-2222-3333-4444-555555555555","timestamp":"2026-01-01T00:00:00Z","cwd":"/w"}}
{"timestamp":"2026-01-01T00:00:02Z","type":"event_msg","payload":{"type":"user_message","message":"draw"}}
{"timestamp":"2026-01-01T00:00:03Z","type":"response_item","payload":{"type":"image_generation_call","id":"g","status":"completed","result":"IMAGE"}}
`},
	{name: "Gemini CLI", agent: "gemini-cli", path: ".gemini/tmp/slug/chats/session-1.jsonl",
		text: `{"sessionId":"g1","startTime":"2026-01-01T00:00:00Z","lastUpdated":"2026-01-01T00:00:00Z","kind":"main"}
{"id":"1","timestamp":"2026-01-01T00:00:00Z","type":"user","content":[{"text":"look"},{"inlineData":{"mimeType":"image/png","data":"IMAGE"}}]}
{"id":"2","timestamp":"2026-01-01T00:00:01Z","type":"gemini","content":"seen"}
`},
	{name: "Gemini CLI, a document", agent: "gemini-cli", path: ".gemini/tmp/slug/chats/session-2.json",
		text: `{"sessionId":"g2","startTime":"2026-01-01T00:00:00Z","lastUpdated":"2026-01-01T00:00:00Z","messages":[
{"id":"1","timestamp":"2026-01-01T00:00:00Z","type":"user","content":[{"text":"look"},{"inlineData":{"mimeType":"image/png","data":"IMAGE"}}]},
{"id":"2","timestamp":"2026-01-01T00:00:01Z","type":"gemini","content":"seen"}]}
`},
	{name: "Copilot CLI", agent: "copilot-cli", path: ".copilot/session-state/51111111-2222-3333-4444-555555555555/events.jsonl",
		text: `{"type":"session.start","data":{"sessionId":"51111111-2222-3333-4444-555555555555","version":1,"startTime":"2026-01-01T00:00:00Z","context":{"cwd":"/w"}},"id":"a","timestamp":"2026-01-01T00:00:00Z","parentId":null}
{"type":"user.message","data":{"content":"look","transformedContent":"look","attachments":[{"type":"blob","mimeType":"image/png","data":"IMAGE"}]},"id":"b","timestamp":"2026-01-01T00:00:01Z","parentId":"a"}
{"type":"assistant.message","data":{"messageId":"m","content":"seen"},"id":"c","timestamp":"2026-01-01T00:00:02Z","parentId":"b"}
`},
	{name: "Qwen Code", agent: "qwen", path: ".qwen/projects/-w/chats/61111111-2222-3333-4444-555555555555.jsonl",
		text: `{"uuid":"1","parentUuid":null,"sessionId":"61111111-2222-3333-4444-555555555555","timestamp":"2026-01-01T00:00:00Z","type":"user","cwd":"/w","message":{"role":"user","parts":[{"text":"look"},{"inlineData":{"mimeType":"image/png","data":"IMAGE"}}]}}
{"uuid":"2","parentUuid":"1","sessionId":"61111111-2222-3333-4444-555555555555","timestamp":"2026-01-01T00:00:01Z","type":"assistant","cwd":"/w","model":"m","message":{"role":"model","parts":[{"text":"seen"}]}}
`},
	{name: "pi", agent: "pi", path: ".pi/agent/sessions/--w--/2026-01-01_s.jsonl", text: piImage},
	{name: "omp", agent: "omp", path: ".omp/agent/sessions/--w--/2026-01-01_s.jsonl", text: piImage},
	{name: "Cline", agent: "cline", path: ".cline/data/sessions/1784094124598_x/1784094124598_x.messages.json",
		text: `{"version":1,"updated_at":"2026-01-01T00:00:00Z","sessionId":"1784094124598_x","messages":[
{"id":"a","role":"user","content":[{"type":"text","text":"look"},{"type":"image","data":"IMAGE","mediaType":"image/png"}],"ts":1767225600000},
{"id":"b","role":"assistant","content":[{"type":"text","text":"seen"}],"ts":1767225601000}]}
`},
	{name: "Roo Code", agent: "roo", path: ".config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/1767225700001/api_conversation_history.json", text: taskImage},
	{name: "Kilo Code", agent: "kilo", path: ".config/Code/User/globalStorage/kilocode.kilo-code/tasks/1767225700002/api_conversation_history.json", text: taskImage},
	{name: "Amp", agent: "amp", path: ".local/share/amp/threads/T-1.json",
		text: `{"id":"T-1","created":1767225600000,"messages":[{"role":"user","messageId":0,"content":[{"type":"text","text":"look"},{"type":"image","source":{"type":"base64","data":"IMAGE","mediaType":"image/png"}}],"meta":{"sentAt":1767225600000}},
{"role":"assistant","messageId":1,"content":[{"type":"text","text":"seen"}],"state":{"type":"complete","stopReason":"end_turn"}}]}
`},
	{name: "opencode, a database", agent: "opencode", path: ".local/share/opencode/opencode.db",
		text: `CREATE TABLE session (id text PRIMARY KEY, project_id text, parent_id text, directory text, title text, revert text, time_created integer, time_updated integer)
CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text)
CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, time_created integer, time_updated integer, data text)
INSERT INTO session VALUES ('ses_a', 'p', NULL, '/w', 'T', NULL, 1000000, 9000000)
INSERT INTO message VALUES ('msg_1', 'ses_a', 1000000, 1000000, '{"role":"user","time":{"created":1000000}}')
INSERT INTO part VALUES ('prt_1', 'msg_1', 'ses_a', 5, 5, '{"type":"text","text":"look"}')
INSERT INTO part VALUES ('prt_2', 'msg_1', 'ses_a', 5, 5, '{"type":"file","mime":"image/png","url":"data:image/png;base64,IMAGE"}')
`},
	{name: "opencode, the second form of it", agent: "opencode", path: ".local/share/opencode/opencode-next.db",
		text: `CREATE TABLE session_v2 (id text primary key, parent_id text, directory text, title text, fork_session_id text, fork_boundary text, time_created integer, time_updated integer)
CREATE TABLE session_message (id text primary key, session_id text, type text, seq integer, time_created integer, time_updated integer, data text)
INSERT INTO session_v2 VALUES ('s1', NULL, '/w', 'T', NULL, NULL, 1000, 9000)
INSERT INTO session_message VALUES ('m1', 's1', 'user', 1, 1000, 1, '{"text":"look","files":[{"mime":"image/png","url":"data:image/png;base64,IMAGE"}]}')
`},
	{name: "opencode, an export", agent: "opencode", path: "export.json", imported: true,
		text: `{"info":{"id":"ses_x","directory":"/w","title":"T","time":{"created":1000000,"updated":9000000}},"messages":[
{"info":{"id":"msg_x","sessionID":"ses_x","role":"user","time":{"created":1000000}},"parts":[{"id":"p1","type":"text","text":"look"},{"id":"p2","type":"file","mime":"image/png","url":"data:image/png;base64,IMAGE"}]}]}
`},
	{name: "Goose, a database", agent: "goose", path: ".local/share/goose/sessions/sessions.db",
		text: `CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT, description TEXT, user_set_name BOOLEAN, working_dir TEXT, created_at TIMESTAMP, updated_at TIMESTAMP, model_config_json TEXT, parent_session_id TEXT)
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT, session_id TEXT, role TEXT, content_json TEXT, created_timestamp INTEGER, metadata_json TEXT)
INSERT INTO sessions VALUES ('20260101_1', 'T', '', 0, '/w', '2026-01-01 00:00:00', '2026-01-01 00:00:00', NULL, NULL)
INSERT INTO messages VALUES (NULL, 'm1', '20260101_1', 'user', '[{"type":"text","text":"look"},{"type":"image","data":"IMAGE","mimeType":"image/png"}]', 1767225600, NULL)
`},
	{name: "Goose, lines", agent: "goose", path: ".local/share/goose/sessions/20250724_9.jsonl",
		text: `{"description":"T","id":"20250724_9","created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z","working_dir":"/w","message_count":1}
{"id":"msg1","role":"user","created":1767225600,"content":[{"type":"text","text":"look"},{"type":"image","data":"IMAGE","mimeType":"image/png"}]}
`},
	{name: "Cursor, the editor", agent: "cursor", path: ".config/Cursor/User/globalStorage/state.vscdb",
		text: `CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)
INSERT INTO cursorDiskKV VALUES ('composerData:A', CAST('{"composerId":"A","createdAt":1760000000000,"lastUpdatedAt":1760000100000,"fullConversationHeadersOnly":[{"bubbleId":"a1","type":1}]}' AS BLOB))
INSERT INTO cursorDiskKV VALUES ('bubbleId:A:a1', CAST('{"type":1,"text":"look","createdAt":"2025-10-09T08:53:20Z","images":[{"path":"/w/x.png","data":"IMAGE"}]}' AS BLOB))
`},
	{name: "Cursor, transcripts", agent: "cursor", path: ".cursor/projects/w/agent-transcripts/71111111-2222-3333-4444-555555555555.jsonl",
		text: `{"role":"user","message":{"content":[{"type":"text","text":"look"},{"type":"image","source":{"media_type":"image/png","data":"IMAGE"}}]}}
{"role":"assistant","message":{"content":[{"type":"text","text":"seen"}]}}
`},
	{name: "Cursor, the command line", agent: "cursor", path: ".cursor/chats/h/81111111-2222-3333-4444-555555555555/store.db", text: chatImage},
	{name: "OpenProgram", agent: "openprogram", path: ".openprogram/sessions/local_1/history/0001-u-u1.json",
		text: `{"id":"u1","created_at":1767225600,"seq":1,"role":"user","name":"","input":null,"output":[{"type":"text","text":"look"},{"type":"image","source":{"media_type":"image/png","data":"IMAGE"}}],"caller":"","predecessor":null,"reads":[],"metadata":{}}`},
	{name: "Claude.ai, an export", agent: "claude-ai", path: "conversations.json", imported: true,
		text: `[{"uuid":"91111111-2222-3333-4444-555555555555","name":"T","created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z","account":{"uuid":"x"},"chat_messages":[
{"uuid":"m1","text":"look","sender":"human","created_at":"2026-01-01T00:00:00Z","content":[{"type":"text","text":"look"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"IMAGE"}}]}]}]
`},
}

const (
	piImage = `{"type":"session","version":3,"id":"S","timestamp":"2026-01-01T00:00:00Z","cwd":"/w"}
{"type":"message","id":"a","parentId":null,"timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","timestamp":1767225600000,"content":[{"type":"text","text":"look"},{"type":"image","data":"IMAGE","mimeType":"image/png"}]}}
{"type":"message","id":"b","parentId":"a","timestamp":"2026-01-01T00:00:01Z","message":{"role":"assistant","timestamp":1767225601000,"content":[{"type":"text","text":"seen"}]}}
`
	taskImage = `[{"role":"user","content":[{"type":"text","text":"<task>\nlook\n</task>"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"IMAGE"}}],"ts":1767225600000},
{"role":"assistant","content":[{"type":"text","text":"seen"}],"ts":1767225601000}]
`
	chatImage = `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)
CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB)
BLOB {"role":"user","content":[{"type":"text","text":"look"},{"type":"image","data":"IMAGE","mediaType":"image/png"}]}
`
)
