/** Seats without their person: kept by a bot, taken back, and the way out of a match. */
import { levelWords } from "./scene.js";
import { html, nothing } from "./vendor/lit-html.js";
import { words } from "./words.js";

/** @typedef {import("./protocol.js").Page} Page @typedef {import("./protocol.js").Acts} Acts */

/** Whether a bot keeps the reader's own seat. @param {Page} page */
export const isKept = ({ view: { table } }) => table.status === "playing" && table.seat !== null && Boolean(table.seats[table.seat].kept);

/** Instead of the choices, while a bot plays in the reader's place. @param {Page} page @param {Acts} acts */
export function takeBack({ view: { table } }, acts) {
  const level = levelWords(table.seats[table.seat ?? 0].kept ?? null);
  return html`<p class="prompt" tabindex="-1">${words("kept_yours", { level })}</p>
    <div class="choices"><button type="button" class="button button-primary" id="back" @click=${() => acts.send("back")}>${words("take_back")}</button>
      <a class="button quiet" href="/">${words("other_game")}</a></div>`;
}

/** The way out of a match, asked once more in place. @param {Page} page @param {Acts} acts */
export function leave(page, acts) {
  const { table } = page.view;
  if (page.lesson || table.seat === null || table.status !== "playing" || isKept(page)) return nothing;
  return html`<fieldset class="leave"><legend>${words("leave_legend")}</legend>
    ${page.leaving
      ? html`<p>${words("leave_means")}</p>
        <button type="button" class="button button-primary" id="leave" @click=${() => (acts.send("leave"), acts.open(null))}>${words("leave")}</button>
        <button type="button" class="button quiet" @click=${() => acts.leave(false)}>${words("stay")}</button>`
      : html`<button type="button" class="button" @click=${() => acts.leave(true)}>${words("leave_ask")}</button>`}</fieldset>`;
}
