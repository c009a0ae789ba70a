/** Dragging a card to a zone, or to another place in the hand. Never the only way: every drop is also two taps, in the hand a tap and arrows. */

const THRESHOLD = 8; // pixels before a press becomes a drag

/**
 * @typedef {object} Hands
 * @property {(key: string) => void} raise a card is taken up
 * @property {(key: string, zone: string) => void} drop it is let go over a zone
 * @property {(key: string, before: string | null) => void} arrange it is let go in the hand
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
  const key = String(card.dataset.key);
  const off = new AbortController();
  let carried = false;
  const own = /** Another finger neither carries it nor lets it go. @param {(event: PointerEvent) => void} does */ (does) =>
    /** @param {PointerEvent} event */ (event) => event.pointerId === first.pointerId && does(event);
  const move = own((event) => {
    const [x, y] = [event.clientX - first.clientX, event.clientY - first.clientY];
    if (!carried && Math.hypot(x, y) <= THRESHOLD) return;
    if (!carried) hands.raise(key);
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
    const follows = new AbortController();
    addEventListener("click", (click) => click.stopPropagation(), { capture: true, once: true, signal: follows.signal });
    setTimeout(() => follows.abort(), 0); // where no click follows, the next one is heard
    land(key, card, event, hands);
  });
  addEventListener("pointermove", move, { signal: off.signal });
  addEventListener("pointerup", end, { signal: off.signal });
  addEventListener("pointercancel", end, { signal: off.signal });
}

/** What lies under the pointer, the carried card apart. @param {PointerEvent} event @param {HTMLElement} card */
const under = (event, card) =>
  document.elementsFromPoint(event.clientX, event.clientY).find((element) => !card.contains(element)) ?? null;

/** @param {Element | null} place */
function mark(place) {
  document.querySelector(".zone[data-over]")?.removeAttribute("data-over");
  place?.closest(".zone")?.setAttribute("data-over", "");
}

/** @param {string} key @param {HTMLElement} card @param {PointerEvent} event @param {Hands} hands */
function land(key, card, event, hands) {
  const zone = /** @type {HTMLElement | null | undefined} */ (under(event, card)?.closest("[data-zone]"));
  if (zone?.querySelector("[data-hand]")) hands.arrange(key, nextTo(zone, card, event.clientX));
  else if (zone) hands.drop(key, String(zone.dataset.zone));
}

/** The key of the first card to the right of the pointer, in its row. @param {HTMLElement} zone @param {HTMLElement} card @param {number} x */
function nextTo(zone, card, x) {
  const others = [.../** @type {NodeListOf<HTMLElement>} */ (zone.querySelectorAll(".card"))].filter((other) => other !== card);
  const right = others.find((other) => other.getBoundingClientRect().left + other.offsetWidth / 4 > x);
  return right?.dataset.key ?? null;
}
