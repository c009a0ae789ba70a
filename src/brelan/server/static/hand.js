/** A hand: how its owner likes it sorted, and how a fan spreads in the room it has. The order never leaves the device. */
import { place, read } from "./cards.js";
import { all } from "./focus.js";

/** @typedef {import("./protocol.js").Card} Card */

/** @param {Card} card @param {"suit" | "value"} part */
function rank(card, part) {
  if (!card.face) return 1000;
  return part === "suit" ? place(read(card.face).suit) : read(card.face).value;
}

/** @type {Record<string, (order: string[]) => (a: Card, b: Card) => number>} */
const COMPARE = {
  laid: () => () => 0,
  colour: () => (a, b) => rank(a, "suit") - rank(b, "suit") || rank(a, "value") - rank(b, "value"),
  value: () => (a, b) => rank(a, "value") - rank(b, "value") || rank(a, "suit") - rank(b, "suit"),
  hand: (order) => {
    const at = /** @param {Card} card */ (card) => (order.includes(card.key) ? order.indexOf(card.key) : order.length);
    return (a, b) => at(a) - at(b);
  },
};

/** The cards in the order that their owner likes. @param {Card[]} cards @param {string} sort @param {string[]} order */
export const sorted = (cards, sort, order) => [...cards].sort(COMPARE[sort](order));

/** The keys with one of them moved before another, or to the end. @param {string[]} keys @param {string} key @param {string | null} before */
export function moved(keys, key, before) {
  const rest = keys.filter((other) => other !== key);
  const at = before === null ? rest.length : rest.indexOf(before);
  return [...rest.slice(0, at), key, ...rest.slice(at)];
}

/** The keys with one of them so many places farther, as long as there are any. @param {string[]} keys @param {string} key @param {number} step */
export function shifted(keys, key, step) {
  const others = keys.filter((other) => other !== key);
  return moved(keys, key, others[Math.max(0, keys.indexOf(key) + step)] ?? null);
}

const GAP = 10; // between two groups of cards that lie over each other
const APART = 14; // between two that lie apart
const CORNER = 0.3; // of a card's width: enough to tell it by
const INDEX = 0.22; // of a card's width: its value and sign, no more; where even they would not be seen, a second row begins
const HELD = matchMedia("(min-width: 43.75em)"); // on such screens a hand is held, its cards over each other even where there is room
const LEAST = 34; // of a card that must be tapped, in CSS pixels; below it, or below `--least`, a second row begins

/**
 * Spread every fan over the room it has: overlapping where it must, in rows where strips would be too narrow. Other rows
 * make a hand higher or lower, and so the felt, whose cards are as large as its height allows: then all is spread anew.
 */
export function spread() {
  if (laid()) laid();
}

/** Lay all fans once: whether one got other rows. All are measured before the first is laid; else the browser would lay out the page anew for each. */
function laid() {
  const fans = all(".fan");
  const lies = fans.map(measured);
  const others = fans.map((fan, i) => lies[i] && lay(fan, lies[i]));
  return others.includes(true);
}

/** How the cards of a fan are to lie, in CSS pixels; null of one without cards. @param {HTMLElement} fan */
function measured(fan) {
  const card = /** @type {HTMLElement | null} */ (fan.querySelector(".card"))?.offsetWidth;
  if (!card) return null;
  const count = fan.children.length;
  const room = Number(fan.parentElement?.clientWidth) - 2;
  const groups = fan.querySelectorAll("[data-gap]").length;
  const gap = fan.closest(".result") ? Math.max(GAP, apart(room, card, count, groups)) : GAP;
  const gaps = gap * groups;
  const natural = card * (fan.closest("[data-close]") ? 0.3 : fan.dataset.hand !== undefined && HELD.matches ? 0.8 : 1.06);
  const step = /** @param {number} per @param {number} room */ (per, room) => Math.min(natural, (room - card) / Math.max(1, per - 1));
  let rows = 1; // as many as without gaps: these come and go with the melds, and the table must not jump with them
  const least = leastOf(fan, card);
  while (rows < 3 && step(Math.ceil(count / rows), room) < least) rows++;
  const per = Math.ceil(count / rows);
  const slot = Math.max(4, step(per, room - gaps));
  return { rows, gap, slot, rest: card - slot, span: slot * per + gaps + 0.5 };
}

/** How much of each card must be seen: of one that is tapped more than of one that lies open. @param {HTMLElement} fan @param {number} card */
function leastOf(fan, card) {
  if (fan.dataset.hand !== undefined) return Number(getComputedStyle(fan).getPropertyValue("--least")) || LEAST;
  return fan.closest(".laid") ? card * INDEX : 0;
}

/** Whether its rows are others now. @param {HTMLElement} fan @param {{ rows: number, gap: number, slot: number, rest: number, span: number }} lies */
function lay(fan, { rows, ...lengths }) {
  const before = fan.dataset.rows;
  fan.dataset.rows = String(rows);
  for (const [name, length] of Object.entries(lengths)) fan.style.setProperty(`--${name}`, `${length}px`);
  return before !== fan.dataset.rows;
}

/**
 * The gap with which each group of a hand that is laid out shows its last card whole; where the others would then lie too
 * close, what is left over beside their corners. @param {number} room @param {number} card @param {number} count @param {number} groups
 */
function apart(room, card, count, groups) {
  const slot = Math.min(card * 1.06, (room - card - groups * (card + APART)) / Math.max(1, count - 1 - groups));
  if (slot >= LEAST / 2) return card + APART - slot;
  return (room - card - (count - 1) * card * CORNER) / Math.max(1, groups);
}
