/** Where the focus is. Of a hand one card is reached by Tab; and whatever is drawn anew, the focus is never lost. */

/** @typedef {{ card: number, key: string | undefined, move: string | undefined, at: number }} Held the card's place in the hand, its key, the button's move, the place among all */

/** @returns {HTMLElement[]} */
export const hand = () => all("[data-hand] .card");

/** @param {string} which @returns {HTMLElement[]} */
export const all = (which) => [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(which))];

/** Whatever has a place in the order of Tab. */
const reached = () => all("main :is(a[href], button, input, select, summary)").filter((one) => one.tabIndex >= 0);

/** What has the focus before the page is drawn; null where nothing has. @returns {Held | null} */
export function held() {
  const now = document.activeElement;
  if (!(now instanceof HTMLElement) || now === document.body) return null;
  const asked = /** @type {HTMLElement | null} */ (now.closest("[data-asks]"));
  return { card: hand().indexOf(now), key: now.dataset.key, move: now.dataset.move ?? asked?.dataset.asks, at: reached().indexOf(now) };
}

/** The focus goes there; the table stands still, and moves only where it is so large that this would not be seen. @param {HTMLElement | null | undefined} one */
export function goTo(one) {
  one?.focus({ preventScroll: true });
  one?.scrollIntoView({ block: "nearest" });
}

/** After drawing: what had the focus has it still, or what took its place. @param {Held | null} was */
export function hold(was) {
  const next = was && document.activeElement === document.body ? successor(was) : null;
  if (next?.closest("dialog")) next.focus(); // a sheet shows what it asks
  else goTo(next);
  const cards = hand();
  const now = Math.max(0, cards.findIndex((card) => card === document.activeElement));
  const current = cards.some((card) => card === document.activeElement) ? now : Math.min(Math.max(0, was?.card ?? 0), cards.length - 1);
  reachBy(cards[current]);
}

/** Tab comes to this card of the hand, and to no other. @param {HTMLElement | undefined} card */
export const reachBy = (card) => hand().forEach((one) => (one.tabIndex = one === card ? 0 : -1));

/** What ends the sheet that lies open, or goes on from it. */
export const sheetEnd = () => all("dialog[open] :is(#leave, header button)").at(-1);

/** What follows something that is gone: what is asked once more, the same move, the same card or the next, a result, what is asked, its neighbour. @param {Held} was */
function successor({ card, key, move, at }) {
  if (document.querySelector("dialog[open]")) return sheetEnd();
  const [cards, others] = [hand(), reached()];
  const same = move && all(`.bar [data-move="${CSS.escape(move)}"]`)[0];
  const own = cards.find((one) => one.dataset.key === key);
  const told = all(".result h2, .bar .prompt").find((one) => one.getClientRects().length);
  return all(".confirm .button")[0] || same || own || cards[Math.min(Math.max(card, 0), cards.length - 1)] || told || others[Math.min(Math.max(at, 0), others.length - 1)];
}
