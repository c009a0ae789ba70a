/**
 * Cards that changed their place fly there (FLIP): measured before and after drawing, by key, and by the scene's `last`
 * for those that come from a zone where they were not seen. Nothing here knows more than the scene says.
 */
import { all } from "./focus.js";

const LENGTH = 260; // milliseconds
const STEP = 24; // between one card and the next
const DEAL = 8; // so many at once are a deal: it takes its time, each card turning as it is thrown
const DEAL_STEP = 45;
const LONGEST_DELAY = 300;
const LONGEST_DEAL = 900;
const PRESS = 400; // that a finger may rest on what flew

/** @type {Set<Animation>} */
const flying = new Set();

const cards = () => all("[data-key]");

/** Where every card and zone stands now. */
export function measure() {
  /** @type {Map<string, DOMRect>} */
  const places = new Map();
  const keep = /** What is not drawn stands nowhere. @param {string} name @param {HTMLElement} thing */ (name, thing) => {
    const place = thing.getBoundingClientRect();
    if (place.width) places.set(name, place);
  };
  for (const card of cards()) keep(`card ${card.dataset.key}`, card);
  for (const zone of all("[data-zone]")) keep(`zone ${zone.dataset.zone}`, zone);
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
  const drawn = cards().map((card) => ({ card, key: String(card.dataset.key), to: card.getBoundingClientRect() })); // before the first flies: see `spread`
  for (const { card, key, to } of drawn) {
    const source = sources.get(key);
    const from = before.get(`card ${key}`) ?? (source && before.get(`zone ${source}`));
    if (from && start(card, from, to, delay(), deal && source ? -75 : 0)) flights += sources.has(key) ? 1 : 0;
  }
}

/** Whoever cannot wait touches anything: what still flies has arrived. */
function land(flights = flying) {
  for (const flight of flights) flight.finish();
}

/** What is pressed stands still until it is let go: from under a finger that rose elsewhere, no tap would come. */
function stop() {
  const stopped = new Set(flying);
  for (const flight of stopped) {
    const now = flight.currentTime;
    flight.pause();
    flight.currentTime = now; // a pause alone comes with a later frame, and until then it would fly on
  }
  setTimeout(() => land(stopped), PRESS);
}

/** @param {HTMLElement} card @param {DOMRect} from @param {DOMRect} to @param {number} delay @param {number} turn in degrees */
function start(card, from, to, delay, turn) {
  const x = from.left + from.width / 2 - to.left - to.width / 2;
  const y = from.top + from.height / 2 - to.top - to.height / 2;
  if (!to.width || (Math.abs(x) < 1 && Math.abs(y) < 1)) return false;
  const scale = Math.min(2.5, Math.max(0.4, Math.min(from.width / to.width, from.height / to.height)));
  const above = { zIndex: 5, pointerEvents: card.localName === "button" ? "auto" : "none" }; // a picture on its way takes no tap from what it crosses
  const flight = card.animate(
    [{ transform: `translate(${x}px, ${y}px) rotate(${turn}deg) scale(${scale})`, ...above }, { transform: "none", ...above }],
    { duration: LENGTH, delay, fill: "backwards", easing: "cubic-bezier(.2, .7, .2, 1)" },
  );
  flying.add(flight);
  flight.onfinish = flight.oncancel = () => flying.delete(flight);
  return true;
}

addEventListener("pointerdown", stop, { capture: true });
for (const touch of ["click", "keydown"]) addEventListener(touch, () => land(), { capture: true });
