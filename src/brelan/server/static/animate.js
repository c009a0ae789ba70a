/**
 * Cards that changed their place fly there (FLIP): measured before and after drawing, by key, and by the scene's `last`
 * for those that come from a zone where they were not seen. Nothing here knows more than the scene says.
 */

const LENGTH = 260; // milliseconds
const STEP = 24; // between one card and the next
const DEAL = 8; // so many at once are a deal: it takes its time, each card turning as it is thrown
const DEAL_STEP = 45;
const LONGEST_DELAY = 300;
const LONGEST_DEAL = 900;

/** @type {Set<Animation>} */
const flying = new Set();

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
  const deal = last.length >= DEAL;
  const delay = () => (deal ? Math.min(flights * DEAL_STEP, LONGEST_DEAL) : Math.min(flights * STEP, LONGEST_DELAY));
  let flights = 0;
  for (const card of cards()) {
    const key = String(card.dataset.key);
    const source = sources.get(key);
    const from = before.get(`card ${key}`) ?? (source && before.get(`zone ${source}`));
    if (from && start(card, from, delay(), deal && source ? -75 : 0)) flights += sources.has(key) ? 1 : 0;
  }
}

/** Whoever cannot wait touches anything: what still flies has arrived. */
function land() {
  for (const flight of flying) flight.finish();
}

/** @param {HTMLElement} card @param {DOMRect} from @param {number} delay @param {number} turn in degrees */
function start(card, from, delay, turn) {
  const to = card.getBoundingClientRect();
  const x = from.left + from.width / 2 - to.left - to.width / 2;
  const y = from.top + from.height / 2 - to.top - to.height / 2;
  if (!to.width || (Math.abs(x) < 1 && Math.abs(y) < 1)) return false;
  const scale = Math.min(2.5, Math.max(0.4, Math.min(from.width / to.width, from.height / to.height)));
  const flight = card.animate(
    [{ transform: `translate(${x}px, ${y}px) rotate(${turn}deg) scale(${scale})`, zIndex: 5 }, { transform: "none", zIndex: 5 }],
    { duration: LENGTH, delay, fill: "backwards", easing: "cubic-bezier(.2, .7, .2, 1)" },
  );
  flying.add(flight);
  flight.onfinish = flight.oncancel = () => flying.delete(flight);
  return true;
}

for (const touch of ["click", "keydown"]) addEventListener(touch, land, { capture: true }); // what moved under a finger would not be tapped
