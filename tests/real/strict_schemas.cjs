// What Ajv in its strict mode, by JSON Schema 2020-12, has against the schemas of tools.
//
// On standard input: {modules, tools: [{name, inputSchema, outputSchema?}]}; on standard output: a list of complaints.
const { createRequire } = require("node:module");
const { readFileSync } = require("node:fs");
const path = require("node:path");

const job = JSON.parse(readFileSync(0, "utf8"));
const Ajv = createRequire(path.join(job.modules, "any.js"))("ajv/dist/2020").default;

let said = [];
const note = (text) => said.push(text);
// What is required in a branch is declared outside of it, where this one check of the strict mode does not look.
const options = { strict: true, strictRequired: false, allowUnionTypes: true, logger: { log: note, warn: note, error: note } };
const ajv = new Ajv(options);

function complaint(schema) {
  said = [];
  try {
    ajv.compile(schema);
  } catch (error) {
    said.push(error.message);
  }
  return said;
}

// The same schema stands in the lists of several profiles: what there is against it is found once.
const known = new Map();
function complaintOnce(schema) {
  const text = JSON.stringify(schema);
  if (!known.has(text)) known.set(text, complaint(schema));
  return known.get(text);
}

const complaints = [];
for (const tool of job.tools) {
  for (const part of ["inputSchema", "outputSchema"]) {
    if (tool[part]) complaints.push(...complaintOnce(tool[part]).map((text) => `${tool.name} ${part}: ${text}`));
  }
}
process.stdout.write(JSON.stringify(complaints));
