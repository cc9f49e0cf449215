// groundwire: tells the model what its edit broke. For opencode and Kilo; `groundwire init` puts it in place.
import { spawn } from "node:child_process"

const TIMEOUT_MS = 10_000
const MOST_TEXT = 1_000_000
const ONLY_LOOK = new Set(
  "read grep glob list ls lsp webfetch websearch codesearch todoread todowrite skill question invalid".split(" "),
)
const AGENT = /[\\/]\.?kilo/i.test(import.meta.url) ? "kilo" : "opencode"

let command = ["groundwire"]
try {
  command = $command
} catch {
  // It was copied by hand: the plain name is found on the PATH.
}

export const Groundwire = async ({ directory }) => {
  let isQuiet = false
  ask({ agent: AGENT, event: "session.start", directory })

  return {
    // The host shows what language servers find by itself as soon as any is switched on.
    config: async (settings) => {
      isQuiet = hasLanguageServers(settings?.lsp)
    },
    "tool.execute.after": async (input, output) => {
      const tool = String(input?.tool ?? "")
      if (isQuiet || ONLY_LOOK.has(tool) || tool.startsWith("groundwire") || typeof output?.output !== "string") return
      const text = await ask({
        agent: AGENT,
        event: "tool.execute.after",
        tool,
        args: input.args ?? output.metadata ?? {},
        directory,
        sessionID: input.sessionID,
      })
      if (text) output.output += `\n\n${text}`
    },
  }
}

function hasLanguageServers(lsp) {
  if (lsp === true) return true
  return !!lsp && typeof lsp === "object" && Object.values(lsp).some((server) => server && server.disabled !== true)
}

/** What the hook has to say; nothing when anything goes wrong, and never an exception. */
function ask(payload) {
  return new Promise((resolve) => {
    let child
    let said = ""
    const timer = setTimeout(() => end(""), TIMEOUT_MS)
    const end = (answer) => {
      clearTimeout(timer)
      child?.kill()
      resolve(textIn(answer))
    }
    try {
      const given = JSON.stringify(payload)
      child = spawn(command[0], [...command.slice(1), "hook", "--agent", AGENT], {
        stdio: ["pipe", "pipe", "ignore"],
        windowsHide: true,
      })
      child.on("error", () => end(""))
      child.on("close", () => end(said))
      child.stdin.on("error", () => {})
      child.stdout.on("error", () => {})
      child.stdout.setEncoding("utf8")
      child.stdout.on("data", (piece) => {
        if (said.length < MOST_TEXT) said += piece
      })
      child.stdin.end(given)
    } catch {
      end("")
    }
  })
}

function textIn(answer) {
  try {
    const { text } = JSON.parse(answer)
    return typeof text === "string" ? text : ""
  } catch {
    return ""
  }
}
