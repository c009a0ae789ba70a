/** A hand: how its owner likes it sorted, and how a fan spreads in the room it has. The order never leaves the device. */
import { place, read } from "./cards.js";

/** @typedef {import("./protocol.js").Card} Card */

export const SORTS = /** @type {const} */ (["laid", "colour", "value", "hand"]);

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

const GAP = 10; // between two groups of cards that lie over each other
const APART = 14; // between two that lie apart
const HELD = 700; // pixels: on wider screens a hand is held, its cards over each other even where there is room
const LEAST = 34; // of a card that must be tapped, in CSS pixels; below it, or below `--least`, a second row begins

/** Spread every fan over the room it has: overlapping where it must, in rows where strips would be too narrow. */
export function spread() {
  for (const fan of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".fan"))) {
    const card = /** @type {HTMLElement | null} */ (fan.querySelector(".card"))?.offsetWidth;
    if (card) lay(fan, card, fan.children.length);
  }
}

/** @param {HTMLElement} fan @param {number} card @param {number} count */
function lay(fan, card, count) {
  const room = Number(fan.parentElement?.clientWidth) - 2;
  const groups = fan.querySelectorAll("[data-gap]").length;
  const gap = fan.closest(".result") ? Math.max(GAP, apart(room, card, count, groups)) : GAP;
  const gaps = gap * groups;
  const natural = card * (fan.dataset.close !== undefined ? 0.3 : fan.dataset.hand !== undefined && innerWidth >= HELD ? 0.8 : 1.06);
  const step = /** @param {number} per @param {number} room */ (per, room) => Math.min(natural, (room - card) / Math.max(1, per - 1));
  let rows = 1; // as many as without gaps: these come and go with the melds, and the table must not jump with them
  const least = Number(getComputedStyle(fan).getPropertyValue("--least")) || LEAST;
  if (fan.dataset.hand !== undefined) while (rows < 3 && step(Math.ceil(count / rows), room) < least) rows++;
  const per = Math.ceil(count / rows);
  const slot = Math.max(4, step(per, room - gaps));
  fan.dataset.rows = String(rows);
  fan.style.setProperty("--gap", `${gap}px`);
  fan.style.setProperty("--slot", `${slot}px`);
  fan.style.setProperty("--rest", `${card - slot}px`);
  fan.style.setProperty("--span", `${slot * per + gaps + 0.5}px`);
}

/**
 * The gap with which each group of a hand that is laid out shows its last card whole; 0 where the others would then
 * lie too close. @param {number} room @param {number} card @param {number} count @param {number} groups
 */
function apart(room, card, count, groups) {
  const slot = Math.min(card * 1.06, (room - card - groups * (card + APART)) / Math.max(1, count - 1 - groups));
  return slot < LEAST / 2 ? 0 : card + APART - slot;
}
