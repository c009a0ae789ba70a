/** A hint: what a strong bot would do in this seat, where the table lets its people ask. */
import { html, nothing } from "./vendor/lit-html.js";
import { words } from "./words.js";

/** @typedef {import("./protocol.js").Page} Page @typedef {import("./protocol.js").Acts} Acts */

/** Whether the reader may ask now. @param {Page} page */
export const canHint = ({ view: { table, scene } }) =>
  Boolean(table.hints && scene && !scene.over && !scene.between && scene.turn.includes(scene.seat));

/** @param {Page} page @param {Acts} acts */
export function hintButton(page, acts) {
  const { table } = page.view;
  if (table.seat === null || table.status !== "playing" || !table.hints) return nothing;
  return html`<button type="button" class="icon hint" title=${words("hint")} aria-label=${words("hint")}
    aria-disabled=${page.sent || !canHint(page) ? "true" : nothing} @click=${acts.hint}><span aria-hidden="true">✧</span></button>`;
}

/** The choice that a hint means: its cards are raised, its words are said. @param {import("./protocol.js").Scene} scene @param {string} move */
export function hinted(scene, move) {
  const choice = scene.choices.find((one) => one.move === move);
  if (!choice) return {};
  return { selected: choice.cards, remark: { words: words("hint_is", { move: choice.words }), rule: null } };
}
