/** The head of a table's page: what is played, the last move, the score in short, and what opens the sheets. */
import { isTalk } from "./chat.js";
import { sealSign } from "./sign.js";
import { lastMove } from "./told.js";
import { html, nothing } from "./vendor/lit-html.js";
import { number, words } from "./words.js";

/** @typedef {import("./protocol.js").Page} Page @typedef {import("./protocol.js").Acts} Acts @typedef {import("./protocol.js").Table} Table */

/** The head of any page that shows a table. @param {Table} table @param {Acts} acts @param {unknown} told @param {unknown} openers */
export const head = ({ title }, acts, told, openers) => html`<header class="heading"><h1><a href="/">Brelan</a> <span>${title}</span></h1>
  ${told}${openers === nothing ? nothing : html`<nav aria-label=${words("sheets")}>
    ${openers}${opener(acts, "log", "☰")}${opener(acts, "settings", "⚙\ufe0e")}${opener(acts, "help", "?")}</nav>`}</header>`;

/** @param {Acts} acts @param {string} name @param {string} sign */
export const opener = (acts, name, sign, open = () => acts.open(name)) => html`<button type="button" class="icon" data-sheet=${name}
  @click=${open} title=${words(name)}><span aria-hidden="true">${sign}</span></button>`;

/** @param {Page} page @param {Acts} acts @param {() => void} rules */
export function heading(page, acts, rules) {
  const { table, scene } = page.view;
  return head(table, acts, lastMove(page, acts), table.status === "playing" && !scene ? nothing : html`
    ${table.scores.length ? html`<button type="button" class="icon tally" @click=${() => acts.open("score")}
      aria-label=${`${words("score")} ${points(table)}, ${named(table)}`}>${inShort(table)}</button>` : nothing}
    ${isTalk(page) ? talk(page, acts) : nothing}${sealSign(table, () => acts.open("seal"))}${opener(acts, "rules", "§", () => rules())}`);
}

/** What opens the talk, with how much of it the reader has not looked at. @param {Page} page @param {Acts} acts */
const talk = ({ unheard: n }, acts) => html`<button type="button" class="icon" data-sheet="chat" @click=${() => acts.open("chat")}
  title=${n ? words("unheard", { n }) : words("chat")}><span aria-hidden="true">✎</span>${n ? html`<span class="unheard" aria-hidden="true">${n}</span>` : nothing}</button>`;

/** @param {Table} table */
function inShort(table) {
  if (table.scores.length > 2) return table.seat === null ? words("score") : html`<small>${words("score")}</small> ${points(table)}`;
  return points(table);
}

/** Of two seats both scores, of more the reader's own. @param {Table} table */
const points = ({ scores, seat }) => (scores.length > 2 ? scores.filter((_, i) => i === seat) : scores).map(number).join(" : ");

/** @param {Table} table */
const named = ({ scores, seats }) => seats.map(({ seat, name }) => `${name} ${number(scores[seat])}`).join(", ");
