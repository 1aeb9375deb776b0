// Dormouse: tells that a session began, was asked, ran a tool, is about to be compacted or rests, and puts what Dormouse remembers in front of
// the model where it was connected to. It shows nothing, waits a moment at most, and does nothing where Dormouse is gone.
// "dormouse agents disconnect opencode" removes it.
import { spawn } from "node:child_process"

const hook = "dormouse-hook"
const asks = ["SessionStart", "UserPromptSubmit"]
const patience = 200 // milliseconds; the hook ends by itself long before

export const Dormouse = async ({ directory } = {}) => {
  const parents = new Map() // session of a sub-agent -> the one that started it
  const source = new Map() // session -> how its context began
  const begun = new Set() // sessions that were asked for at their begin

  const report = (session, more) => {
    let root = session
    for (let steps = 0; parents.has(root) && steps < 16; steps++) root = parents.get(root)
    const told = { session_id: root, cwd: directory, ...more }
    if (root !== session) told.agent_id = session
    return JSON.stringify(told)
  }

  const tell = (event, session, more) => {
    try {
      if (!session) return
      const child = spawn(hook, [event, "--agent", "opencode"], { detached: true, windowsHide: true, stdio: ["pipe", "ignore", "ignore"] })
      child.on("error", () => {})
      child.stdin.on("error", () => {})
      child.stdin.end(report(session, more))
      child.unref()
    } catch {}
  }

  // ask is tell, and what the hook answers; empty where it answers nothing.
  const ask = (event, session, more) =>
    new Promise((resolve) => {
      try {
        const child = spawn(hook, [event, "--inject", "--agent", "opencode"], { windowsHide: true, stdio: ["pipe", "pipe", "ignore"] })
        let text = ""
        const timer = setTimeout(() => {
          resolve("")
          child.kill()
        }, patience)
        child.on("error", () => resolve(""))
        child.on("close", () => {
          clearTimeout(timer)
          try {
            resolve(JSON.parse(text).additionalContext || "")
          } catch {
            resolve("")
          }
        })
        child.stdout.setEncoding("utf8")
        child.stdout.on("data", (part) => (text += part))
        child.stdin.on("error", () => {})
        child.stdin.end(report(session, more))
      } catch {
        resolve("")
      }
    })

  const said = (parts) => {
    const texts = Array.isArray(parts) ? parts.filter((p) => p?.type === "text" && !p.synthetic).map((p) => p.text) : []
    return texts.join("\n\n").slice(0, 4096)
  }

  // add puts a text behind the parts of a message, marked as not the person's.
  const add = (session, output, text) => {
    const last = output?.parts?.at?.(-1)
    if (!text || !last?.id) return
    output.parts.push({ id: last.id + "z", sessionID: session, messageID: last.messageID, type: "text", text, synthetic: true })
  }

  return {
    event: async (input) => {
      const about = input?.event?.properties
      switch (input?.event?.type) {
        case "session.created":
          if (about?.info?.parentID) parents.set(about.info.id, about.info.parentID)
          else {
            source.set(about?.info?.id, "startup")
            tell("SessionStart", about?.info?.id)
          }
          break
        case "session.compacted":
          source.set(about?.sessionID, "compact")
          begun.delete(about?.sessionID)
          break
        case "session.idle":
          tell(parents.has(about?.sessionID) ? "SubagentStop" : "Stop", about?.sessionID)
      }
    },
    "chat.message": async (input, output) => {
      const session = input?.sessionID
      if (!session || parents.has(session)) return
      const prompt = said(output?.parts)
      if (asks.includes("SessionStart") && !begun.has(session)) {
        begun.add(session)
        add(session, output, await ask("SessionStart", session, { source: source.get(session) || "resume" }))
      }
      if (asks.includes("UserPromptSubmit")) add(session, output, await ask("UserPromptSubmit", session, { prompt }))
      else tell("UserPromptSubmit", session, { prompt })
    },
    "tool.execute.after": async (input) => tell("PostToolUse", input?.sessionID, { tool_name: input?.tool }),
    "experimental.session.compacting": async (input) => tell("PreCompact", input?.sessionID),
  }
}
