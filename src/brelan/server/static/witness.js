/**
 * What this device saw of each match at which it had a seat: the house's promise and its own share before the deal, then
 * the root of each shuffle as it came, by which it checks every card that was dealt to its seat.
 */
import { keep, kept } from "./settings.js";
import { able, holds } from "./verify.js";

/** @typedef {import("./protocol.js").View} View */
/** @typedef {{ match: string, shuffles: number, roots: (string | null)[], proofs: import("./verify.js").Proof[] }} Proofs */

/**
 * @typedef {{ match: string, commit: string, nonces: (string | null)[], shared: boolean, roots: (string | null)[], checked: number, cards: number, wrong: boolean, replaced: boolean }} Promised
 * `nonces` those that were seen, by their seats, `shared` whether this device gave one of them, `roots` by the number of their shuffle, `checked` how many shuffles have been, `cards` how many of one's own cards were right, `replaced` whether it took the place of a match that had not come to its end
 */

const NAME = "brelan.promises";
const MOST = 50; // matches
const NEWS = 200; // events: of older ones a view says nothing
const NOTHING = { nonces: [], shared: false, roots: [], checked: 0, cards: 0, wrong: false, replaced: false }; // found yet

/** @returns {Promised[]} */
const all = () => kept(NAME, []);

/** Write down what was promised for a match, and what was seen of it. @param {Pick<Promised, "match" | "commit"> & Partial<Promised>} promised */
export function witness({ match, commit, ...seen }) {
  write({ ...begun(match, commit), ...seen });
}

/** What is known of a match. @param {string} match @param {string} commit @returns {Promised} */
const begun = (match, commit) => witnessed(match) ?? { ...NOTHING, match, commit, roots: [] };

/**
 * Whether a match stands in the place of one that was being played: a house that disliked what it was about to deal would
 * promise anew. None gives way before its end, and the news tell of an end, as far as they reach back.
 * @param {View} view @param {import("./protocol.js").Table | null} before @param {number | null} seen the number of the view before
 */
export const isReplaced = ({ number, table, news }, before, seen) =>
  before?.status === "playing" && before.match !== table.match && number - Number(seen) <= NEWS && !news.some(({ kind }) => kind === "over");

/** Keep it with what another page of this device saw: a promise that changes is found out. @param {Promised} own */
function write(own) {
  const known = witnessed(own.match) ?? own;
  own.shared ||= known.shared;
  own.wrong ||= known.wrong;
  own.replaced ||= known.replaced;
  if (known.nonces.length) own.nonces = known.nonces.map((nonce, seat) => nonce ?? own.nonces[seat] ?? null);
  known.roots.forEach((root, i) => root && note(own, i, root));
  keep(NAME, [...all().filter(({ match }) => match !== own.match), own].slice(-MOST));
}

/** The root of a shuffle, the first that was seen. @param {Promised} own @param {number} i @param {string | null} root */
function note(own, i, root) {
  const known = own.roots[i];
  if (known && known !== root) own.wrong = true;
  own.roots[i] = known ?? root;
}

/** @param {string} match @returns {Promised | undefined} */
export function witnessed(match) {
  const promised = all().filter((promised) => promised.match === match).at(-1);
  return promised && { ...NOTHING, ...promised, roots: [...(promised.roots ?? [])] };
}

// ---------------------------------------------------------------- one's own cards

/** What was found of the match at the table. @type {Promised | null} */
let now = null;
let asking = false;

/** Two pages may write in the same moment, each without what the other found: that is said again, once. */
addEventListener("storage", ({ key }) => {
  const known = key === NAME && now && witnessed(now.match);
  if (now && known && ((now.wrong && !known.wrong) || (now.shared && !known.shared))) write(now);
});

/** What this device has checked of a match until now. @param {string | null} match */
export const findings = (match) => (now?.match === match && (now?.checked || now?.wrong) ? now : null);

/**
 * Check the cards that were dealt since the last time. @param {View} view @param {View | undefined} before
 * @returns {Promise<boolean>} whether there is something new to tell
 */
export async function watch(view, before) {
  const { table } = view;
  if (!able || !table.match || !table.commit || !table.root || table.seat === null) return false;
  if (view.scene && view.scene.seat !== table.seat) return false; // who sits down after a match was dealt nothing in it
  const known = now; // a page that was loaded again knows what was found before
  if (now?.match !== table.match) now = begun(table.match, table.commit);
  const isOther = now.commit !== table.commit && !now.wrong;
  now.wrong ||= isOther;
  const isNew = !now.roots[table.shuffles - 1];
  note(now, table.shuffles - 1, table.root);
  if (!isNew && !isOther && now.checked >= table.shuffles) return now !== known;
  write(now);
  if (asking) return false; // the view that follows asks again
  asking = true;
  try {
    const answer = await fetch(`/t/${table.code}/proofs?since=${now.checked}`);
    if (answer.ok) await check(now, await answer.json(), table.seat, isNew && before && !played(view) ? view : null);
    write(now);
    return answer.ok;
  } catch {
    return false; // the line is cut; the next view asks again
  } finally {
    asking = false;
  }
}

/** Whether the reader's seat has moved since the view before: what it was dealt may have left the hand. @param {View} view */
const played = ({ news, table }) => news.some(({ kind, seat }) => kind === "move" && seat === table.seat);

/**
 * Every card that was proven lies where its root says, and those just dealt are in the hand. @param {Promised} own
 * @param {Proofs} answer @param {number} seat @param {View | null} view the view that came with the deal
 */
async function check(own, { match, shuffles, roots, proofs }, seat, view) {
  if (match !== own.match) return;
  roots.forEach((root, i) => note(own, own.checked + i, root));
  for (const proof of proofs) {
    const root = own.roots[proof.shuffle];
    if (root && !(await holds(proof, root))) own.wrong = true;
    if (proof.zone === `hand:${seat}` && root) own.cards++;
  }
  if (view && view.table.shuffles === shuffles) own.wrong ||= !dealt(view, proofs, shuffles - 1, `hand:${seat}`);
  own.checked = shuffles;
}

/** Whether the hand holds the cards that were proven to have come to it. @param {View} view @param {Proofs["proofs"]} proofs @param {number} shuffle @param {string} zone */
function dealt({ scene }, proofs, shuffle, zone) {
  const hand = scene?.zones.filter(({ id, owner }) => id === zone || owner === scene.seat).flatMap(({ cards }) => cards.map(({ face }) => face)) ?? [];
  return proofs
    .filter((proof) => proof.shuffle === shuffle && proof.zone === zone)
    .every(({ card }) => {
      const place = hand.indexOf(card);
      return place >= 0 && hand.splice(place, 1).length;
    });
}
