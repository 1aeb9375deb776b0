package main

import (
	"fmt"
)

// largeText is how long a usual text of the large bench is, in bytes.
const largeText = 8 << 10

// The shapes of the records, as the agents write them.
const (
	claudeHead = `{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"00000001-1111-4222-8333-000000000001","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/home/dev/app","message":{"role":"user","content":["`
	claudeTail = `"]}}`

	codexHead = `{"timestamp":"2026-01-01T00:00:00.000Z","type":"session_meta","payload":{"id":"019f1111-2222-7333-8444-555555555555","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/home/dev/app"}}` + "\n" +
		`{"timestamp":"2026-01-01T00:00:01.000Z","type":"event_msg","payload":{"type":"user_message","message":"go"}}` + "\n" +
		`{"timestamp":"2026-01-01T00:00:02.000Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"`
	codexTail = `"}]}}`

	geminiHead   = `{"sessionId":"g","startTime":"2026-01-01T00:00:00.000Z","lastUpdated":"2026-01-01T00:00:00.000Z","messages":[`
	geminiOne    = `{"id":"m1","timestamp":"2026-01-01T00:00:00.000Z","type":"user","content":"go"},{"id":"m2","timestamp":"2026-01-01T00:00:01.000Z","type":"gemini","more":[],"content":["`
	geminiOneEnd = `"]}`
	geminiEnd    = `]}`

	ampHead = `{"v":1,"id":"T-1","created":1760000000000,"messages":[`

	chatgptTail  = `"]}},"parent":"r","children":[]}}}`
	claudeaiTail = `"}]}]}`

	opencodeTables = `CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text, title text, revert text, time_created integer, time_updated integer);
CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text);
CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, time_created integer, time_updated integer, data text);
CREATE INDEX message_session_idx ON message (session_id); CREATE INDEX part_message_idx ON part (message_id); CREATE INDEX part_session_idx ON part (session_id)`
	gooseTables = `CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT, working_dir TEXT, created_at TIMESTAMP, updated_at TIMESTAMP);
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT, session_id TEXT, role TEXT, content_json TEXT, created_timestamp INTEGER);
CREATE INDEX idx_messages_session ON messages (session_id);
INSERT INTO sessions VALUES ('s1', 'Large', '/home/dev/app', '2026-01-01 00:00:00', '2026-01-01 00:00:00')`
)

func claudeLine(i int) string {
	kind, message := "user", `{"role":"user","content":"`+words(i, largeText)+`"}`
	if i%2 == 1 {
		kind, message = "assistant", fmt.Sprintf(`{"id":"m%d","role":"assistant","model":"m","content":[{"type":"text","text":"%s"}]}`, i, words(i, largeText))
	}
	return fmt.Sprintf(`{"type":%q,"uuid":"u%d","parentUuid":"u%d","sessionId":"00000001-1111-4222-8333-000000000001","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/home/dev/app","message":%s}`,
		kind, i+1, i, message)
}

func geminiMessage(i int) string {
	kind := "user"
	if i%2 == 1 {
		kind = "gemini"
	}
	return fmt.Sprintf(`{"id":"m%d","timestamp":"2026-01-01T00:00:00.000Z","type":%q,"content":"%s"}`, i, kind, words(i, largeText))
}

func ampMessage(i int) string {
	role, state := "user", ""
	if i%2 == 1 {
		role, state = "assistant", `"state":{"type":"complete"},`
	}
	return fmt.Sprintf(`{"role":%q,"messageId":%d,%s"content":[{"type":"text","text":"%s"}]}`, role, i, state, words(i, largeText))
}

func clineMessage(i int) string {
	if i%2 == 1 {
		return fmt.Sprintf(`{"role":"assistant","content":[{"type":"text","text":"%s"}]}`, words(i, largeText))
	}
	return fmt.Sprintf(`{"role":"user","content":[{"type":"text","text":"<task>\n%s\n</task>"}]}`, words(i, largeText))
}

func aiderRun(i int) string {
	return fmt.Sprintf("# aider chat started at 2025-01-%02d %02d:%02d:%02d\n\n#### part %d  \n\n%s\n", 1+i/86400, i/3600%24, i/60%60, i%60, i, words(i, largeText))
}

func chatgptHead(i int) string {
	return fmt.Sprintf(`{"id":"c%d","conversation_id":"c%[1]d","title":"Large","create_time":1760000000.5,"update_time":1760000001.5,"current_node":"m","mapping":{"r":{"id":"r","message":null,"parent":null,"children":["m"]},"m":{"id":"m","message":{"id":"m","author":{"role":"user"},"create_time":1760000000.5,"content":{"content_type":"text","parts":["`, i)
}

func chatgptOne(i int) string { return chatgptHead(i) + words(i, largeText) + chatgptTail }

func claudeaiHead(i int) string {
	return fmt.Sprintf(`{"uuid":"c%d","name":"Large","created_at":"2026-01-01T00:00:00.000000Z","updated_at":"2026-01-01T00:00:00.000000Z","chat_messages":[{"uuid":"c%[1]d-m","sender":"human","created_at":"2026-01-01T00:00:00.000000Z","content":[{"type":"text","text":"`, i)
}

func claudeaiOne(i int) string { return claudeaiHead(i) + words(i, largeText) + claudeaiTail }

// opencodeRow makes sessions of forty messages of one part each.
func opencodeRow(size int) func(int, int) ([][]any, int) {
	return func(i, most int) (out [][]any, bytes int) {
		size := min(size, most)
		session, role := fmt.Sprintf("ses_%06d", i/40), "user"
		if i%2 == 1 {
			role = `assistant","finish":"stop`
		}
		if i%40 == 0 {
			out = append(out, []any{"INSERT INTO session VALUES (?, NULL, '/home/dev/app', 'Large', NULL, 1760000000000, 1760000000000)", session})
		}
		id := fmt.Sprintf("msg_%08d", i)
		return append(out,
			[]any{"INSERT INTO message VALUES (?, ?, 1760000000000, 1, ?)", id, session, `{"role":"` + role + `","time":{"created":1760000000000}}`},
			[]any{"INSERT INTO part VALUES (?, ?, ?, 1, 1, ?)", "prt" + id, id, session, `{"type":"text","text":"` + words(i, size) + `"}`}), size
	}
}

// opencodeOne makes one message of many parts.
func opencodeOne(size int) func(int, int) ([][]any, int) {
	return func(i, _ int) (out [][]any, bytes int) {
		if i == 0 {
			out = append(out, []any{"INSERT INTO session VALUES ('ses_1', NULL, '/home/dev/app', 'Large', NULL, 1760000000000, 1760000000000)"},
				[]any{`INSERT INTO message VALUES ('msg_1', 'ses_1', 1760000000000, 1, '{"role":"user","time":{"created":1760000000000}}')`})
		}
		return append(out, []any{"INSERT INTO part VALUES (?, 'msg_1', 'ses_1', 1, 1, ?)", fmt.Sprintf("prt_%08d", i), `{"type":"text","text":"` + words(i, size) + `"}`}), size
	}
}

func gooseRow(size int) func(int, int) ([][]any, int) {
	return func(i, most int) ([][]any, int) {
		size := min(size, most)
		role := "user"
		if i%2 == 1 {
			role = "assistant"
		}
		return [][]any{{"INSERT INTO messages (message_id, session_id, role, content_json, created_timestamp) VALUES (?, 's1', ?, ?, 1760000000)",
			fmt.Sprintf("m%d", i), role, `[{"type":"text","text":"` + words(i, size) + `"}]`}}, size
	}
}

// cursorRows makes conversations of a hundred bubbles.
func cursorRows(size int) func(string, int64) error {
	const table, put = "CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)", "INSERT INTO cursorDiskKV VALUES (?, ?)"
	return rows(table, func(i, most int) (out [][]any, bytes int) {
		size := min(size, most)
		id := fmt.Sprintf("c%06d", i/100)
		if i%100 == 0 {
			headers := ""
			for n := range 100 {
				headers += fmt.Sprintf(`,{"bubbleId":"b%d","type":%d}`, n, 1+n%2)
			}
			out = append(out, []any{put, "composerData:" + id, `{"composerId":"` + id + `","createdAt":1760000000000,"lastUpdatedAt":1760000000000,"fullConversationHeadersOnly":[` + headers[1:] + `]}`})
		}
		bubble := fmt.Sprintf(`{"bubbleId":"b%d","type":%d,"text":"%s"}`, i%100, 1+i%2, words(i, size))
		return append(out, []any{put, fmt.Sprintf("bubbleId:%s:b%d", id, i%100), bubble}), size
	})
}
