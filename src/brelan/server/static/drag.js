/** Dragging a card to a zone, or to another place in the hand. Never the only way: every drop is also two taps. */

const THRESHOLD = 8; // pixels before a press becomes a drag

/**
 * @param {HTMLElement} root
 * @param {(key: string, zone: string) => void} drop
 * @param {(key: string, before: string | null) => void} arrange
 */
export function draggable(root, drop, arrange) {
  root.addEventListener("pointerdown", (event) => {
    const card = event.target instanceof Element && /** @type {HTMLElement | null} */ (event.target.closest("[data-hand] .card"));
    if (card && event.button === 0 && event.isPrimary) follow(card, event, drop, arrange);
  });
}

/**
 * @param {HTMLElement} card @param {PointerEvent} first
 * @param {(key: string, zone: string) => void} drop @param {(key: string, before: string | null) => void} arrange
 */
function follow(card, first, drop, arrange) {
  const key = String(card.dataset.key);
  const off = new AbortController();
  let carried = false;
  const move = /** @param {PointerEvent} event */ (event) => {
    const [x, y] = [event.clientX - first.clientX, event.clientY - first.clientY];
    carried ||= Math.hypot(x, y) > THRESHOLD;
    if (!carried) return;
    card.classList.add("carried");
    card.style.translate = `${x}px ${y}px`;
    mark(under(event, card));
  };
  const end = /** @param {PointerEvent} event */ (event) => {
    off.abort();
    mark(null);
    card.classList.remove("carried");
    card.style.translate = "";
    if (!carried || event.type === "pointercancel") return;
    addEventListener("click", (click) => click.stopPropagation(), { capture: true, once: true });
    setTimeout(() => dispatchEvent(new Event("click")), 0); // takes the listener away where no click follows
    land(key, card, event, drop, arrange);
  };
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

/**
 * @param {string} key @param {HTMLElement} card @param {PointerEvent} event
 * @param {(key: string, zone: string) => void} drop @param {(key: string, before: string | null) => void} arrange
 */
function land(key, card, event, drop, arrange) {
  const zone = /** @type {HTMLElement | null | undefined} */ (under(event, card)?.closest("[data-zone]"));
  if (zone?.querySelector("[data-hand]")) arrange(key, nextTo(zone, card, event.clientX));
  else if (zone) drop(key, String(zone.dataset.zone));
}

/** The key of the first card to the right of the pointer, in its row. @param {HTMLElement} zone @param {HTMLElement} card @param {number} x */
function nextTo(zone, card, x) {
  const others = [.../** @type {NodeListOf<HTMLElement>} */ (zone.querySelectorAll(".card"))].filter((other) => other !== card);
  const right = others.find((other) => other.getBoundingClientRect().left + other.offsetWidth / 4 > x);
  return right?.dataset.key ?? null;
}
