/** The action bar: what is asked, the choices as buttons, and what the page has to say about the last tap. */
import { countdown } from "./countdown.js";
import { offered } from "./choose.js";
import { plate, remarkView } from "./scene.js";
import { html, nothing, svg } from "./vendor/lit-html.js";
import { listed, words } from "./words.js";

/** @typedef {import("./protocol.js").Page} Page @typedef {import("./protocol.js").Acts} Acts */
/** @typedef {import("./protocol.js").Scene} Scene @typedef {import("./protocol.js").Choice} Choice */

const SHEET = new URL("cards.svg", import.meta.url).pathname;

/** @param {Page} page @param {Scene} scene @param {Acts} acts */
export function bar(page, scene, acts) {
  const mine = scene.turn.includes(scene.seat);
  const choices = offered(scene, page.selected, page.aim);
  return html`<section class="bar" ?data-mine=${mine} aria-label=${words("bar")}>
    ${scene.seat < 0 ? nothing : plate(page, scene, scene.seat)}
    <p class="prompt">${mine ? scene.prompt : waiting(page, scene)}${countdown(page.view.table)}</p>
    ${remarkView(page)}
    <div class="choices">${choices.map((choice) =>
      choice.move === page.armed ? confirm(choice, acts) : button(choice, page, acts))}
      ${page.selected.length || page.aim ? html`<button type="button" class="button quiet" @click=${acts.clear}>${words("clear")}</button>` : nothing}
    </div>
  </section>`;
}

/** Whom the table waits for, by name. @param {Page} page @param {Scene} scene */
function waiting(page, scene) {
  if (!scene.turn.length) return scene.prompt;
  return words("waits_for", { names: listed(scene.turn.map((seat) => page.view.table.seats[seat].name)) });
}

/** A choice that names a colour shows its sign as well. @param {Choice} choice */
function sign(choice) {
  const colour = choice.move.split(" ").find((word) => /^[RYGBPOS]$/.test(word));
  return colour
    ? html`<svg class="sign" data-suit=${colour} viewBox="0 0 100 100" aria-hidden="true">${svg`<use href="${SHEET}#${colour}" />`}</svg>`
    : nothing;
}

/** @param {Choice} choice @param {Page} page @param {Acts} acts */
function button(choice, page, acts) {
  const weight = choice.cards.length === 0 || choice.confirm ? "" : "button-primary";
  return html`<button type="button" class="button ${weight}" aria-disabled=${choice.why || page.sent ? "true" : nothing}
    @click=${() => acts.choose(choice)}>${sign(choice)}${choice.words}</button>`;
}

/** Once more, in place. @param {Choice} choice @param {Acts} acts */
const confirm = (choice, acts) => html`<span class="confirm" role="group" aria-label=${words("sure")}>
  <span>${words("sure")}</span>
  <button type="button" class="button button-primary" @click=${() => acts.play(choice)}>${choice.words}</button>
  <button type="button" class="button quiet" @click=${acts.clear}>${words("no")}</button></span>`;
