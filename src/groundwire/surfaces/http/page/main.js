// The page: what is told comes in, is put together with what is known, and is drawn a few times a second at most.

import { askForToken, forget, hideForm, isOpen, request, token, watchForm } from "./access.js";
import { announce, announceServers } from "./announcer.js";
import { letGo, renderCalls, watchHold } from "./calls.js";
import { byId, el, keep, mark, say } from "./dom.js";
import { renderEdits } from "./edits.js";
import { Feed } from "./feed.js";
import { renderFindings } from "./findings.js";
import { count, plural, time } from "./format.js";
import { ALL, Model } from "./model.js";
import { renderServers } from "./servers.js";
import { renderSummary } from "./summary.js";
import { clearSearch, watchSearch } from "./symbols.js";
import { renderWorkspaces } from "./workspaces.js";

const DRAWN_APART_MS = 150;
const OPEN =
  "Started without authentication: everybody on this machine can read this, and nothing can be changed from here.";
const STATUS_APART_MS = 20_000;

const model = new Model();
const dirty = new Set();
const views = {
  summary: renderSummary,
  workspaces: (known) => renderWorkspaces(known, choose),
  servers: renderServers,
  findings: renderFindings,
  calls: renderCalls,
  edits: renderEdits,
};

let drawnAt = -Infinity;
let isDue = false;
let heardAt = 0;

function draw() {
  isDue = false;
  drawnAt = performance.now();
  byId("summary").hidden = !model.isLoaded;
  if (!model.isLoaded) return drawLoading();
  for (const part of dirty) views[part](model);
  if (dirty.has("servers")) announceServers(model.servers);
  if (dirty.has("findings") || dirty.has("servers")) title();
  return dirty.clear();
}

function drawLoading() {
  for (const part of ["servers", "findings", "calls", "edits"]) {
    keep(byId(part), [part], () => "loading", () => ({ node: el("p", { class: "loading" }, "Loading …") }));
  }
  for (const part of ["summary", "workspaces", "severities"]) keep(byId(part), [], null, null);
  for (const part of ["servers-count", "findings-count", "calls-count", "edits-count"]) say(byId(part), "");
  for (const part of ["workspaces", "hold", "latency"]) byId(part).hidden = true;
  byId("latency").replaceChildren();
  document.title = "groundwire";
}

/** At once when it has been quiet; else together with what comes meanwhile. */
function drawSoon(parts) {
  for (const part of parts) dirty.add(part);
  if (isDue || !dirty.size) return;
  isDue = true;
  const wait = Math.max(0, DRAWN_APART_MS - (performance.now() - drawnAt));
  setTimeout(draw, wait); // no animation frame: the title of a tab in the background counts, too
}

function title() {
  const errors = model.files.flatMap((file) => file.findings).filter((each) => each.severity === "error").length;
  const broken = model.servers.filter((server) => server.state === "broken").length;
  const told = [broken && `${broken} broken`, errors && plural(errors, "error")].filter(Boolean).join(", ");
  document.title = told ? `${told} - groundwire` : "groundwire";
}

function choose(root) {
  model.chosen = root;
  letGo();
  byId("query").dispatchEvent(new Event("input"));
  drawSoon(ALL);
}

function connection(state, text) {
  mark(byId("connection"), "data-state", state);
  say(byId("connection-text"), text);
}

function outage(heading, text) {
  byId("outage").hidden = !heading;
  say(byId("outage-title"), heading);
  say(byId("outage-text"), text);
  byId("main").classList.toggle("stale", Boolean(heading));
}

function showPage() {
  hideForm();
  byId("main").hidden = false;
  byId("forget").hidden = isOpen;
  byId("read-only").hidden = !isOpen;
}

async function askStatus() {
  const response = await request("status").catch(() => null);
  if (!response?.ok) return;
  model.noteClock(response);
  const status = await response.json().catch(() => null);
  if (status) drawSoon(model.takeStatus(status));
  footer();
}

function footer() {
  const version = model.front?.version ? `groundwire ${model.front.version}. ` : "";
  say(byId("footer"), version + (isOpen ? OPEN : ""));
}

const feed = new Feed({
  onOpen(response) {
    model.begin();
    model.noteClock(response);
    heardAt = Date.now();
    const wasOut = !byId("outage").hidden;
    showPage();
    outage("", "");
    connection("live", "Live");
    announce(wasOut ? "Connected again" : "Connected");
    drawSoon(ALL);
    askStatus();
  },
  onEvents(events) {
    heardAt = Date.now();
    for (const event of events) drawSoon(model.take(event));
  },
  onWaiting(seconds, why) {
    if (byId("outage").hidden) announce("Disconnected, trying again");
    showPage();
    drawSoon(ALL);
    const from = heardAt ? `What is shown is from ${time(heardAt)}.` : "Nothing has been received yet.";
    connection("out", "Disconnected");
    outage(`Disconnected, retrying in ${count(seconds)} s.`, [why, from].filter(Boolean).join(" "));
  },
  onUnauthorised(why) {
    forget();
    leave(why);
  },
});

/** Back to the form; nothing of what was known stays on the page. */
function leave(problem = "") {
  feed.stop();
  outage("", "");
  byId("main").hidden = true;
  byId("forget").hidden = true;
  say(byId("footer"), "");
  clearSearch();
  letGo();
  model.clear();
  drawSoon(ALL);
  connection("locked", "Token needed");
  askForToken(problem);
}

function begin() {
  connection("loading", "Connecting");
  feed.start();
}

watchForm(begin);
watchHold(model);
watchSearch(model);
byId("retry").addEventListener("click", () => feed.retry());
byId("forget").addEventListener("click", () => {
  forget();
  leave();
});
/** Durations go on only while that is known. */
const isLive = () => !document.hidden && byId("connection").dataset.state === "live";
setInterval(() => isLive() && askStatus(), STATUS_APART_MS);
setInterval(() => isLive() && drawSoon(["servers", "summary", "calls"]), 1000);
if (isOpen || token()) begin();
else leave();
