// Dormouse: tells that a session began, was asked, ran a tool, is about to be compacted or rests. It waits for nothing, shows nothing,
// changes nothing, and does nothing where Dormouse is gone. "dormouse agents disconnect opencode" removes it.
import { spawn } from "node:child_process"

const hook = "DORMOUSE_HOOK"

export const Dormouse = async ({ directory } = {}) => {
  const parents = new Map() // session of a sub-agent -> the one that started it

  const tell = (event, session, more) => {
    try {
      if (!session) return
      let root = session
      for (let steps = 0; parents.has(root) && steps < 16; steps++) root = parents.get(root)
      const told = { session_id: root, cwd: directory, ...more }
      if (root !== session) told.agent_id = session
      const child = spawn(hook, [event, "--agent", "opencode"], { detached: true, windowsHide: true, stdio: ["pipe", "ignore", "ignore"] })
      child.on("error", () => {})
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify(told))
      child.unref()
    } catch {}
  }

  const said = (parts) => {
    const texts = Array.isArray(parts) ? parts.filter((p) => p?.type === "text" && !p.synthetic).map((p) => p.text) : []
    return texts.join("\n\n").slice(0, 4096)
  }

  return {
    event: async (input) => {
      const about = input?.event?.properties
      switch (input?.event?.type) {
        case "session.created":
          if (about?.info?.parentID) parents.set(about.info.id, about.info.parentID)
          else tell("SessionStart", about?.info?.id)
          break
        case "session.idle":
          tell(parents.has(about?.sessionID) ? "SubagentStop" : "Stop", about?.sessionID)
      }
    },
    "chat.message": async (input, output) => {
      if (!parents.has(input?.sessionID)) tell("UserPromptSubmit", input?.sessionID, { prompt: said(output?.parts) })
    },
    "tool.execute.after": async (input) => tell("PostToolUse", input?.sessionID, { tool_name: input?.tool }),
    "experimental.session.compacting": async (input) => tell("PreCompact", input?.sessionID),
  }
}
