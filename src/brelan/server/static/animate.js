/**
 * Cards that changed their place fly there (FLIP): measured before and after drawing, by key, and by the scene's `last`
 * for those that come from a zone where they were not seen. Nothing here knows more than the scene says.
 */

const LENGTH = 260; // milliseconds
const STEP = 22; // between one card and the next of a deal
const LONGEST_DELAY = 300;

/** @returns {NodeListOf<HTMLElement>} */
const cards = () => document.querySelectorAll("[data-key]");

/** Where every card and zone stands now. */
export function measure() {
  /** @type {Map<string, DOMRect>} */
  const places = new Map();
  for (const card of cards()) places.set(`card ${card.dataset.key}`, card.getBoundingClientRect());
  for (const zone of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-zone]"))) {
    places.set(`zone ${zone.dataset.zone}`, zone.getBoundingClientRect());
  }
  return places;
}

/**
 * Let the cards fly from where they were. @param {Map<string, DOMRect>} before
 * @param {import("./protocol.js").Moved[]} last
 */
export function fly(before, last) {
  const sources = new Map(last.map((move) => [move.key, move.source]));
  let flights = 0;
  for (const card of cards()) {
    const key = String(card.dataset.key);
    const source = sources.get(key);
    const from = before.get(`card ${key}`) ?? (source && before.get(`zone ${source}`));
    if (from && start(card, from, Math.min(flights * STEP, LONGEST_DELAY))) flights += sources.has(key) ? 1 : 0;
  }
}

/** @param {HTMLElement} card @param {DOMRect} from @param {number} delay */
function start(card, from, delay) {
  const to = card.getBoundingClientRect();
  const x = from.left + from.width / 2 - to.left - to.width / 2;
  const y = from.top + from.height / 2 - to.top - to.height / 2;
  if (!to.width || (Math.abs(x) < 1 && Math.abs(y) < 1)) return false;
  const scale = Math.min(2.5, Math.max(0.4, Math.min(from.width / to.width, from.height / to.height)));
  card.animate(
    [{ transform: `translate(${x}px, ${y}px) scale(${scale})`, zIndex: 5 }, { transform: "none", zIndex: 5 }],
    { duration: LENGTH, delay, fill: "backwards", easing: "cubic-bezier(.2, .7, .2, 1)" },
  );
  return true;
}
