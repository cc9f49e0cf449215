// Small shapes that say the same as the word beside them and its colour.

import { svg } from "./dom.js";

const RING = "M8 2.8a5.2 5.2 0 1 0 0 10.4a5.2 5.2 0 1 0 0-10.4Z";
const SHAPES = new Map([
  ["active", ["M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12Z", "full"]],
  ["idle", [RING, "line"]],
  ["starting", ["M8 2a6 6 0 0 1 6 6", "line turning"]],
  ["broken", ["M8 1.2 15 14.2H1Z M7.2 5.6v4.6h1.6V5.6Z M7.2 11.2v1.6h1.6v-1.6Z", "full"]],
  ["disabled", ["M3 8h10", "line"]],
  ["unavailable", ["M4 4l8 8M12 4l-8 8", "line"]],
  ["error", ["M8 1.6 14.4 8 8 14.4 1.6 8Z", "full"]],
  ["warning", ["M8 2 15 14.4H1Z", "full"]],
  ["information", ["M3 3h10v10H3Z", "line"]],
  ["hint", [RING, "line"]],
  ["good", ["M3 8.4 6.6 12 13 4.4", "line"]],
  ["partial", ["M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12Z M8 3.6a4.4 4.4 0 0 1 0 8.8Z", "full"]],
]);

/** The shape of a state, of a severity or of how a call ended; a ring for what is not known here. */
export function glyph(name) {
  const [path, kind] = SHAPES.get(name) ?? [RING, "line"];
  const drawn = svg("path", { d: path, "fill-rule": "evenodd" });
  return svg("svg", { class: `glyph ${kind}`, viewBox: "0 0 16 16", "aria-hidden": "true" }, drawn);
}
