/** What streaks to expect: how likely what somebody has just seen is, in one deal and over an evening. */
import { html, nothing, render } from "./vendor/lit-html.js";
import { words } from "./words.js";

/** @typedef {{ title: string, cards: number, kind: number, hand: number }} Deck */
/** @typedef {"cards" | "kind" | "hand" | "least" | "deals"} Field */

/** @type {Deck[]} */
const decks = JSON.parse(document.getElementById("decks")?.textContent ?? "[]").filter((/** @type {Deck} */ deck) => deck.hand);
const form = /** @type {HTMLFormElement} */ (document.getElementById("chances"));

/** The most that each field may say. @type {Record<Field, number>} */
const MOST = { cards: 500, kind: 500, hand: 500, least: 500, deals: 1e9 };

/** @type {Record<Field, number>} */
let asked = { cards: 52, kind: 4, hand: 10, least: 3, deals: 100 };

// ---------------------------------------------------------------- chances

/** The logarithms of 0!, 1!, … */
const factorials = [0];
for (let n = 1; n <= MOST.cards; n++) factorials.push(factorials[n - 1] + Math.log(n));

/** In how many ways k things are chosen of n, as a logarithm. @param {number} n @param {number} k */
const ways = (n, k) => (k < 0 || k > n ? -Infinity : factorials[n] - factorials[k] - factorials[n - k]);

/** That a hand holds at least so many cards of a kind: the hypergeometric distribution. @param {Record<Field, number>} asked */
function chance({ cards, kind, hand, least }) {
  let sum = 0;
  for (let k = Math.max(least, 0); k <= Math.min(kind, hand); k++) {
    sum += Math.exp(ways(kind, k) + ways(cards - kind, hand - k) - ways(cards, hand));
  }
  return Math.min(1, sum);
}

/** Whether no hand can hold fewer of them. @param {Record<Field, number>} asked */
const certain = ({ cards, kind, hand, least }) => least <= Math.max(0, hand + kind - cards);

/** That it happens at least once in so many deals. @param {number} once @param {number} deals */
const ever = (once, deals) => (once >= 1 ? 1 : -Math.expm1(deals * Math.log1p(-once)));

// ---------------------------------------------------------------- the form

/** A share as people say it. @param {number} share */
function percent(share) {
  const digits = share > 0 && share < 0.0001 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: share < 0.1 ? 2 : 1 };
  return new Intl.NumberFormat(document.documentElement.lang, { style: "percent", ...digits }).format(share);
}

/** @param {number} n */
const number = (n) => new Intl.NumberFormat(document.documentElement.lang, { maximumSignificantDigits: 3 }).format(n);

/** A number of times as it is told, and as the sentence is chosen by it. @param {number} n */
const counted = (n) => ({ n: Number(n.toPrecision(3)), times: number(n) });

/** @param {Field} name */
const field = (name) => html`<label class="field">${words(`streak_${name}`)}
  <input name=${name} type="number" inputmode="numeric" min=${name === "cards" || name === "deals" ? 1 : 0} max=${MOST[name]} .value=${String(asked[name])}
    @input=${(/** @type {Event} */ event) => change({ [name]: whole(event, name) })} @change=${settled} /></label>`;

/** @param {Event} event @param {Field} name */
function whole(event, name) {
  const typed = Math.trunc(Number(/** @type {HTMLInputElement} */ (event.target).value));
  return Math.max(0, Math.min(MOST[name], typed || 0));
}

/** Once it is typed, a field says what was reckoned with. @param {Event} event */
function settled({ target }) {
  const field = /** @type {HTMLInputElement} */ (target);
  field.value = String(asked[/** @type {Field} */ (field.name)]);
}

/** @param {Partial<Record<Field, number>>} changed */
function change(changed) {
  asked = { ...asked, ...changed };
  draw();
}

function answer() {
  if (asked.kind > asked.cards || asked.hand > asked.cards) return html`<p>${words("streak_too_many")}</p>`;
  if (certain(asked)) return html`<p>${words("streak_always")}</p>`;
  const once = chance(asked);
  if (!once) return html`<p>${words("streak_never")}</p>`;
  const { n, times } = counted(1 / once);
  const told = { percent: percent(once), times };
  return html`<p>${n === 1 ? words("streak_nearly", told) : words("streak_once", told)}</p>
    ${asked.deals > 1 ? over(once, asked.deals) : nothing}`;
}

/** @param {number} once @param {number} deals */
const over = (once, deals) =>
  html`<p>${words("streak_over", { percent: percent(ever(once, deals)), ...counted(once * deals), deals: number(deals) })}</p>`;

/** @param {Event} event */
function pick(event) {
  const deck = decks[Number(/** @type {HTMLSelectElement} */ (event.target).value)];
  if (deck) change({ cards: deck.cards, kind: deck.kind, hand: deck.hand });
}

function draw() {
  render(html`<label class="field">${words("streak_game")}
      <select @change=${pick}><option value="">${words("streak_any")}</option>${decks.map((deck, i) => html`<option value=${i}>${deck.title} (${deck.cards})</option>`)}</select></label>
    ${field("cards")}${field("kind")}${field("hand")}${field("least")}${field("deals")}
    <output>${answer()}</output>`, form);
}

form.addEventListener("submit", (event) => event.preventDefault());
draw();
