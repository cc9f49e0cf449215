// Elements, made so that no text can become markup: everything from outside ends as text or as a checked attribute.

const SVG = "http://www.w3.org/2000/svg";
const REFUSED = new Set(["href", "src", "srcdoc", "style", "action", "formaction"]);

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (REFUSED.has(name) || name.startsWith("on")) throw new Error(`not an attribute for data: ${name}`);
    else if (value !== false && value !== undefined && value !== null) {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** An element; functions among the attributes are listeners. */
export const el = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

/** An element of a drawing. */
export const svg = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

export const byId = (id) => document.getElementById(id);

/** Sets the text if it is another, so that selections and screen readers are left alone. */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Sets or takes away an attribute, if that changes anything. */
export function mark(node, name, value) {
  const wanted = value === false || value === null || value === undefined ? null : value === true ? "" : String(value);
  if (node.getAttribute(name) === wanted) return;
  if (wanted === null) node.removeAttribute(name);
  else node.setAttribute(name, wanted);
}

const kept = new WeakMap();

/**
 * Makes the children of `parent` those of `items`, keeping the nodes of items that stay: with them focus, selection
 * and what is unfolded. `make(item)` gives `{node, update(item)}`.
 */
export function keep(parent, items, keyOf, make) {
  const before = kept.get(parent) ?? new Map();
  const after = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (after.has(key)) continue;
    const part = before.get(key) ?? make(item);
    part.update?.(item);
    after.set(key, part);
  }
  for (const [key, part] of before) if (!after.has(key)) part.node.remove();
  let place = parent.firstChild;
  for (const { node } of after.values()) {
    if (node === place) place = place.nextSibling;
    else parent.insertBefore(node, place);
  }
  kept.set(parent, after);
}

/** What is shown where there is nothing. */
export const empty = (title, text) =>
  el("div", { class: "empty" }, el("p", { class: "empty-title" }, title), el("p", {}, text));
