/** Dragging a card to a zone, or to another place in the hand. Never the only way: every drop is also two taps, in the hand a tap and arrows. */

const THRESHOLD = 8; // pixels before a press becomes a drag
const LATE = 300; // milliseconds within which the click comes that follows a drag: on iOS some 40

/**
 * @typedef {object} Hands
 * @property {(key: string) => void} raise a card is taken up
 * @property {(key: string, zone: string) => void} drop it is let go over a zone
 * @property {(key: string, before: string | null) => void} arrange it is let go elsewhere in the hand
 */

/** @param {HTMLElement} root @param {Hands} hands */
export function draggable(root, hands) {
  root.addEventListener("pointerdown", (event) => {
    const card = event.target instanceof Element && /** @type {HTMLElement | null} */ (event.target.closest("[data-hand] .card"));
    if (card && event.button === 0 && event.isPrimary && !event.ctrlKey) follow(card, event, hands);
  });
}

/** @param {HTMLElement} card @param {PointerEvent} first @param {Hands} hands */
function follow(card, first, hands) {
  const off = new AbortController();
  let carried = false;
  const own = /** Another finger neither carries it nor lets it go. @param {(event: PointerEvent) => void} does */ (does) =>
    /** @param {PointerEvent} event */ (event) => event.pointerId === first.pointerId && does(event);
  const move = own((event) => {
    const [x, y] = [event.clientX - first.clientX, event.clientY - first.clientY];
    if (!carried && Math.hypot(x, y) <= THRESHOLD) return;
    if (!carried) hands.raise(String(card.dataset.key));
    carried = true;
    card.classList.add("carried");
    card.parentElement?.classList.add("carries");
    card.style.translate = `${x}px ${y}px`;
    mark(under(event, card));
  });
  const end = own((event) => {
    off.abort();
    mark(null);
    card.classList.remove("carried");
    card.parentElement?.classList.remove("carries");
    card.style.translate = "";
    if (!carried || event.type === "pointercancel") return;
    hush();
    land(card, first, event, hands);
  });
  addEventListener("pointermove", move, { signal: off.signal });
  addEventListener("pointerup", end, { signal: off.signal });
  addEventListener("pointercancel", end, { signal: off.signal });
}

/** The click that follows a drag means nothing; where none comes, the next press is heard. */
function hush() {
  const off = new AbortController();
  const last = { capture: true, once: true, signal: off.signal };
  addEventListener("click", (click) => click.stopPropagation(), last);
  addEventListener("pointerdown", () => off.abort(), last);
  setTimeout(() => off.abort(), LATE);
}

/** What lies under the pointer, the carried card apart. @param {PointerEvent} event @param {HTMLElement} card */
const under = (event, card) =>
  document.elementsFromPoint(event.clientX, event.clientY).find((element) => !card.contains(element)) ?? null;

/** @param {Element | null} place */
function mark(place) {
  document.querySelector(".zone[data-over]")?.removeAttribute("data-over");
  place?.closest(".zone")?.setAttribute("data-over", "");
}

/** @param {HTMLElement} card @param {PointerEvent} first @param {PointerEvent} event @param {Hands} hands */
function land(card, first, event, hands) {
  const [key, zone] = [String(card.dataset.key), /** @type {HTMLElement | null | undefined} */ (under(event, card)?.closest("[data-zone]"))];
  if (!zone?.querySelector("[data-hand]")) return zone && hands.drop(key, String(zone.dataset.zone));
  const cards = [.../** @type {NodeListOf<HTMLElement>} */ (zone.querySelectorAll(".card"))];
  const next = nextTo(card, cards.filter((other) => other !== card), event.clientX, event.clientY - first.clientY);
  if (next !== cards[cards.indexOf(card) + 1]) hands.arrange(key, next?.dataset.key ?? null); // else it was a tap that slipped: the card stays raised
}

/** @param {HTMLElement} card */
const rowOf = (card) => Number(card.parentElement?.offsetTop);

/** The first card to the right of the pointer, in the row nearest to where the card was carried; or that begins the next. @param {HTMLElement} card @param {HTMLElement[]} others @param {number} x @param {number} down */
function nextTo(card, others, x, down) {
  const away = /** @param {number} row */ (row) => Math.abs(rowOf(card) + down - row);
  const row = others.map(rowOf).reduce((near, one) => (away(one) < away(near) ? one : near), rowOf(card));
  return others.find((other) => rowOf(other) > row || (rowOf(other) === row && other.getBoundingClientRect().left + other.offsetWidth / 4 > x));
}
