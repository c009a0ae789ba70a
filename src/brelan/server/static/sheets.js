/** What slides in from below: the score sheet, the log, the settings and the help. */
import { leave } from "./absent.js";
import { suited } from "./cards.js";
import { isTalk, chat } from "./chat.js";
import { clock } from "./clocks.js";
import { LETTERS, exchanged, keyOf } from "./keys.js";
import { notices } from "./notice.js";
import { languages, lateInvitation, ownLink } from "./room.js";
import { ruleLink } from "./rulebook.js";
import { levelWords } from "./scene.js";
import { SORTS, THEMES } from "./settings.js";
import { sounds } from "./sound.js";
import { log } from "./told.js";
import { isMine } from "./turn.js";
import { html, nothing } from "./vendor/lit-html.js";
import { fallSilent, regions } from "./voice.js";
import { named, number, signed, words } from "./words.js";

/** @typedef {import("./protocol.js").Page} Page @typedef {import("./protocol.js").Acts} Acts */
/** @typedef {import("./protocol.js").Table} Table @typedef {import("./protocol.js").Settings} Settings */

/** @type {Record<string, (page: Page, acts: Acts) => unknown>} */
const SHEETS = { score: (page) => scoreSheet(page.view.table), log, chat, settings, help };

/** Where the last press began: what is marked in a sheet may end beside it. @type {EventTarget | null} */
let pressed = null;

/** The sheet that lies open; a page may bring sheets of its own. @param {Page} page @param {Acts} acts @param {typeof SHEETS} [own] */
export function sheet(page, acts, own = {}) {
  const name = page.sheet;
  /** The browser tells late that one was closed: the next may lie open by then. @param {Event} event */
  const closed = (event) => /** @type {HTMLDialogElement} */ (event.target).open || acts.open(null);
  return html`<dialog class="sheet" aria-labelledby="sheet-title" @cancel=${() => acts.open(null)} @close=${closed}
    @pointerdown=${(/** @type {Event} */ event) => (pressed = event.target)}
    @click=${(/** @type {Event} */ event) => event.target === event.currentTarget && pressed === event.target && acts.open(null)}>
    ${name ? html`<div class="leaf"><header><h2 id="sheet-title">${words(name)}</h2>
      <button type="button" class="button quiet" @click=${() => acts.open(null)}>${words("close")}</button>${turn(page)}</header>
      ${(own[name] ?? SHEETS[name])(page, acts)}</div>` : nothing}
    ${regions("sheet-")}
  </dialog>`;
}

/** That the reader is asked, and for how long: the sheet covers what says so on the table. @param {Page} page */
const turn = ({ view: { table, scene }, since, still }) =>
  (scene && isMine(scene) && !still ? html`<span class="asked"><strong class="missed">${words("your_turn")}</strong> ${clock(table, scene.seat, since)}</span>` : nothing);

/** The browser's own modal dialog follows what the page says. @param {string | null} name */
export function settle(name) {
  const dialog = document.querySelector("dialog");
  if (!dialog || Boolean(name) === dialog.open) return;
  fallSilent();
  if (name) dialog.showModal();
  else dialog.close();
}

/** Round by round, with the reason for each point. @param {Table} table */
export function scoreSheet(table) {
  return html`<div class="scroll" role="region" tabindex="0" aria-label=${words("score")}><table class="scores">
    <thead><tr><th scope="col">${words("round")}</th>${table.seats.map(column)}</tr></thead>
    ${besides(table)}
    ${table.sheet.map((round) => html`<tbody>
      <tr><th scope="row" rowspan="2">${round.round}</th>${round.points.map((points) => html`<td>${signed(points)}</td>`)}</tr>
      <tr><td class="reason" colspan=${table.seats.length}>${round.reason} ${ruleLink(table.game, round.rule)}</td></tr></tbody>`)}
    <tfoot><tr><th scope="row">${words("total")}</th>${table.scores.map((score, seat) =>
      html`<td ?data-leads=${table.winners.includes(seat)}>${number(score)}</td>`)}</tr></tfoot>
  </table></div>`;
}

/** Whose points stand below: a bot's name with its level, for which a small table has no room. @param {import("./protocol.js").Seat} seat */
const column = ({ player, level }) => html`<th scope="col">${player}${level ? html` <small>${levelWords(level)}</small>` : nothing}</th>`;

/** What the rounds do not account for: what all had at the start, less what moves have cost since. @param {Table} table */
function besides({ scores, sheet }) {
  const rest = scores.map((score, seat) => score - sheet.reduce((sum, round) => sum + round.points[seat], 0));
  if (rest.every((points) => !points)) return nothing;
  return html`<tbody><tr><th scope="row">${words("besides")}</th>${rest.map((points) => html`<td>${number(points)}</td>`)}</tr></tbody>`;
}

/** @param {Page} page @param {Acts} acts */
function settings(page, acts) {
  const { settings } = page;
  const pick = /** @param {"theme" | "sort"} name @param {readonly string[]} values */ (name, values) => html`<fieldset>
    <legend>${words(`set_${name}`)}</legend>${values.map((value) => html`<label class="pick"><input type="radio" name=${name}
      .checked=${settings[name] === value} @change=${() => acts.set({ [name]: value })} /> ${words(`${name}_${value}`)}</label>`)}</fieldset>`;
  const tick = /** @param {"count" | "four" | "letters" | "motion"} name */ (name) => html`<label class="pick"><input type="checkbox"
    .checked=${settings[name]} @change=${() => acts.set({ [name]: !settings[name] })} /> ${words(`set_${name}`)}</label>`;
  return html`<div class="settings">${languages()}${sounds(settings, acts)}${pick("theme", THEMES)}${pick("sort", SORTS)}
    <fieldset><legend>${words("set_more")}</legend>${suited(page.view.scene) ? [tick("four"), tick("count")] : nothing}${tick("motion")}${tick("letters")}</fieldset>
    ${notices(settings, acts)}
    ${page.lesson || page.still || page.view.table.status === "open" ? nothing : lateInvitation(page.view.table)}
    ${page.view.table.link ? ownLink(page.view.table.link) : nothing}
    ${leave(page, acts)}</div>`;
}

const KEYS = ["arrows", "shift", "enter", "digits", "escape", "question"];

/** Where fingers are all there is: whoever has a keyboard as well finds its keys under their heading. */
const FINGERS = "(pointer: coarse) and (not (any-pointer: fine))";

/** What some letters ask for, and not every table offers. @type {Record<string, (page: Page) => boolean>} */
const OFFERED = { h: ({ view }) => view.table.hints, c: isTalk, u: ({ lesson }) => !lesson, n: ({ lesson }) => !lesson };

/** The letters that do something at this table: what only some games hear, those have words for. @param {Page} page */
const lettersOf = (page) => LETTERS.filter((letter) => named("does_").includes(letter) && (OFFERED[letter]?.(page) ?? true));

/** @param {Page} page @param {Acts} acts */
function help(page, acts) {
  return html`<p>${words("help_taps")}</p>
    <details ?open=${!matchMedia(FINGERS).matches}><summary>${words("keyboard")}</summary>
    <dl class="keys">${KEYS.map((key) => html`<dt><kbd>${words(`key_${key}`)}</kbd></dt><dd>${words(`does_${key}`)}</dd>`)}
      ${lettersOf(page).map((letter) => html`<dt>${keyField(page.settings, acts, letter)}</dt><dd>${words(`does_${letter}`)}</dd>`)}</dl>
    <p>${words("keys_change")} <button type="button" class="button" ?disabled=${!Object.keys(page.settings.keys).length}
      @click=${() => acts.set({ keys: {} })}>${words("keys_usual")}</button></p></details>
    <p><a href="/rules/${page.view.table.game}" target="brelan-rules">${words("rules")}</a></p>
    <button type="button" class="button" @click=${() => acts.open("settings")}>${words("settings")}</button>`;
}

/** The key of a letter's deed, in which another letter may be typed. @param {Settings} settings @param {Acts} acts @param {string} letter */
function keyField({ keys, letters }, acts, letter) {
  /** @param {Event} event */
  const typed = ({ target }) => {
    const field = /** @type {HTMLInputElement} */ (target);
    const key = field.value.toLowerCase().replace(keyOf(keys, letter), "");
    if (/^\p{L}$/u.test(key)) acts.set({ keys: exchanged(keys, letter, key) });
    else field.value = keyOf(keys, letter);
    field.select();
  };
  return html`<input class="key" maxlength="2" autocomplete="off" aria-label=${words("key_for", { deed: words(`does_${letter}`) })} ?disabled=${!letters}
    .value=${keyOf(keys, letter)} @focus=${(/** @type {Event} */ { target }) => /** @type {HTMLInputElement} */ (target).select()} @input=${typed}>`;
}
