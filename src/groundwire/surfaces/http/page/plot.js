// How long the latest calls took: a dot each, time to the right, the logarithm of the latency upwards.

import { el, mark, say, svg } from "./dom.js";
import { milliseconds, percentile, plural } from "./format.js";

const HEIGHT = 132;
const LEFT = 50;
const BOTTOM = 18;
const TOP = 8;
const RIGHT = 8;
const GRID_MS = [1, 10, 100, 1000, 10000];
const SPANS_S = [60, 120, 300, 600, 1200, 3600, 10800, 43200, 86400];

const isGood = (call) => call.outcome === "confirmed";
const isBad = (call) => call.outcome === "error";

function scaleOf(calls, now, width) {
  const slowest = Math.max(100, ...calls.map((call) => call.elapsed_ms));
  const high = Math.log10(slowest * 1.3);
  const low = Math.log10(0.5);
  const oldest = now / 1000 - Math.min(...calls.map((call) => call.ended));
  const seconds = SPANS_S.find((each) => each >= oldest) ?? SPANS_S.at(-1);
  const y = (ms) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - (Math.log10(Math.max(0.5, ms)) - low) / (high - low));
  const x = (ended) => LEFT + (width - LEFT - RIGHT) * (1 - Math.min(1, Math.max(0, now / 1000 - ended) / seconds));
  return { x, y, seconds, slowest, right: width - RIGHT };
}

const at = (call, { x, y }, by = 0) => `M${(x(call.ended) - by).toFixed(1)} ${(y(call.elapsed_ms) - by).toFixed(1)}`;

const dots = (calls, scale) => calls.map((call) => `${at(call, scale)}h.01`).join("");

const crosses = (calls, scale) => calls.map((call) => `${at(call, scale, 3)}l6 6m0-6l-6 6`).join("");

const gridName = (ms) => (ms < 1000 ? `${ms} ms` : `${ms / 1000} s`);

function grid({ y, slowest, right }) {
  return GRID_MS.filter((ms) => ms <= slowest * 1.3).flatMap((ms) => [
    svg("path", { class: "grid", d: `M${LEFT} ${y(ms)}H${right}` }),
    svg("text", { class: "axis", x: LEFT - 6, y: y(ms) + 3.5, "text-anchor": "end" }, gridName(ms)),
  ]);
}

function spanName(seconds) {
  return seconds < 3600 ? `${seconds / 60} min ago` : `${seconds / 3600} h ago`;
}

function draw(calls, now, width) {
  const scale = scaleOf(calls, now, width);
  const others = calls.filter((call) => !isGood(call) && !isBad(call));
  return [
    ...grid(scale),
    svg("text", { class: "axis", x: LEFT, y: HEIGHT - 4 }, spanName(scale.seconds)),
    svg("text", { class: "axis", x: scale.right, y: HEIGHT - 4, "text-anchor": "end" }, "now"),
    svg("path", { class: "dots", d: dots(calls.filter(isGood), scale) }),
    svg("path", { class: "dots others", d: dots(others, scale) }),
    svg("path", { class: "dots crosses", d: crosses(calls.filter(isBad), scale) }),
  ];
}

/** The same in words, for those who do not see it and for everybody else. */
function words(calls) {
  const sorted = calls.map((call) => call.elapsed_ms).sort((one, other) => one - other);
  const slowest = calls.reduce((worst, call) => (call.elapsed_ms > worst.elapsed_ms ? call : worst));
  const share = (of) => milliseconds(percentile(sorted, of));
  const worst = `slowest ${milliseconds(slowest.elapsed_ms)} (${slowest.operation})`;
  return `${plural(calls.length, "call")}: median ${share(0.5)}, 95 % within ${share(0.95)}, ${worst}`;
}

export function renderPlot(figure, calls, now) {
  figure.hidden = !calls.length;
  if (!calls.length) return;
  if (!figure.firstChild) {
    const drawing = svg("svg", { role: "img", height: HEIGHT });
    figure.append(drawing, el("figcaption", { class: "fine" }));
  }
  const [drawing, caption] = figure.children;
  const text = words(calls);
  mark(drawing, "aria-label", `Latency of the latest calls over time. ${text}`);
  say(caption, text);
  const last = now ?? calls[0].ended * 1000;
  const width = Math.max(200, figure.clientWidth);
  mark(drawing, "viewBox", `0 0 ${width} ${HEIGHT}`);
  drawing.replaceChildren(...draw(calls, last, width));
}
