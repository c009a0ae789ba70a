/** A hint: what a strong bot would do in this seat, where the table lets its people ask. */
import { inFull } from "./choose.js";
import { isMine, stage } from "./turn.js";
import { html, nothing } from "./vendor/lit-html.js";
import { number, words } from "./words.js";

/** @typedef {import("./protocol.js").Page} Page @typedef {import("./protocol.js").Acts} Acts
 * @typedef {import("./protocol.js").View} View @typedef {import("./protocol.js").Table} Table
 * @typedef {import("./protocol.js").Scene} Scene @typedef {import("./protocol.js").Why} Why */

/** Whether the reader may ask now. @param {Page} page */
export const canHint = ({ view: { table, scene } }) =>
  Boolean(table.hints && scene && stage(scene) === "play" && isMine(scene));

/** @param {Page} page @param {Acts} acts */
export function hintButton(page, acts) {
  const { table } = page.view;
  if (table.seat === null || table.status !== "playing" || !table.hints) return nothing;
  return html`<button type="button" class="icon" title=${words("hint")} aria-label=${words("hint")}
    aria-disabled=${page.sent || !canHint(page) ? "true" : nothing} @click=${acts.hint}><span aria-hidden="true">✧</span></button>`;
}

/** What it is asked for: one's own choices and cards, whatever others do meanwhile. @param {View} view */
export const question = ({ scene }) => JSON.stringify([scene?.choices, scene?.zones.filter(({ owner }) => owner === scene.seat)]);

/** The choice that a hint means: its cards are raised, and said is what it is, and why. @param {View} view @param {string} move @param {Why | null} why */
export function hinted({ number: seen, table, scene }, move, why) {
  const choice = scene?.choices.find((one) => one.move === move);
  if (!scene || !choice) return null;
  const said = [words("hint_is", { move: inFull(table, scene, choice) }), ...because(table, scene, why)].join(" ");
  return { selected: choice.cards, remark: { words: said, rule: null, number: seen } };
}

/** What speaks for it, where a bot has searched. @param {Table} table @param {Scene} scene @param {Why | null} why */
function because(table, scene, why) {
  if (!why) return [];
  if (!why.worlds) return [words("hint_only")];
  if (!why.close.length) return [words("hint_best", { n: number(why.worlds) })];
  const close = scene.choices.find((one) => one.move === why.close[0]);
  return close ? [words("hint_close", { n: number(why.worlds), move: inFull(table, scene, close) })] : [];
}
