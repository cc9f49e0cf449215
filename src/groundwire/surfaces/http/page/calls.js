// Calls as they end: when, what, how, how long, for whom.

import { byId, el, empty, keep, mark, say } from "./dom.js";
import { milliseconds, time } from "./format.js";
import { glyph } from "./glyphs.js";
import { renderPlot } from "./plot.js";

const MOST_SHOWN = 60;
const HEADS = ["When", "Operation", "Outcome", "Latency", "Client"];
const GLYPHS = new Map(
  Object.entries({ confirmed: "good", partial: "partial", unknown: "hint", error: "error", cancelled: "disabled" }),
);

let held = null; // the calls that are looked at while they are held

/** Seconds are left out where there is no room for them. */
function clockTime(ms) {
  const [hours, minutes, seconds] = time(ms).split(":");
  const rest = el("span", { class: "seconds" }, `:${seconds}`);
  return el("time", { datetime: new Date(ms).toISOString() }, `${hours}:${minutes}`, rest);
}

/** The kind of an error, which is one long word, as several that can be put on two lines. */
const words = (kind) => kind.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();

function row(call) {
  const operation = el("td", { class: "operation" }, el("span", { class: "name" }, call.operation));
  if (call.effect && call.effect !== "reads") operation.append(el("span", { class: "effect" }, call.effect));
  const shape = glyph(GLYPHS.get(call.outcome) ?? "unavailable");
  const outcome = el("td", { class: "outcome" }, shape, call.error ? words(call.error) : call.outcome);
  const cells = [
    el("td", { class: "when" }, clockTime(call.ended * 1000)),
    operation,
    outcome,
    el("td", { class: "latency" }, milliseconds(call.elapsed_ms)),
    el("td", { class: "client", title: call.client }, call.client ?? ""),
  ];
  return { node: el("tr", { "data-outcome": call.outcome }, ...cells) };
}

function table() {
  const heads = HEADS.map((word) => el("th", { scope: "col", class: word.toLowerCase() }, word));
  const head = el("tr", {}, ...heads);
  const body = el("tbody");
  const caption = el("caption", { class: "unseen" }, "The latest calls, newest first");
  const node = el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Latest calls" });
  node.append(el("table", { class: "calls" }, caption, el("thead", {}, head), body));
  const update = ({ calls }) => keep(body, calls, (call) => JSON.stringify([call.workspace, call.id, call.ended]), row);
  return { node, update };
}

export function renderCalls(model) {
  const calls = held ?? model.calls;
  renderPlot(byId("latency"), calls, held ? null : model.now());
  say(byId("calls-count"), calls.length ? `latest ${Math.min(calls.length, MOST_SHOWN)}` : "");
  byId("hold").hidden = !calls.length;
  const text = "Calls of agents and hooks appear here as they end, and those of the command line while a daemon runs.";
  const nothing = () => ({ node: empty("No calls yet", text) });
  const items = calls.length ? [{ key: "table", calls: calls.slice(0, MOST_SHOWN) }] : [{ key: "nothing" }];
  keep(byId("calls"), items, (item) => item.key, (item) => (item.calls ? table() : nothing()));
}

function hold(calls) {
  held = calls;
  mark(byId("hold"), "aria-pressed", String(Boolean(held)));
  say(byId("hold"), held ? "Held" : "Hold");
}

export const letGo = () => hold(null);

/** While they are held the list stands still; what comes meanwhile is there when it is let go. */
export function watchHold(model) {
  byId("hold").addEventListener("click", () => {
    hold(held ? null : model.calls);
    renderCalls(model);
  });
}
