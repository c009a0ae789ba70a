/** The seconds that are left to speak, or until the table goes on, or plays again, by itself. */
import { all } from "./focus.js";
import { html, nothing } from "./vendor/lit-html.js";
import { words } from "./words.js";

/** Whether the seconds are counted until a table goes on by itself: by turns it waits for days, which nobody watches go by. @param {import("./protocol.js").Table} table */
export const passes = ({ deadline, customs }) => deadline !== null && customs.pace !== "days";

/** @param {import("./protocol.js").Page} page @param {"time_left" | "goes_on" | "next_match"} [name] of the words that say so */
export function countdown({ view: { table }, since }, name = "time_left") {
  if (!passes(table)) return nothing;
  const until = since + (Number(table.deadline) - table.now) * 1000;
  return html`<span class="countdown" role="timer" data-until=${until} data-words=${name} .textContent=${left(until, name)}></span>`;
}

/** @param {number} until by the page's own clock @param {string} name */
const left = (until, name) => ` ${words(name, { n: Math.max(0, Math.ceil((until - performance.now()) / 1000)) })}`;

setInterval(() => {
  for (const element of all("[data-until]")) {
    const text = left(Number(element.dataset.until), String(element.dataset.words));
    if (element.textContent !== text) element.textContent = text;
  }
}, 200);
