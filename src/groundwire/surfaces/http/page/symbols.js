// Search over symbols: asked a moment after the last key, the answer shown with how far it is proven.

import { problemOf, request } from "./access.js";
import { byId, el, say } from "./dom.js";
import { baseName, plural } from "./format.js";

const PAUSE_MS = 220;
const MOST_WORKSPACES = 4;

let asking = null;
let timer = 0;

async function ask(workspace, query, signal) {
  const words = new URLSearchParams({ workspace: workspace.root, q: query });
  const response = await request(`symbols?${words}`, { signal });
  if (!response.ok) throw new Error(await problemOf(response));
  return { workspace, answer: await response.json() };
}

/** What was copied last says so until something else is: nobody has to be quick to read it. */
const copy = async (event, place) => {
  const note = event.currentTarget.querySelector(".copied");
  for (const each of byId("matches").querySelectorAll(".copied")) say(each, "");
  try {
    await navigator.clipboard.writeText(place);
    say(note, "copied");
  } catch {
    say(note, "could not be copied"); // a page that is not at localhost nor on https may not
  }
};

function match(symbol, workspace) {
  const place = [symbol.file, symbol.line, symbol.line && symbol.column].filter(Boolean).join(":");
  const kind = el("span", { class: "kind" }, symbol.kind);
  const name = el("span", { class: "match-name" }, el("b", {}, symbol.path || symbol.name), kind);
  const where = el("span", { class: "match-place" }, workspace ? `${baseName(workspace.root)} · ` : "", place);
  const text = symbol.text ? el("code", { class: "source" }, symbol.text.trim()) : null;
  const attributes = { type: "button", class: "match", title: "Copy the place", click: (event) => copy(event, place) };
  return el("li", {}, el("button", attributes, name, where, text, el("span", { class: "copied", role: "status" })));
}

/** "None" is said only when that is proven. */
function noteOf(answers, found) {
  const unproven = answers.filter(({ answer }) => answer.status !== "confirmed");
  const doubts = unproven.map(({ answer }) => answer.reason || answer.status);
  const total = answers.reduce((sum, { answer }) => sum + (answer.total ?? 0), 0);
  const number = total > found ? `${found} of ${plural(total, "symbol")}` : plural(found, "symbol");
  if (!doubts.length) return found ? number : "No symbol has that name.";
  const doubt = [...new Set(doubts)].join("; ");
  return found ? `${number}; there may be more: ${doubt}` : `Not known: ${doubt}`;
}

async function search(model, query) {
  asking?.abort();
  const mine = new AbortController();
  asking = mine;
  const note = byId("symbols-note");
  const asked = model.shown.filter((each) => each.isRunning).slice(0, MOST_WORKSPACES);
  if (!asked.length) return say(note, "No daemon runs that could be asked.");
  say(note, "Searching …");
  const settled = await Promise.allSettled(asked.map((workspace) => ask(workspace, query, mine.signal)));
  if (mine.signal.aborted) return undefined;
  const answers = settled.filter((each) => each.status === "fulfilled").map((each) => each.value);
  const rows = answers.flatMap(({ workspace, answer }) =>
    (answer.symbols ?? []).map((symbol) => match(symbol, asked.length > 1 ? workspace : null)),
  );
  const failed = settled.find((each) => each.status === "rejected");
  byId("matches").replaceChildren(...rows);
  if (!failed) return say(note, noteOf(answers, rows.length));
  const why = failed.reason.name === "TypeError" ? "The service could not be reached." : failed.reason.message;
  return say(note, rows.length ? `${plural(rows.length, "symbol")}; not all could be asked: ${why}` : why);
}

export function clearSearch() {
  clearTimeout(timer);
  byId("query").value = "";
  asking?.abort();
  byId("matches").replaceChildren();
  say(byId("symbols-note"), "");
}

/** From the field through what was found, and back. */
function step(event) {
  const stops = [byId("query"), ...byId("matches").querySelectorAll("button")];
  const at = stops.indexOf(document.activeElement);
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (at < 0 || !by || !stops[at + by]) return;
  event.preventDefault();
  stops[at + by].focus();
}

const isTyping = (node) => node.matches?.("input, textarea, select, [contenteditable]");

export function watchSearch(model) {
  const field = byId("query");
  field.addEventListener("input", () => {
    const query = field.value.trim();
    if (!query) return clearSearch();
    clearTimeout(timer);
    timer = setTimeout(() => search(model, query), PAUSE_MS);
    return undefined;
  });
  field.closest("section").addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      clearSearch();
      field.focus();
    } else step(event);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (byId("main").hidden) return;
    event.preventDefault();
    field.focus();
  });
}
