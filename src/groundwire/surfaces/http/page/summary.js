// The figures on top.

import { byId, el, keep, say } from "./dom.js";
import { count, isRunning, megabytes, milliseconds, percentile, plural, span } from "./format.js";

const STATES = ["broken", "starting", "active", "idle", "unavailable", "disabled"];

function servers({ servers: all }) {
  const told = STATES.map((state) => [all.filter((each) => each.state === state).length, state]).filter(([n]) => n);
  return { name: "Servers", value: count(all.length), text: told.map(([n, state]) => `${n} ${state}`).join(", ") };
}

function findings({ files, servers: able }) {
  const all = files.flatMap((file) => file.findings);
  if (!all.length && !able.some(isRunning)) return { name: "Errors", value: "–", text: "not known: no server runs" };
  const of = (severity) => all.filter((finding) => finding.severity === severity).length;
  const rest = [plural(of("warning"), "warning")];
  const others = all.length - of("error") - of("warning");
  if (others) rest.push(plural(others, "other"));
  if (files.some((file) => file.is_current === false)) rest.push("some in doubt");
  const errors = of("error");
  return { name: errors === 1 ? "Error" : "Errors", value: count(errors), text: rest.join(", "), isBad: errors > 0 };
}

function calls(model) {
  const inMinute = model.callsInLastMinute;
  const failed = model.calls.filter((call) => call.outcome === "error").length;
  const text = failed ? `${plural(failed, "error")} lately` : "in the last minute";
  return { name: "Calls a minute", value: count(inMinute), text };
}

function latency({ calls: all }) {
  const sorted = all.map((call) => call.elapsed_ms).sort((one, other) => one - other);
  const text = sorted.length ? `95 % within ${milliseconds(percentile(sorted, 0.95))}` : "no calls yet";
  return { name: "Median latency", value: milliseconds(percentile(sorted, 0.5)), text };
}

function front({ front: told }) {
  const parts = [];
  if (told && Number.isFinite(told.sessions)) parts.push(plural(told.sessions, "session"));
  if (told && Number.isFinite(told.memory_mb)) parts.push(megabytes(told.memory_mb));
  return { name: "Service up", value: told ? span(told.uptime_s ?? 0) : "–", text: parts.join(", ") };
}

function figure() {
  const name = el("dt");
  const value = el("span", { class: "value" });
  const text = el("span", { class: "detail" });
  const node = el("div", { class: "figure" }, name, el("dd", {}, value, text));
  const update = (item) => {
    say(name, item.name);
    say(value, item.value);
    say(text, item.text);
    value.classList.toggle("bad", Boolean(item.isBad));
  };
  return { node, update };
}

export function renderSummary(model) {
  const figures = [servers, findings, calls, latency, front].map((of, place) => ({ ...of(model), place }));
  keep(byId("summary"), figures, (item) => item.place, figure);
}
