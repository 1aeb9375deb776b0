// Dormouse: tells that a session began, was asked, ran a tool, is about to be compacted or rests, and puts what Dormouse remembers in front of
// the model where it was connected to. It shows nothing, waits a moment at most, and does nothing where Dormouse is gone.
// "dormouse agents disconnect opencode" removes it.
import { spawn } from "node:child_process"

const hook = "dormouse-hook"
const agent = "opencode"
const asks = ["SessionStart", "UserPromptSubmit"]
const patience = 200 // milliseconds; the hook ends by itself long before

// reporter starts the hook; parents has the session that started each sub-agent's.
const reporter = (directory, parents) => {
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
      const child = spawn(hook, [event, "--agent", agent], { detached: true, windowsHide: true, stdio: ["pipe", "ignore", "ignore"] })
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
        const child = spawn(hook, [event, "--inject", "--agent", agent], { windowsHide: true, stdio: ["pipe", "pipe", "ignore"] })
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

  return { tell, ask }
}

// Dormouse is the plugin as version 1 loads it.
export const Dormouse = async ({ directory } = {}) => {
  const parents = new Map() // session of a sub-agent -> the one that started it
  const source = new Map() // session -> how its context began
  const begun = new Set() // sessions that were asked for at their begin
  const { tell, ask } = reporter(directory, parents)

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

// setup is the plugin as version 2 loads it. There what is told at the start stands with the system's words of every request, the same each
// time, and nothing is told at a prompt: what a prompt holds is shown to the person.
const setup = async (ctx) => {
  const parents = new Map()
  const source = new Map()
  const mains = new Set() // sessions that no other one started
  const begun = new Map() // session -> what was told at its begin
  const busy = new Set()
  const { tell, ask } = reporter(ctx?.location?.directory, parents)

  const place = async (session) => {
    if (mains.has(session) || parents.has(session)) return
    try {
      const got = await ctx.session.get({ sessionID: session })
      const parent = (got?.data ?? got)?.parentID
      if (parent) parents.set(session, parent)
      else mains.add(session)
    } catch {}
  }

  const on = async (domain, name, use) => {
    try {
      await ctx[domain].hook(name, async (event) => {
        try {
          await use(event ?? {})
        } catch {}
      })
    } catch {} // another version has no such hook
  }

  await on("session", "prompt", async ({ sessionID, prompt }) => {
    if (!sessionID) return
    await place(sessionID)
    if (!mains.has(sessionID)) return
    busy.add(sessionID)
    if (!begun.has(sessionID)) {
      begun.set(sessionID, "")
      if (asks.includes("SessionStart")) begun.set(sessionID, await ask("SessionStart", sessionID, { source: source.get(sessionID) || "resume" }))
      else tell("SessionStart", sessionID)
    }
    tell("UserPromptSubmit", sessionID, { prompt: String(prompt?.text ?? "").slice(0, 4096) })
  })
  await on("session", "context", ({ sessionID, system }) => {
    const text = mains.has(sessionID) && begun.get(sessionID)
    if (text && Array.isArray(system)) system.push({ type: "text", text })
  })
  await on("tool", "execute.after", ({ sessionID, tool }) => tell("PostToolUse", sessionID, { tool_name: tool }))

  const stopped = (session) => {
    if (parents.has(session)) tell("SubagentStop", session)
    else if (busy.delete(session)) tell("Stop", session)
  }
  const heard = async ({ type, data, properties }) => {
    const session = (data ?? properties)?.sessionID
    switch (type) {
      case "session.execution.started":
        await place(session)
        busy.add(session)
        break
      case "session.execution.succeeded":
      case "session.execution.failed":
      case "session.execution.interrupted":
      case "session.idle":
        await place(session)
        stopped(session)
        break
      case "session.compaction.started":
        tell("PreCompact", session)
        break
      case "session.compaction.ended":
        source.set(session, "compact")
        begun.delete(session)
    }
  }
  const over = new AbortController()
  const follow = async () => {
    for await (const event of ctx.event.subscribe({ signal: over.signal })) {
      if (over.signal.aborted) return
      await heard(event ?? {}).catch(() => {})
    }
  }
  follow().catch(() => {})
  return () => over.abort()
}

export default { id: "dormouse", server: Dormouse, setup }
