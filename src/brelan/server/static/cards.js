/**
 * Cards as SVG, drawn from one symbol sheet. A face is read as the record format writes it: "7h" of the French deck,
 * "R7", "R*" and "R" of the coloured ones, "J" the joker.
 */
import { Directive, directive } from "./vendor/directive.js";
import { html, noChange, nothing } from "./vendor/lit-html.js";
import { words } from "./words.js";

export const SHEET = new URL("cards.svg", import.meta.url).pathname;
const RANKS = "A23456789TJQK";
const SUITS = "shcd";
export const COLOURS = "RYGBPOS";

/** Columns and rows of the pips, from 2 to 10: each pip is [x, y] on a card of 250 by 350. */
const [LEFT, MIDDLE, RIGHT] = [84, 125, 166];
const PAIR = /** @param {number} y @returns {number[][]} */ (y) => [[LEFT, y], [RIGHT, y]];
const CENTRE = /** @param {number} y @returns {number[]} */ (y) => [MIDDLE, y];
const PIPS = [
  [CENTRE(75), CENTRE(275)],
  [CENTRE(75), CENTRE(175), CENTRE(275)],
  [...PAIR(75), ...PAIR(275)],
  [...PAIR(75), CENTRE(175), ...PAIR(275)],
  [...PAIR(75), ...PAIR(175), ...PAIR(275)],
  [...PAIR(75), CENTRE(125), ...PAIR(175), ...PAIR(275)],
  [...PAIR(75), CENTRE(125), ...PAIR(175), CENTRE(225), ...PAIR(275)],
  [...PAIR(66), ...PAIR(139), CENTRE(175), ...PAIR(211), ...PAIR(284)],
  [...PAIR(66), CENTRE(102), ...PAIR(139), ...PAIR(211), CENTRE(248), ...PAIR(284)],
];

/**
 * What a face says: its kind, its colour or suit, its value for sorting, and its index.
 * @param {string} face
 */
export function read(face) {
  if (face === "J") return { kind: "joker", suit: "J", value: 99, index: "J" };
  if (SUITS.includes(face[1] ?? "-")) {
    return { kind: "french", suit: face[1], value: RANKS.indexOf(face[0]), index: face[0] === "T" ? "10" : face[0] };
  }
  const number = face.slice(1);
  return { kind: "colour", suit: face[0], value: number === "*" ? 98 : Number(number), index: number };
}

/** Whether any card in sight has a French suit. @param {import("./protocol.js").Scene | null} scene */
export const suited = (scene) => Boolean(scene?.zones.some(({ cards }) => cards.some(({ face }) => face && read(face).kind === "french")));

/** Where a suit or colour stands in a sorted hand. @param {string} suit */
export const place = (suit) => (SUITS + COLOURS + "J").indexOf(suit);

/** @param {string} name @param {number} x @param {number} y @param {number} size */
const symbol = (name, x, y, size) =>
  `<use href="${SHEET}#${name}" x="${x - size / 2}" y="${y - size / 2}" width="${size}" height="${size}" />`;

/** What is drawn on each face: the browser reads it once, every card that shows it is a copy, and lit never walks it. @type {Map<string | null, Element>} */
const drawn = new Map();

/** @param {string | null} face */
function readOnce(face) {
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.innerHTML = draw(face);
  drawn.set(face, picture);
  return picture;
}

/** What stands inside a card's picture: another copy where the card has become another. */
const inside = directive(class extends Directive {
  /** @type {string | null | undefined} */
  face;

  /** @param {{ element: Element }} part @param {[string | null]} shown */
  update({ element }, [face]) {
    if (face !== this.face) element.replaceChildren(...(drawn.get(face) ?? readOnce(face)).cloneNode(true).childNodes);
    this.face = face;
    return noChange;
  }
});

/** A card's picture, face up or (`null`) its back. @param {string | null} face */
export function picture(face) {
  const suit = face === null ? nothing : read(face).suit;
  return html`<svg class="face" data-suit=${suit} viewBox="0 0 250 350" aria-hidden="true" focusable="false" ${inside(face)}></svg>`;
}

/** @param {string | null} face */
const draw = (face) =>
  `<rect class="ground" x="1" y="1" width="248" height="348" rx="18" />${face === null ? back() : FACES[read(face).kind](read(face))}`;

const back = () => `<use href="${SHEET}#back" width="250" height="350" />`;

/** @typedef {ReturnType<typeof read>} Face */

/** @type {Record<string, (face: Face) => string>} */
const FACES = { french, colour, joker };

/** Both corners of a card. @param {() => string} corner */
const corners = (corner) => `<g class="corner">${corner()}</g>
  <g class="corner" transform="rotate(180 125 175)">${corner()}</g>`;

/** @param {string} index @param {number} y */
const numeral = (index, y) => `<text x="33" y="${y}" class="${index.length > 1 ? "wide" : ""}">${index}</text>`;

/** The letter of a court card or an ace in the reader's language. @param {string} index */
const lettered = (index) => words("card_letters")["AJQK".indexOf(index)] ?? index;

/** The first letters of a colour in the reader's language, enough to tell it from all others. @param {string} suit */
const initials = (suit) => words("colour_letters").split(" ")[COLOURS.indexOf(suit)];

/** @param {Face} card */
function french(card) {
  const corner = () => `${numeral(lettered(card.index), 60)}${symbol(card.suit, 33, 92, 40)}`;
  return `${corners(corner)}${card.value > 9 ? court(card) : pips(card)}
    <g class="plain">${symbol(card.suit, 135, 185, 120)}</g>`;
}

/** @param {Face} card */
function pips(card) {
  if (card.value === 0) return `<g class="pips ace">${symbol(card.suit, 125, 175, 136)}${symbol(card.suit, 125, 175, 100)}</g>`;
  const size = 50;
  return `<g class="pips">${PIPS[card.value - 1].map(([x, y]) =>
    y > 175
      ? `<g transform="rotate(180 125 175)">${symbol(card.suit, 250 - x, 350 - y, size)}</g>`
      : symbol(card.suit, x, y, size)).join("")}</g>`;
}

/** @param {Face} card */
function court(card) {
  const half = () => `<use href="${SHEET}#${card.index}" x="58" y="42" width="134" height="133" />`;
  return `<g class="court"><rect class="panel" x="58" y="34" width="134" height="282" rx="4" />
    ${half()}<g transform="rotate(180 125 175)">${half()}</g>
    <path class="belt" d="M58 171h134v8H58Z" /><rect class="frame" x="58" y="34" width="134" height="282" rx="4" />
    ${symbol(card.suit, 78, 56, 28)}<g transform="rotate(180 125 175)">${symbol(card.suit, 78, 56, 28)}</g></g>`;
}

/** @param {Face} card */
function colour(card) {
  const corner = () =>
    `${card.index === "*" ? symbol("star", 33, 45, 48) : numeral(card.index, 64)}${symbol(card.suit, 33, card.index ? 100 : 44, 46)}
      <text class="letter" x="33" y="${card.index ? 158 : 104}">${initials(card.suit)}</text>`;
  return `${card.index === "" ? element : tablet}
    ${corners(corner)}<g class="emblem">${middle(card)}</g>`;
}

/** The ground of a number: a tablet with a fine line. */
const tablet = `<rect class="panel" x="66" y="34" width="118" height="282" rx="59" />
  <rect class="frame" x="73" y="41" width="104" height="268" rx="52" />`;

/** The ground of a card that is its colour and nothing else: a medallion on a band. */
const element = `<rect class="panel" x="80" y="34" width="90" height="282" rx="45" /><circle class="panel" cx="125" cy="175" r="84" />
  <circle class="frame" cx="125" cy="175" r="76" /><circle class="frame" cx="125" cy="175" r="70" />`;

/** @param {Face} card */
function middle(card) {
  if (card.index === "") {
    const small = symbol(card.suit, 125, 70, 40);
    return `${symbol(card.suit, 125, 175, 104)}${small}<g transform="rotate(180 125 175)">${small}</g>`;
  }
  if (card.index === "*") return symbol("star", 125, 175, 112);
  return `<text class="wide-${card.index.length}" x="125" y="207">${card.index}</text>
    ${symbol(card.suit, 125, 92, 44)}<g transform="rotate(180 125 175)">${symbol(card.suit, 125, 92, 44)}</g>`;
}

/** @param {Face} card */
function joker(card) {
  const corner = () => `${numeral(card.index, 62)}${symbol("joker", 33, 98, 44)}`;
  return `<rect class="panel" x="66" y="34" width="118" height="282" rx="59" />
    ${corners(corner)}${symbol("joker", 125, 175, 116)}`;
}
