// Restart and stop of one server: asked again in place, then asked of the service, with the token.

import { problemOf, request } from "./access.js";
import { announce } from "./announcer.js";
import { el, say } from "./dom.js";

const AGAIN = "The next question starts it again.";
const WORDS = {
  restart: { ask: "Restart", confirm: "Yes, restart", doing: "Restarting", done: "was restarted" },
  stop: { ask: "Stop", confirm: "Yes, stop", doing: "Stopping", done: "was stopped", note: AGAIN },
};

async function order(action, { workspace, server, root }) {
  const response = await request(`servers/${action}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ workspace, server, root }),
  });
  if (!response.ok) throw new Error(await problemOf(response));
  const { status, reason } = await response.json();
  if (status && status !== "confirmed") throw new Error(reason || `It is ${status} whether that worked.`);
}

/** The buttons of one server, through what they ask and what came of it. */
export class Actions {
  node = el("div", { class: "actions" });
  #server;
  #isBusy = false;

  constructor(server) {
    this.#server = server;
    this.#offer();
  }

  #button(words, onClick, more = {}) {
    const label = `${words} ${this.#server.server}`;
    return el("button", { type: "button", class: "quiet", "aria-label": label, click: onClick, ...more }, words);
  }

  #offer(problem = "") {
    const buttons = Object.entries(WORDS).map(([action, { ask }]) =>
      this.#button(ask, () => this.#ask(action), { class: `quiet ${action}` }),
    );
    const told = problem ? [el("p", { class: "problem", role: "alert" }, problem)] : [];
    this.node.replaceChildren(...buttons, ...told);
  }

  #ask(action) {
    const words = WORDS[action];
    const back = () => {
      this.#offer();
      this.node.children[Object.keys(WORDS).indexOf(action)].focus();
    };
    const yes = this.#button(words.confirm, () => this.#carryOut(action), { class: "primary small" });
    const group = el(
      "div",
      { class: "confirm", role: "group", "aria-label": `${words.ask} ${this.#server.server}?` },
      el("span", {}, `${words.ask} ${this.#server.server}? `, words.note ?? ""),
      yes,
      el("button", { type: "button", class: "quiet", click: back }, "Cancel"),
    );
    group.addEventListener("keydown", (event) => event.key === "Escape" && back());
    this.node.replaceChildren(group);
    yes.focus();
  }

  async #carryOut(action) {
    if (this.#isBusy) return;
    this.#isBusy = true;
    const words = WORDS[action];
    const doing = el("p", { class: "fine", tabindex: "-1" });
    say(doing, `${words.doing} ${this.#server.server} …`);
    this.node.replaceChildren(doing);
    doing.focus();
    let problem = "";
    try {
      await order(action, this.#server);
      announce(`${this.#server.server} ${words.done}`);
    } catch (error) {
      problem = error.name === "TypeError" ? "The service could not be reached." : error.message;
    }
    this.#isBusy = false;
    const hadFocus = document.activeElement === doing;
    this.#offer(problem);
    if (hadFocus) this.node.firstElementChild.focus();
  }
}
