// Clients of MCP over HTTP that are not ours, from both lines of the TypeScript SDK: one conversation each, to its end.
//
// On standard input: {modules, sdk: "1" | "2", version?, url, headers, calls: [{name, arguments}], watched: {uri, path, text}}
// On standard output: {server, version, session, tools, resources, prompts, results: [{isError, text}], updated}
// `version` pins one of those that greet with no handshake. What is `watched` is written once the client listens.
const { createRequire } = require("node:module");
const { readFileSync, writeFileSync } = require("node:fs");
const path = require("node:path");

const job = JSON.parse(readFileSync(0, "utf8"));
const load = createRequire(path.join(job.modules, "any.js"));

function library() {
  if (job.sdk === "2") {
    return load("@modelcontextprotocol/client");
  }
  const { Client } = load("@modelcontextprotocol/sdk/client/index.js");
  const { StreamableHTTPClientTransport } = load("@modelcontextprotocol/sdk/client/streamableHttp.js");
  const { ResourceUpdatedNotificationSchema } = load("@modelcontextprotocol/sdk/types.js");
  return { Client, StreamableHTTPClientTransport, updated: ResourceUpdatedNotificationSchema };
}

async function heardOf(client, updated, { uri, path: file, text }) {
  const heard = new Promise((resolve) => {
    client.setNotificationHandler(updated, (told) => resolve(told.params.uri));
  });
  const listening = job.version ? await client.listen({ resourceSubscriptions: [uri] }) : null;
  if (!listening) {
    await client.subscribeResource({ uri });
  }
  writeFileSync(file, text);
  const told = await heard;
  await (listening ? listening.close() : client.unsubscribeResource({ uri }));
  return told;
}

async function main() {
  const { Client, StreamableHTTPClientTransport, updated = "notifications/resources/updated" } = library();
  const options = job.version ? { versionNegotiation: { mode: { pin: job.version } } } : {};
  const client = new Client({ name: "foreign", version: "1" }, options);
  const transport = new StreamableHTTPClientTransport(new URL(job.url), { requestInit: { headers: job.headers } });
  await client.connect(transport);
  const { tools } = await client.listTools();
  const { resources } = await client.listResources();
  const { prompts } = await client.listPrompts();
  const answers = await Promise.all(job.calls.map((call) => client.callTool(call)));
  const results = answers.map(({ isError = false, content }) => ({
    isError,
    text: content.map((item) => item.text).join("\n"),
  }));
  const heard = await heardOf(client, updated, job.watched);
  const server = client.getServerVersion();
  const session = transport.sessionId ?? null;
  const version = transport.protocolVersion ?? null;
  await transport.terminateSession();
  await client.close();
  process.stdout.write(JSON.stringify({ server, version, session, tools, resources, prompts, results, updated: heard }));
}

main().catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
