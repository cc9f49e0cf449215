// The connection: one stream of events, taken up again when it breaks, later each time.

import { problemOf, request } from "./access.js";
import { readEvents } from "./event_stream.js";

const FIRST_WAIT_S = 1;
const LONGEST_WAIT_S = 30;
const SILENCE_MS = 45_000; // the service says something every 15 s
const REFUSALS = new Set([401, 429]); // too many wrong tokens: a right one is never kept waiting
const SETTLED_MS = 5_000; // a connection that lasted this long was a good one

/** What happened is told to `listener`: onOpen, onEvents, onWaiting(seconds, why), onUnauthorised(why). */
export class Feed {
  #listener;
  #attempt = null;
  #failures = 0;
  #timer = 0;
  #isWanted = false;

  constructor(listener) {
    this.#listener = listener;
    addEventListener("online", () => this.retry());
    document.addEventListener("visibilitychange", () => document.hidden || this.retry());
  }

  start() {
    this.stop();
    this.#isWanted = true;
    this.#failures = 0;
    this.#connect();
  }

  stop() {
    this.#isWanted = false;
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#attempt?.abort();
  }

  /** At once, if it is waiting to try again. */
  retry() {
    if (!this.#isWanted || !this.#timer) return;
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#connect();
  }

  async #connect() {
    const attempt = new AbortController();
    this.#attempt = attempt;
    let why = "";
    let after = 0;
    try {
      const response = await request("events", { headers: { Accept: "text/event-stream" }, signal: attempt.signal });
      if (REFUSALS.has(response.status)) return await this.#refused(response, attempt);
      if (!response.ok) {
        after = Number(response.headers.get("Retry-After")) || 0;
        why = await problemOf(response);
      } else await this.#read(response, attempt);
    } catch (error) {
      if (error.name !== "AbortError" && error.name !== "TypeError") why = "It sent what could not be read.";
    }
    if (this.#isWanted && attempt === this.#attempt) this.#wait(why, after);
  }

  async #read(response, attempt) {
    let alarm = 0;
    const heard = () => {
      clearTimeout(alarm);
      alarm = setTimeout(() => attempt.abort(), SILENCE_MS);
    };
    const began = performance.now();
    this.#listener.onOpen(response);
    heard();
    try {
      await readEvents(response, (events) => this.#tell(events), heard);
    } finally {
      clearTimeout(alarm);
      if (performance.now() - began > SETTLED_MS) this.#failures = 0;
    }
  }

  /** What goes wrong in showing it is a defect of this page, and not of the connection. */
  #tell(events) {
    try {
      this.#listener.onEvents(events);
    } catch (error) {
      reportError(error);
    }
  }

  async #refused(response, attempt) {
    const why = await problemOf(response);
    if (attempt !== this.#attempt) return;
    this.#isWanted = false;
    this.#listener.onUnauthorised(why);
  }

  #wait(why, after) {
    const wait = Math.max(after, Math.min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** this.#failures));
    this.#failures += 1;
    const until = performance.now() + wait * 1000;
    const tick = () => {
      const left = Math.ceil((until - performance.now()) / 1000);
      if (left <= 0) {
        this.#timer = 0;
        this.#connect();
        return;
      }
      this.#listener.onWaiting(left, why);
      this.#timer = setTimeout(tick, Math.max(50, until - performance.now() - (left - 1) * 1000));
    };
    tick();
  }
}
