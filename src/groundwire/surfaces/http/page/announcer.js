// What is said aloud to those who do not see the page: changes of state, put together, never a flood.

import { byId, say } from "./dom.js";

const APART_MS = 4000;
const MOST = 3;

let waiting = [];
let timer = 0;

function speak() {
  timer = 0;
  if (!waiting.length) return;
  const more = waiting.length - MOST;
  say(byId("announcer"), waiting.slice(0, MOST).join(". ") + (more > 0 ? `. And ${more} more changes` : ""));
  waiting = [];
  timer = setTimeout(speak, APART_MS);
}

export function announce(text) {
  if (!waiting.includes(text)) waiting.push(text);
  timer ||= setTimeout(speak, 100);
}

const states = new Map();

/** Servers whose state has become another. */
export function announceServers(servers) {
  for (const { workspace, server, root, state, reason } of servers) {
    const key = JSON.stringify([workspace, server, root]);
    const before = states.get(key);
    states.set(key, state);
    const why = reason && state === "broken" ? `: ${reason}` : "";
    if (before && before !== state) announce(`${server} is ${state}${why}`);
  }
}
