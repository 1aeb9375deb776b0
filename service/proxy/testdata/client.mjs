// A client made of a provider's own library: it asks, streaming, answers each call of a tool, and prints what it was told and called.
// Usage: node client.mjs FOLDER LIBRARY ADDRESS, where FOLDER holds the libraries as npm lays them out.
import { createRequire } from "node:module";

const [folder, name, base] = process.argv.slice(2);
const require = createRequire(folder + "/index.js");
const said = [];

async function anthropic() {
  const { Anthropic } = require("@anthropic-ai/sdk");
  const client = new Anthropic({ apiKey: "none", baseURL: base + "anthropic", maxRetries: 0 });
  const messages = [{ role: "user", content: "go" }];
  for (;;) {
    const m = await client.messages.stream({ model: "claude-x-1", max_tokens: 1000, messages, tools: [{ name: "Read", input_schema: { type: "object" } }] }).finalMessage();
    const calls = m.content.filter((b) => b.type === "tool_use");
    for (const b of m.content) said.push(b.type === "text" ? b.text : b.name);
    if (calls.length === 0) return;
    messages.push({ role: "assistant", content: m.content }, { role: "user", content: calls.map((c) => ({ type: "tool_result", tool_use_id: c.id, content: "read" })) });
  }
}

async function openai() {
  const { OpenAI } = require("openai");
  const client = new OpenAI({ apiKey: "none", baseURL: base + "openai/v1", maxRetries: 0 });
  const messages = [{ role: "user", content: "go" }];
  for (;;) {
    const c = await client.chat.completions.stream({ model: "gpt-x-1", messages, tools: [{ type: "function", function: { name: "Read" } }] }).finalChatCompletion();
    const m = c.choices[0].message;
    if (m.content) said.push(m.content);
    const calls = (m.tool_calls ?? []).map((t) => ({ id: t.id, type: "function", function: { name: t.function.name, arguments: t.function.arguments } }));
    for (const t of calls) said.push(t.function.name);
    if (calls.length === 0) return;
    messages.push({ role: "assistant", content: m.content, tool_calls: calls }, ...calls.map((t) => ({ role: "tool", tool_call_id: t.id, content: "read" })));
  }
}

async function google() {
  const { GoogleGenAI } = require("@google/genai");
  const client = new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: base + "gemini" } });
  const contents = [{ role: "user", parts: [{ text: "go" }] }];
  for (;;) {
    const parts = [];
    for await (const chunk of await client.models.generateContentStream({ model: "gemini-x-1", contents, config: { tools: [{ functionDeclarations: [{ name: "Read" }] }] } }))
      parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []).filter((p) => p.text !== ""));
    let joins = false;
    for (const p of parts) {
      if (p.text && joins) said[said.length - 1] += p.text;
      else said.push(p.text ?? p.functionCall.name);
      joins = Boolean(p.text);
    }
    const calls = parts.filter((p) => p.functionCall);
    if (calls.length === 0) return;
    contents.push({ role: "model", parts }, { role: "user", parts: calls.map((p) => ({ functionResponse: { name: p.functionCall.name, response: { output: "read" } } })) });
  }
}

await { anthropic, openai, google }[name]();
console.log(JSON.stringify(said));
