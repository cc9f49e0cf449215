// What servers last said is wrong, by file, the worst first, each with its line of source.

import { byId, el, empty, keep, mark, say } from "./dom.js";
import { baseName, count, isRunning, plural } from "./format.js";
import { glyph } from "./glyphs.js";

const SEVERITIES = ["error", "warning", "information", "hint"];
const UNFOLDED_FILES = 6;
const UNFOLDED_FINDINGS = 12;

const off = new Set(); // the severities that are not wanted

const of = (file, severity) => file.findings.filter((finding) => finding.severity === severity).length;

function byWeight(one, other) {
  for (const severity of ["error", "warning"]) {
    const difference = of(other, severity) - of(one, severity);
    if (difference) return difference;
  }
  return one.file < other.file ? -1 : 1;
}

function line(finding) {
  const place = el("span", { class: "place" }, `${finding.line}:${finding.column}`);
  const word = el("span", { class: "severity" }, glyph(finding.severity), finding.severity);
  const origin = [finding.source || finding.server, finding.code].filter(Boolean).join(" · ");
  const message = el("p", { class: "message" }, word, " ", finding.message, " ");
  if (origin) message.append(el("span", { class: "origin" }, origin));
  const node = el("li", { class: "finding", "data-severity": finding.severity }, place, message);
  if (finding.text) node.append(el("code", { class: "source" }, finding.text.trim()));
  return node;
}

function tally(file) {
  const several = (severity) => (severity === "information" ? severity : `${severity}s`);
  const told = SEVERITIES.filter((each) => of(file, each)).map((each) => plural(of(file, each), each, several(each)));
  if (file.is_current === false) told.push("may be out of date");
  return told.join(", ");
}

class FileRow {
  #path = el("span", { class: "path" });
  #where = el("span", { class: "where" });
  #tally = el("span", { class: "tally" });
  #list = el("ul", { class: "lines" });
  #summary = el("summary", {}, this.#path, this.#where, this.#tally);
  #file = null;
  #drawn = "";
  #wanted = "";

  constructor({ isUnfolded }) {
    this.node = el("details", { class: "file", toggle: () => this.#draw() }, this.#summary, this.#list);
    this.node.open = isUnfolded;
  }

  update({ file, isAlone, key }) {
    this.#file = file;
    this.#wanted = key;
    say(this.#path, file.file);
    say(this.#where, isAlone ? "" : baseName(file.workspace));
    say(this.#tally, tally(file));
    mark(this.node, "data-worst", SEVERITIES.find((each) => of(file, each)));
    this.node.classList.toggle("older", file.is_current === false);
    this.#draw();
  }

  /** The lines of a file that is folded are not made: there can be thousands. */
  #draw() {
    if (!this.node.open || this.#drawn === this.#wanted) return;
    this.#drawn = this.#wanted;
    const { findings, more } = this.#file;
    const rest = more ? [el("li", { class: "fine" }, `and ${plural(more, "more")}`.replace("mores", "more"))] : [];
    this.#list.replaceChildren(...findings.map(line), ...rest);
  }
}

/** Those with the severities that are wanted. */
function sifted(file) {
  const findings = file.findings.filter((finding) => !off.has(finding.severity));
  return off.size ? { ...file, findings, more: 0 } : file;
}

function renderSeverities(files, again) {
  const items = SEVERITIES.map((name) => ({ name, number: files.reduce((sum, file) => sum + of(file, name), 0) }));
  const chip = ({ name }) => {
    const number = el("span", { class: "number" });
    const flip = () => {
      if (!off.delete(name)) off.add(name);
      again();
    };
    const attributes = { type: "button", class: "chip", "data-severity": name, click: flip };
    const node = el("button", attributes, glyph(name), name, number);
    const update = (item) => {
      say(number, count(item.number));
      mark(node, "aria-pressed", String(!off.has(name)));
    };
    return { node, update };
  };
  keep(byId("severities"), items.filter((item) => item.number || off.has(item.name)), (item) => item.name, chip);
}

const EMPTY = {
  title: "No findings",
  text: "The servers have none for the files they were asked about. Other files are not known.",
};
const WITHOUT = { title: "Not known", text: "No server runs, so nothing is known about any file." };
const SIFTED = { title: "None of these", text: "All findings there are have severities that are switched off." };

function placeholder(model, files) {
  if (files.length) return SIFTED;
  return model.servers.some(isRunning) ? EMPTY : WITHOUT;
}

export function renderFindings(model) {
  const files = model.files.sort(byWeight);
  renderSeverities(files, () => renderFindings(model));
  const shown = files.map(sifted).filter((file) => file.findings.length);
  const more = model.moreFiles ? `, and in ${count(model.moreFiles)} more` : "";
  say(byId("findings-count"), shown.length ? `in ${plural(shown.length, "file")}${more}` : "");
  const isAlone = model.shown.length < 2;
  const items = shown.map((file, place) => {
    const isUnfolded = place < UNFOLDED_FILES && file.findings.length <= UNFOLDED_FINDINGS;
    return { file, isAlone, isUnfolded, key: JSON.stringify([file.findings, file.more]) };
  });
  const keyOf = ({ file }) => JSON.stringify([file.workspace, file.file]);
  const nothing = ({ title, text }) => ({ node: empty(title, text) });
  if (items.length) keep(byId("findings"), items, keyOf, (item) => new FileRow(item));
  else keep(byId("findings"), [placeholder(model, files)], (item) => item.title, nothing);
}
