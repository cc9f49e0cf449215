// The audit trail: edits that were written, taken back or refused, and what they did to the findings.

import { byId, el, empty, keep } from "./dom.js";
import { plural, time } from "./format.js";
import { glyph } from "./glyphs.js";

const FILES_SHOWN = 4;
const GLYPHS = new Map(
  Object.entries({ applied: "good", undone: "idle", refused: "unavailable", cancelled: "disabled" }),
);

function effects({ introduced, resolved }) {
  const told = [];
  if (introduced) told.push(el("span", { class: "worse" }, `+${plural(introduced, "finding")}`));
  if (resolved) told.push(el("span", { class: "better" }, `−${plural(resolved, "finding")}`));
  return told;
}

function row(edit) {
  const when = Date.parse(edit.timestamp);
  const date = Number.isFinite(when) ? { datetime: new Date(when).toISOString() } : {};
  const files = edit.files ?? [];
  const more = Math.max(0, files.length - FILES_SHOWN) + (edit.more_files ?? 0);
  const shape = glyph(GLYPHS.get(edit.status) ?? "idle");
  const head = el(
    "p",
    { class: "edit-head" },
    el("time", date, time(when)),
    el("span", { class: "edit-status", "data-status": edit.status }, shape, edit.status),
    el("span", { class: "name" }, edit.tool),
    ...effects(edit),
  );
  const names = files.slice(0, FILES_SHOWN).map((file) => el("code", { class: "path" }, file));
  const list = el("p", { class: "edit-files" }, ...names, more ? el("span", {}, `and ${more} more`) : null);
  const problem = edit.error ? el("p", { class: "reason" }, edit.error) : null;
  const undo = edit.undo_id ? el("p", { class: "fine" }, "undo ", el("code", {}, edit.undo_id)) : null;
  return { node: el("li", { class: "edit" }, head, files.length ? list : null, problem, undo) };
}

export function renderEdits(model) {
  const edits = model.edits;
  byId("edits-count").textContent = edits.length ? `latest ${edits.length}` : "";
  const text = "What groundwire writes, takes back or refuses is listed here.";
  const nothing = () => ({ node: empty("No edits yet", text) });
  const trail = () => {
    const node = el("ul", { class: "edits" });
    const keyOf = (edit) => JSON.stringify([edit.workspace, edit.timestamp, edit.tool, edit.files]);
    return { node, update: ({ all }) => keep(node, all, keyOf, row) };
  };
  const items = [edits.length ? { key: "trail", all: edits } : { key: "nothing" }];
  keep(byId("edits"), items, (item) => item.key, (item) => (item.all ? trail() : nothing()));
}
