/** The seconds that are left to speak, or until the table goes on, or plays again, by itself. */
import { all } from "./focus.js";
import { html, nothing } from "./vendor/lit-html.js";
import { words } from "./words.js";

/** @param {import("./protocol.js").Page} page @param {"time_left" | "goes_on" | "next_match"} [name] of the words that say so */
export function countdown({ view: { table }, since }, name = "time_left") {
  if (table.deadline === null) return nothing;
  const until = since + (table.deadline - table.now) * 1000;
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
