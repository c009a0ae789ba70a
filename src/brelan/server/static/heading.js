/** The head of a table's page: what is played, the last move, the score in short, and what opens the sheets. */
import { isTalk } from "./chat.js";
import { sealSign } from "./sign.js";
import { lastMove } from "./told.js";
import { html, nothing } from "./vendor/lit-html.js";
import { number, words } from "./words.js";

/** @typedef {import("./protocol.js").Page} Page @typedef {import("./protocol.js").Acts} Acts */

/** @param {Page} page @param {Acts} acts @param {() => void} rules */
export function heading(page, acts, rules) {
  const { table } = page.view;
  const button = /** @param {string} name @param {string} sign */ (name, sign) => html`<button type="button" class="icon" data-sheet=${name}
    @click=${() => (name === "rules" ? rules() : acts.open(name))} title=${words(name)}><span aria-hidden="true">${sign}</span></button>`;
  return html`<header class="heading"><h1><a href="/">Brelan</a> <span>${table.title}</span></h1>
    ${lastMove(page, acts)}
    ${table.status === "playing" && !page.view.scene ? nothing : html`<nav aria-label=${words("sheets")}>
      ${table.scores.length ? html`<button type="button" class="icon tally" @click=${() => acts.open("score")}
        aria-label=${`${words("score")} ${points(table)}, ${named(table)}`}>${inShort(table)}</button>` : nothing}
      ${isTalk(page) ? talk(page, acts) : nothing}${sealSign(table, () => acts.open("seal"))}${button("rules", "§")}${button("log", "☰")}${button("settings", "⚙\ufe0e")}${button("help", "?")}
    </nav>`}</header>`;
}

/** What opens the talk, with how much of it the reader has not looked at. @param {Page} page @param {Acts} acts */
const talk = ({ unheard: n }, acts) => html`<button type="button" class="icon" data-sheet="chat" @click=${() => acts.open("chat")}
  title=${n ? words("unheard", { n }) : words("chat")}><span aria-hidden="true">✎</span>${n ? html`<span class="unheard" aria-hidden="true">${n}</span>` : nothing}</button>`;

/** @param {import("./protocol.js").Table} table */
function inShort(table) {
  if (table.scores.length > 2) return table.seat === null ? words("score") : html`<small>${words("score")}</small> ${points(table)}`;
  return points(table);
}

/** Of two seats both scores, of more the reader's own. @param {import("./protocol.js").Table} table */
const points = ({ scores, seat }) => (scores.length > 2 ? scores.filter((_, i) => i === seat) : scores).map(number).join(" : ");

/** @param {import("./protocol.js").Table} table */
const named = ({ scores, seats }) => seats.map(({ seat, name }) => `${name} ${number(scores[seat])}`).join(", ");
