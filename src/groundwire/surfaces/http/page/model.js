// What is known: every workspace as last told, bounded, and which parts of the page that concerns.

const MOST_CALLS = 300;
const MOST_EDITS = 100;
const MOST_FILES = 400;
const MINUTE_S = 60;

export const ALL = ["summary", "workspaces", "servers", "findings", "calls", "edits"];
const CONCERNS = {
  daemon: ["servers"],
  servers: ["servers", "summary"],
  findings: ["findings", "summary"],
  call: ["calls", "summary"],
  edit: ["edits"],
};

const list = (value) => (Array.isArray(value) ? value : []);
const byEnd = (one, other) => other.ended - one.ended;
const byTimestamp = (one, other) => (one.timestamp < other.timestamp ? 1 : -1);

/** How many calls ended in each of the last seconds. */
class Rate {
  #seconds = new Map();

  add(ended) {
    const second = Math.floor(ended);
    this.#seconds.set(second, (this.#seconds.get(second) ?? 0) + 1);
    if (this.#seconds.size > 2 * MINUTE_S) this.#prune(second);
  }

  #prune(now) {
    for (const second of this.#seconds.keys()) if (second < now - MINUTE_S) this.#seconds.delete(second);
  }

  inLastMinute(now) {
    let sum = 0;
    for (const [second, calls] of this.#seconds) if (second > now - MINUTE_S) sum += calls;
    return sum;
  }
}

class Workspace {
  constructor(root) {
    this.root = root;
    this.isRunning = false;
    this.problem = ""; // why a daemon that is there cannot be watched
    this.servers = [];
    this.findings = new Map();
    this.moreFiles = 0; // that have findings and were not told
    this.calls = [];
    this.edits = [];
    this.clients = [];
    this.daemon = null;
    this.rate = new Rate();
  }

  take(snapshot) {
    this.isRunning = true;
    this.problem = "";
    this.daemon = { pid: snapshot.pid, version: snapshot.version };
    this.setDaemon(snapshot);
    this.setServers(snapshot);
    this.findings = new Map();
    this.setFindings(snapshot.findings, snapshot.more_files);
    this.calls = list(snapshot.calls).map((call) => this.#named(call));
    this.edits = list(snapshot.edits).map((edit) => this.#named(edit));
    this.rate = new Rate();
    for (const call of this.calls) this.rate.add(call.ended);
  }

  /** `since_s` is about the moment it was said. */
  setServers({ servers, counts }) {
    const now = Date.now();
    const happened = new Map(list(counts).map((each) => [JSON.stringify([each.server, each.root]), each]));
    this.servers = list(servers).map((server) => {
      const { crashes = 0, timeouts = 0 } = happened.get(JSON.stringify([server.server, server.root])) ?? {};
      return { ...this.#named(server), crashes, timeouts, since: now - (server.since_s ?? 0) * 1000 };
    });
  }

  setDaemon({ memory_mb, clients }) {
    this.daemon = { ...this.daemon, memory: memory_mb };
    this.clients = list(clients);
  }

  setFindings(files, moreFiles = 0) {
    this.moreFiles = moreFiles;
    for (const news of list(files)) {
      this.findings.delete(news.file);
      if (list(news.findings).length) this.findings.set(news.file, this.#named(news));
    }
    for (const file of this.findings.keys()) {
      if (this.findings.size <= MOST_FILES) break;
      this.findings.delete(file);
    }
  }

  addCall(call) {
    this.calls.push(this.#named(call));
    this.rate.add(call.ended);
    if (this.calls.length > 2 * MOST_CALLS) this.calls = this.calls.slice(-MOST_CALLS);
  }

  addEdit(edit) {
    this.edits.push(this.#named(edit));
    if (this.edits.length > 2 * MOST_EDITS) this.edits = this.edits.slice(-MOST_EDITS);
  }

  stopped(problem = "") {
    this.isRunning = false;
    this.problem = problem;
    this.daemon = null;
    this.servers = [];
    this.clients = [];
    this.findings = new Map();
    this.moreFiles = 0;
  }

  #named(item) {
    return { ...item, workspace: this.root };
  }
}

export class Model {
  #workspaces = new Map();
  #unheard = new Set(); // workspaces of which this connection has not told yet
  front = null;
  chosen = null; // the workspace that is looked at; null: all
  skewMs = 0; // how far the clock of the service is ahead of ours
  isLoaded = false;

  clear() {
    this.#workspaces.clear();
    this.front = null;
    this.chosen = null;
    this.isLoaded = false;
  }

  get all() {
    return [...this.#workspaces.values()];
  }

  get shown() {
    const one = this.#workspaces.get(this.chosen);
    return one ? [one] : this.all;
  }

  get servers() {
    return this.shown.flatMap((workspace) => workspace.servers);
  }

  get files() {
    return this.shown.flatMap((workspace) => [...workspace.findings.values()]);
  }

  get moreFiles() {
    return this.shown.reduce((sum, workspace) => sum + workspace.moreFiles, 0);
  }

  get calls() {
    return this.shown.flatMap((workspace) => workspace.calls).sort(byEnd).slice(0, MOST_CALLS);
  }

  get edits() {
    return this.shown.flatMap((workspace) => workspace.edits).sort(byTimestamp).slice(0, MOST_EDITS);
  }

  get callsInLastMinute() {
    const now = this.now() / 1000;
    return this.shown.reduce((sum, workspace) => sum + workspace.rate.inLastMinute(now), 0);
  }

  /** By the clock of the service, which is what calls and edits are dated with. */
  now() {
    return Date.now() + this.skewMs;
  }

  /** A connection has begun; what it does not tell of, and /status neither, is there no more. */
  begin() {
    this.#unheard = new Set(this.#workspaces.keys());
  }

  noteClock(response) {
    const theirs = Date.parse(response.headers.get("Date") ?? "");
    const skew = theirs - Date.now();
    this.skewMs = Math.abs(skew) > 5000 ? skew : 0; // the header has whole seconds
  }

  /** The answer of /status: which workspaces there are, and what the service says of itself. */
  takeStatus(status) {
    this.isLoaded = true;
    this.front = status.front ?? null;
    const told = list(status.workspaces);
    for (const { root } of told) this.#of(root);
    const roots = new Set(told.map((each) => each.root));
    for (const root of this.#unheard) if (!roots.has(root)) this.#workspaces.delete(root);
    return ALL;
  }

  /** One event; which parts of the page it concerns. */
  take(event) {
    if (!event.workspace) return []; // that something was missed: how everything is follows
    const workspace = this.#of(event.workspace);
    this.#unheard.delete(event.workspace);
    if (event.kind === "snapshot" || event.kind === "stopped") {
      if (event.kind === "snapshot") workspace.take(event);
      else workspace.stopped(event.problem);
      this.isLoaded = true;
      return ALL;
    }
    if (event.kind === "daemon") workspace.setDaemon(event);
    else if (event.kind === "servers") workspace.setServers(event);
    else if (event.kind === "findings") workspace.setFindings(event.files, event.more_files);
    else if (event.kind === "call") workspace.addCall(event.call);
    else if (event.kind === "edit") workspace.addEdit(event.edit);
    return CONCERNS[event.kind] ?? [];
  }

  #of(root) {
    if (!this.#workspaces.has(root)) this.#workspaces.set(root, new Workspace(root));
    return this.#workspaces.get(root);
  }
}
