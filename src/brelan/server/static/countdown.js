/** The seconds that are left to speak, by the house's clock: a probe of the line tells what time it is there. */
import { html, nothing } from "./vendor/lit-html.js";
import { words } from "./words.js";

/** @type {number | null} */
let ahead = null; // milliseconds by which the house's clock is ahead of this device's

/** @param {number} at what time it is in the house, in seconds */
export const hear = (at) => {
  ahead = at * 1000 - Date.now();
};

/** @param {import("./protocol.js").Table} table */
export const countdown = ({ deadline }) =>
  deadline === null || ahead === null ? nothing : html`<span class="countdown" role="timer" data-until=${deadline * 1000 - ahead}></span>`;

setInterval(() => {
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-until]"))) {
    const n = Math.max(0, Math.ceil((Number(element.dataset.until) - Date.now()) / 1000));
    element.textContent = ` ${words("time_left", { n })}`;
  }
}, 200);
