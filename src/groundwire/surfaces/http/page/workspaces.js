// Which workspaces there are, and which of them is looked at; shown where there is more than one.

import { byId, el, keep, mark, say } from "./dom.js";
import { baseName } from "./format.js";

function chip(onChoose) {
  return (item) => {
    const node = el("button", { type: "button", class: "chip", click: () => onChoose(item.root) });
    const update = ({ root, name, isChosen }) => {
      say(node, name);
      mark(node, "aria-pressed", String(isChosen));
      mark(node, "title", root ?? "All workspaces");
    };
    return { node, update };
  };
}

export function renderWorkspaces(model, onChoose) {
  const roots = model.all.map((each) => each.root);
  byId("workspaces").hidden = roots.length < 2;
  const names = roots.map(baseName);
  const items = roots.map((root, place) => ({
    root,
    name: names.indexOf(names[place]) === names.lastIndexOf(names[place]) ? names[place] : root,
    isChosen: model.chosen === root,
  }));
  const all = { root: null, name: "All workspaces", isChosen: !roots.includes(model.chosen) };
  keep(byId("workspaces"), [all, ...items], (item) => item.root, chip(onChoose));
}
