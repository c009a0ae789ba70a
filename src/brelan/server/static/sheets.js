/** What slides in from below: the score sheet, the log, the settings and the help. */
import { leave } from "./absent.js";
import { chat } from "./chat.js";
import { SORTS } from "./hand.js";
import { notices } from "./notice.js";
import { ownLink } from "./room.js";
import { ruleLink } from "./scene.js";
import { sounds } from "./sound.js";
import { log } from "./told.js";
import { html, nothing } from "./vendor/lit-html.js";
import { number, signed, words } from "./words.js";

/** @typedef {import("./protocol.js").Page} Page @typedef {import("./protocol.js").Acts} Acts */
/** @typedef {import("./protocol.js").Table} Table @typedef {import("./protocol.js").Settings} Settings */

/** @type {Record<string, (page: Page, acts: Acts) => unknown>} */
const SHEETS = { score: (page) => scoreSheet(page.view.table), log, chat, settings, help };

/** The sheet that lies open; a page may bring sheets of its own. @param {Page} page @param {Acts} acts @param {typeof SHEETS} [own] */
export function sheet(page, acts, own = {}) {
  const name = page.sheet;
  /** The browser tells late that one was closed: the next may lie open by then. @param {Event} event */
  const closed = (event) => /** @type {HTMLDialogElement} */ (event.target).open || acts.open(null);
  return html`<dialog class="sheet" aria-labelledby="sheet-title" @cancel=${() => acts.open(null)} @close=${closed}
    @click=${(/** @type {Event} */ event) => event.target === event.currentTarget && acts.open(null)}>
    ${name ? html`<div class="leaf"><header><h2 id="sheet-title">${words(name)}</h2>
      <button type="button" class="button quiet" @click=${() => acts.open(null)}>${words("close")}</button></header>
      ${(own[name] ?? SHEETS[name])(page, acts)}</div>` : nothing}
  </dialog>`;
}

/** The browser's own modal dialog follows what the page says. @param {string | null} name */
export function settle(name) {
  const dialog = document.querySelector("dialog");
  if (name && !dialog?.open) dialog?.showModal();
  if (!name && dialog?.open) dialog.close();
}

/** Round by round, with the reason for each point. @param {Table} table */
export function scoreSheet(table) {
  return html`<div class="scroll" role="region" tabindex="0" aria-label=${words("score")}><table class="scores">
    <thead><tr><th scope="col">${words("round")}</th>${table.seats.map((seat) => html`<th scope="col">${seat.name}</th>`)}</tr></thead>
    ${atStart(table)}
    ${table.sheet.map((round) => html`<tbody>
      <tr><th scope="row" rowspan="2">${round.round}</th>${round.points.map((points) => html`<td>${signed(points)}</td>`)}</tr>
      <tr><td class="reason" colspan=${table.seats.length}>${round.reason} ${ruleLink(table.game, round.rule)}</td></tr></tbody>`)}
    <tfoot><tr><th scope="row">${words("total")}</th>${table.scores.map((score, seat) =>
      html`<td ?data-leads=${table.winners.includes(seat)}>${number(score)}</td>`)}</tr></tfoot>
  </table></div>`;
}

/** What the rounds do not account for: what all had at the start, and what moves cost since. @param {Table} table */
function atStart({ scores, sheet }) {
  const rest = scores.map((score, seat) => score - sheet.reduce((sum, round) => sum + round.points[seat], 0));
  if (rest.every((points) => !points)) return nothing;
  const name = rest.every((points) => points === rest[0]) ? "at_start" : "at_start_paid";
  return html`<tbody><tr><th scope="row">${words(name)}</th>${rest.map((points) => html`<td>${number(points)}</td>`)}</tr></tbody>`;
}

/** @param {Page} page @param {Acts} acts */
function settings(page, acts) {
  const { settings } = page;
  const pick = /** @param {"theme" | "sort"} name @param {readonly string[]} values */ (name, values) => html`<fieldset>
    <legend>${words(`set_${name}`)}</legend>${values.map((value) => html`<label class="pick"><input type="radio" name=${name}
      .checked=${settings[name] === value} @change=${() => acts.set({ [name]: value })} /> ${words(`${name}_${value}`)}</label>`)}</fieldset>`;
  const tick = /** @param {"four" | "letters" | "motion"} name */ (name) => html`<label class="pick"><input type="checkbox"
    .checked=${settings[name]} @change=${() => acts.set({ [name]: !settings[name] })} /> ${words(`set_${name}`)}</label>`;
  return html`<div class="settings">${sounds(settings, acts)}${pick("theme", ["auto", "light", "dark", "contrast"])}${pick("sort", SORTS)}
    <fieldset><legend>${words("set_more")}</legend>${tick("four")}${tick("motion")}${tick("letters")}</fieldset>
    ${notices(settings, acts)}
    ${page.view.table.link ? ownLink(page.view.table.link) : nothing}
    ${leave(page, acts)}</div>`;
}

const KEYS = ["arrows", "enter", "digits", "d", "k", "h", "u", "s", "l", "c", "t", "r", "m", "n", "escape", "question"];

/** @param {Page} page @param {Acts} acts */
function help(page, acts) {
  return html`<p>${words("help_taps")}</p>
    <dl class="keys">${KEYS.map((key) => html`<dt><kbd>${words(`key_${key}`)}</kbd></dt><dd>${words(`does_${key}`)}</dd>`)}</dl>
    <p><a href="/rules/${page.view.table.game}" target="brelan-rules">${words("rules")}</a></p>
    <button type="button" class="button" @click=${() => acts.open("settings")}>${words("settings")}</button>`;
}
