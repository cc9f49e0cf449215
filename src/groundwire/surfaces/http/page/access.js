// The token: asked for by a form, kept for this tab only, sent in a header and nowhere else.

import { byId, mark, say } from "./dom.js";

const KEPT_AS = "groundwire.token";

/** Without authentication there is nothing to ask for, and nothing that may be changed. */
export const isOpen = document.documentElement.dataset.access === "open";

/** What the tab keeps over a reload; a browser that keeps nothing for us asks again then. */
function stored() {
  try {
    return sessionStorage.getItem(KEPT_AS) ?? "";
  } catch {
    return "";
  }
}

let given = isOpen ? "" : stored();

export const token = () => given;

function keepToken(text) {
  given = text;
  try {
    if (text) sessionStorage.setItem(KEPT_AS, text);
    else sessionStorage.removeItem(KEPT_AS);
  } catch {
    // It is known until the page is left.
  }
}

export const forget = () => keepToken("");

/** Headers can carry visible ASCII only; anything else cannot be a token. */
const isPossible = (text) => /^[\x21-\x7e]+$/.test(text);

/** A request to our own service. `path` is ours, never data. */
export function request(path, options = {}) {
  const headers = new Headers(options.headers);
  if (token()) headers.set("Authorization", `Bearer ${token()}`);
  return fetch(path, { ...options, headers, cache: "no-store", credentials: "omit", redirect: "error" });
}

/** What the service says is wrong, in its words. */
export async function problemOf(response) {
  const said = await response.json().catch(() => null);
  const message = said?.error?.message;
  return typeof message === "string" && message ? message : `The service answered ${response.status}.`;
}

/** Shows the form, with what was wrong with the last token. */
export function askForToken(problem = "") {
  const field = byId("token");
  byId("gate").hidden = false;
  byId("token-submit").disabled = false;
  byId("token-error").hidden = !problem;
  say(byId("token-error"), problem);
  mark(field, "aria-invalid", problem ? "true" : null);
  field.focus();
  if (problem) field.select();
}

export function hideForm() {
  byId("gate").hidden = true;
  byId("token").value = "";
}

/** `onToken` is called each time somebody gives one. */
export function watchForm(onToken) {
  byId("token-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = byId("token").value.trim();
    if (!text) return askForToken("Enter the token first.");
    if (!isPossible(text)) return askForToken("That cannot be a token: it has spaces or other than plain characters.");
    keepToken(text);
    byId("token-submit").disabled = true;
    return onToken();
  });
}
