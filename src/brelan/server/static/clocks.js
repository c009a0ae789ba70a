/** The clocks of the seats: each goes on by itself from what the house last said of it, and warns when little is left. */
import { all } from "./focus.js";
import { html, nothing } from "./vendor/lit-html.js";
import { words } from "./words.js";

/** @typedef {import("./protocol.js").Table} Table */

const LITTLE = 20; // seconds
const TICK = 250; // milliseconds
const [MINUTE, HOUR, DAY] = [60, 3600, 86400];

/** The seat's clock; `since` is when the page heard of it, by its own clock. @param {Table} table @param {number} seat @param {number} since */
export function clock({ clocks, status }, seat, since) {
  const told = status === "playing" ? clocks?.[seat] : undefined;
  if (!told) return nothing;
  const until = told.runs ? since + told.left * 1000 : nothing;
  return html`<span class="clock" role="timer" ?data-runs=${told.runs} data-ends=${until} data-left=${told.left} ?data-little=${told.left <= LITTLE}
    .textContent=${shown(told.left)}></span>`;
}

/** Seconds as people read them: days and hours, hours and minutes, or minutes and seconds. @param {number} left */
function shown(left) {
  const n = Math.max(0, Math.ceil(left));
  const two = /** @param {number} part */ (part) => String(part).padStart(2, "0");
  if (n <= LITTLE) return words("clock_little", { n });
  if (n >= DAY) return words("clock_days", { days: Math.floor(n / DAY), hours: Math.floor((n % DAY) / HOUR) });
  if (n >= HOUR) return words("clock_hours", { hours: Math.floor(n / HOUR), minutes: two(Math.floor((n % HOUR) / MINUTE)) });
  return `${Math.floor(n / MINUTE)}:${two(n % MINUTE)}`;
}

/** Let every clock that runs go on; `warn` hears, each time that the reader's own comes to have little left, how many seconds. @param {(n: number) => void} warn */
export function tick(warn) {
  let warned = false;
  setInterval(() => {
    if (document.hidden) return; // what stands there may be old
    for (const element of all(".clock")) goOn(element, leftOn(element));
    const [own] = all(".bar .clock[data-ends]");
    if (!own) return; // between two turns it stands still, and a warning holds
    const n = Math.max(0, Math.ceil(leftOn(own)));
    if (n <= LITTLE && !warned) warn(n);
    warned = n <= LITTLE;
  }, TICK);
}

/** The seconds that are left on a clock. @param {HTMLElement} element */
const leftOn = ({ dataset: { ends, left } }) => (ends ? (Number(ends) - performance.now()) / 1000 : Number(left));

/** Also where it stands: drawing it writes only what is new since it was drawn last, and it went on between. @param {HTMLElement} element @param {number} left */
function goOn(element, left) {
  const text = shown(left);
  if (element.textContent !== text) element.textContent = text;
  element.toggleAttribute("data-little", left <= LITTLE);
}
