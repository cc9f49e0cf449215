// What Ajv in its strict mode, by JSON Schema 2020-12, has against the schemas of tools.
//
// On standard input: {modules, tools: [{name, inputSchema, outputSchema?}]}; on standard output: a list of complaints.
const { createRequire } = require("node:module");
const { readFileSync } = require("node:fs");
const path = require("node:path");

const job = JSON.parse(readFileSync(0, "utf8"));
const Ajv = createRequire(path.join(job.modules, "any.js"))("ajv/dist/2020").default;

function complaint(schema) {
  const said = [];
  // What is required in a branch is declared outside of it, where this one check of the strict mode does not look.
  const logger = { log: (text) => said.push(text), warn: (text) => said.push(text), error: (text) => said.push(text) };
  try {
    new Ajv({ strict: true, strictRequired: false, allowUnionTypes: true, logger }).compile(schema);
  } catch (error) {
    said.push(error.message);
  }
  return said;
}

const complaints = [];
for (const tool of job.tools) {
  for (const part of ["inputSchema", "outputSchema"]) {
    if (tool[part]) complaints.push(...complaint(tool[part]).map((text) => `${tool.name} ${part}: ${text}`));
  }
}
process.stdout.write(JSON.stringify(complaints));
