/** The seconds that are left to speak, or until the table goes on, or plays again, by itself. */
import { all } from "./focus.js";
import { html, nothing } from "./vendor/lit-html.js";
import { words } from "./words.js";

/** @param {import("./protocol.js").Page} page @param {"time_left" | "goes_on" | "next_match"} [name] of the words that say so */
export function countdown({ view: { table }, since }, name = "time_left") {
  if (table.deadline === null) return nothing;
  return html`<span class="countdown" role="timer" data-until=${since + (table.deadline - table.now) * 1000} data-words=${name}></span>`;
}

setInterval(() => {
  for (const element of all("[data-until]")) {
    const n = Math.max(0, Math.ceil((Number(element.dataset.until) - performance.now()) / 1000));
    const text = ` ${words(String(element.dataset.words), { n })}`;
    if (element.textContent !== text) element.textContent = text;
  }
}, 200);
