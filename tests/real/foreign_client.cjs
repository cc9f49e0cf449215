// A client of MCP that is not ours, from the TypeScript SDK: lists every tool of one server and makes the calls it is given.
//
// On standard input: {modules, server: {command, args, cwd, env}, calls: [{name, arguments}]}
// On standard output: {server, tools, results: [{name, isError, text, structured}]}
// The SDK checks every message against its own schemas, and structured content against the output schema of its tool.
const { createRequire } = require("node:module");
const { readFileSync } = require("node:fs");
const path = require("node:path");

const job = JSON.parse(readFileSync(0, "utf8"));
const load = createRequire(path.join(job.modules, "any.js"));
const { Client } = load("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = load("@modelcontextprotocol/sdk/client/stdio.js");

async function allTools(client) {
  const tools = [];
  let cursor;
  do {
    const page = await client.listTools({ cursor });
    tools.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor);
  return tools;
}

async function main() {
  const client = new Client({ name: "foreign", version: "1" });
  await client.connect(new StdioClientTransport(job.server));
  const tools = await allTools(client);
  const results = [];
  for (const { name, arguments: given } of job.calls) {
    const { isError = false, content, structuredContent } = await client.callTool({ name, arguments: given });
    const text = content.map((item) => item.text).join("\n");
    results.push({ name, isError, text, structured: structuredContent ?? null });
  }
  const server = client.getServerVersion();
  await client.close();
  process.stdout.write(JSON.stringify({ server, tools, results }));
}

main().catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
