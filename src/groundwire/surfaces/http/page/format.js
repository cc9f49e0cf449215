// Numbers, times, paths and states as people read them.

const number = new Intl.NumberFormat("en");
const clock = new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });

export const count = (value) => number.format(value);

export const plural = (value, one, many = `${one}s`) => `${count(value)} ${value === 1 ? one : many}`;

export function milliseconds(ms) {
  if (!Number.isFinite(ms)) return "–";
  if (ms < 1) return `${ms.toFixed(2)} ms`;
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return `${(ms / 1000).toFixed(ms < 10000 ? 2 : 1)} s`;
}

export function span(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min`;
  if (whole < 86400) return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
  return `${plural(Math.floor(whole / 86400), "day")} ${Math.floor((whole % 86400) / 3600)} h`;
}

export function megabytes(value) {
  if (!Number.isFinite(value)) return "";
  return value < 1000 ? `${Math.round(value)} MB` : `${(value / 1024).toFixed(1)} GB`;
}

export const time = (ms) => (Number.isFinite(ms) ? clock.format(ms) : "–");

/** Whether anything is known from a server now: one that does not run vouches for nothing. */
export const isRunning = (server) => server.state === "active";

/** The last part of a path, or all of it where there is none. */
export const baseName = (path) => path.split("/").filter(Boolean).pop() ?? path;

/** A root as seen from its workspace; nothing where they are the same. */
export function within(root, workspace) {
  if (root === workspace) return "";
  return root.startsWith(`${workspace}/`) ? root.slice(workspace.length + 1) : root;
}

/** The value below which this share of the sorted numbers lies. */
export function percentile(sorted, share) {
  return sorted.length ? sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] : NaN;
}
