// Workspaces and their servers: state, since when, what they use, what they last said.

import { isOpen } from "./access.js";
import { Actions } from "./actions.js";
import { byId, el, empty, keep, mark, say } from "./dom.js";
import { baseName, megabytes, plural, span, time, within } from "./format.js";
import { glyph } from "./glyphs.js";

const PERCENT = /(\d{1,3})\s?%/;

/** How far it is, where that is known as a number. */
function indexedPercent(indexing) {
  const found = PERCENT.exec(indexing ?? "");
  return found ? Math.min(100, Number(found[1])) : null;
}

const isStill = (indexing) => !indexing || indexing === "ready";

function facts(server) {
  const told = [];
  if (server.memory_mb) told.push(megabytes(server.memory_mb));
  else if (server.process_of) told.push("shares a process");
  if (server.open_documents) told.push(plural(server.open_documents, "open file"));
  if (server.restarts) told.push(plural(server.restarts, "restart"));
  if (server.crashes) told.push(plural(server.crashes, "crash", "crashes"));
  if (server.timeouts) told.push(plural(server.timeouts, "time-out"));
  if (server.pid) told.push(`pid ${server.pid}`);
  if (server.sidecar) told.push(`companion ${server.sidecar}`);
  return told.join(" · ");
}

class Row {
  #icon = el("span", { class: "state-icon" });
  #state = el("span", { class: "state-word" });
  #since = el("time", { class: "since" });
  #name = el("h4");
  #version = el("span", { class: "version" });
  #root = el("code", { class: "root" });
  #facts = el("p", { class: "facts" });
  #reason = el("p", { class: "reason" });
  #bar = el("progress", { max: "100" });
  #barText = el("span");
  #indexing = el("div", { class: "indexing" }, this.#bar, this.#barText);
  #tail = el("pre", { tabindex: "0" });
  #stderr = el("details", { class: "stderr" }, el("summary", {}, "Last lines of stderr"), this.#tail);
  #shown = "";

  constructor(server) {
    const title = el("div", { class: "server-title" }, this.#name, this.#version, this.#root);
    const state = el("p", { class: "state" }, this.#icon, this.#state, this.#since);
    const body = [this.#facts, this.#reason, this.#indexing, this.#stderr];
    this.node = el("li", { class: "server" }, title, state, ...body);
    if (!isOpen) this.node.append(new Actions(server).node);
    mark(this.#tail, "aria-label", `Last lines of ${server.server}`);
  }

  update(server) {
    mark(this.node, "data-state", server.state);
    if (this.#shown !== server.state) this.#icon.replaceChildren(glyph(server.state));
    this.#shown = server.state;
    say(this.#state, server.state);
    say(this.#since, span((Date.now() - server.since) / 1000));
    mark(this.#since, "datetime", new Date(server.since).toISOString());
    mark(this.#since, "title", `since ${time(server.since)}`);
    say(this.#name, server.server);
    say(this.#version, server.version ?? "");
    this.#tell(this.#root, within(server.root, server.workspace));
    mark(this.#root, "title", server.root);
    this.#tell(this.#facts, facts(server));
    this.#tell(this.#reason, server.reason ?? "");
    this.#tell(this.#stderr, server.stderr_tail ?? "", this.#tail);
    this.#index(server);
  }

  #tell(node, text, inside = node) {
    node.hidden = !text;
    say(inside, text);
  }

  #index({ indexing, server }) {
    const percent = indexedPercent(indexing);
    this.#indexing.hidden = isStill(indexing);
    this.#bar.hidden = percent === null;
    if (percent !== null) this.#bar.value = percent;
    mark(this.#bar, "aria-label", `Indexing of ${server}`);
    say(this.#barText, indexing ?? "");
  }
}

function group() {
  const name = el("h3");
  const root = el("code", { class: "root" });
  const daemon = el("p", { class: "facts" });
  const list = el("ul", { class: "servers" });
  const nothing = el("p", { class: "nothing" });
  const title = el("div", { class: "workspace-title" }, name, root);
  const node = el("div", { class: "workspace" }, title, daemon, list, nothing);
  const update = (workspace) => {
    say(name, baseName(workspace.root));
    say(root, workspace.root);
    say(daemon, told(workspace));
    daemon.hidden = !daemon.textContent;
    say(nothing, lack(workspace));
    nothing.hidden = workspace.servers.length > 0;
    const keyOf = (server) => JSON.stringify([server.server, server.root]);
    keep(list, workspace.servers, keyOf, (server) => new Row(server));
  };
  return { node, update };
}

function lack({ isRunning, problem }) {
  if (isRunning) return "No language server has been needed yet.";
  return problem ? `Its daemon cannot be watched: ${problem}` : "No daemon runs here. The first call of an agent starts one.";
}

function told({ daemon, clients }) {
  if (!daemon) return "";
  const parts = [`daemon ${daemon.version}`, `pid ${daemon.pid}`, megabytes(daemon.memory)];
  return [...parts, plural(clients.length, "client")].filter(Boolean).join(" · ");
}

export function renderServers(model) {
  const all = model.servers;
  say(byId("servers-count"), all.length ? String(all.length) : "");
  const none = { root: "", isNothing: true };
  const shown = model.shown.length ? model.shown : [none];
  const nothing = () => ({ node: empty("No workspace yet", "A workspace appears with the first call made in it.") });
  keep(byId("servers"), shown, (each) => each.root, (each) => (each.isNothing ? nothing() : group()));
}
