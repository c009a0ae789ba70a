/**
 * What this device saw of each match at which it had a seat: the house's promise and its own share before the deal, then
 * the root of each shuffle as it came, by which it checks every card that was dealt to its seat.
 */
import { answerTo } from "./house.js";
import { keep, kept } from "./settings.js";
import { able, holds } from "./verify.js";

/** @typedef {import("./protocol.js").View} View @typedef {import("./protocol.js").Zone} Zone */
/** @typedef {{ match: string, shuffles: number, roots: (string | null)[], proofs: import("./verify.js").Proof[] }} Proofs */

/**
 * @typedef {{ from: number, to: number, held: string[], came: string[], answered: boolean }} Owed what shuffles brought to the hand
 * `held` by the seat right after them, `came` with them, `answered` whether the house has sent what it proves of them
 */

/**
 * @typedef {{ match: string, commit: string, first?: number | null, nonces: (string | null)[], shared: boolean, roots: (string | null)[], checked: number, cards: number, owed: Owed[], wrong: boolean, replaced: boolean }} Promised
 * `first` the seat that begins, null where the house showed none, left out of older notes, `nonces` those that were seen, by their seats, `shared` whether this device gave one of them, `roots` by the number of their shuffle, `checked` how many shuffles have been, `cards` how many of one's own cards were right, `owed` of which the house has not proven all, `replaced` whether it took the place of a match that had not come to its end
 */

/** @typedef {Pick<Promised, "match" | "commit" | "first">} Promising what the house shows before the deal */

const NAME = "brelan.promises";
const MOST = 50; // matches
const NEWS = 200; // events: of older ones a view says nothing
const NOTHING = { nonces: [], shared: false, checked: 0, cards: 0, owed: [], wrong: false, replaced: false }; // found yet

/** @returns {Promised[]} */
const all = () => kept(NAME, []);

/** Write down what was promised for a match, and what was seen of it. @param {Promising & Partial<Promised>} promised */
export function witness({ match, commit, first, ...seen }) {
  write({ ...begun({ match, commit, first }), ...seen });
}

/** What is known of a match. @param {Promising} promise @returns {Promised} */
const begun = ({ match, commit, first }) => witnessed(match) ?? { ...NOTHING, match, commit, first: first ?? null, roots: [] };

/** Whether it is what this device wrote down. @param {Promised} own @param {Pick<Promised, "commit" | "first">} promise */
export const isSame = (own, { commit, first }) => own.commit === commit && (own.first === undefined || own.first === (first ?? null));

/**
 * What this page saw last of a match that was being played, kept through whatever is shown in between: a house that
 * disliked what it was about to deal would promise anew. None gives way before its end, of which the news tell.
 * @param {View} view @param {View | null} before @returns {View | null}
 */
export const playing = (view, before) =>
  view.table.match && view.table.status === "playing" ? view : isEnded(view) ? null : before;

/** Whether a match stands in the place of the one that was being played. @param {View} view @param {View | null} before */
export const isReplaced = (view, before) => isOther(view, before) && !isEnded(view) && !isLater(view, before);

/** Whether there may have been an end of which nobody can tell this page any more. @param {View} view @param {View | null} before */
export const isLater = (view, before) => isOther(view, before) && view.number - Number(before?.number) > NEWS;

/** @param {View} view @param {View | null} before */
const isOther = (view, before) => before !== null && before.table.match !== view.table.match;

/** @param {View} view */
const isEnded = ({ news }) => news.some(({ kind }) => kind === "over");

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
let late = false; // the house was asked for proofs, and sent none

/** Two pages may write in the same moment, each without what the other found: that is said again, once. */
addEventListener("storage", ({ key }) => {
  const known = key === NAME && now && witnessed(now.match);
  if (now && known && ((now.wrong && !known.wrong) || (now.shared && !known.shared))) write(now);
});

/**
 * What this device has checked of a match until now, and whether something of it has not been proven; nothing is told of
 * no cards. @param {string | null} match
 */
export function findings(match) {
  if (!now || now.match !== match) return null;
  const { wrong, cards, owed } = now;
  const unproven = late || owed.some(({ answered }) => answered);
  return wrong || cards || unproven ? { ...now, unproven } : null;
}

/**
 * Check the cards that were dealt since the last time. @param {View} view @param {View | undefined} before
 * @returns {Promise<boolean>} whether there is something new to tell
 */
export async function watch(view, before) {
  const { table } = view;
  if (!able || !table.match || !table.commit || !table.root || table.seat === null) return false;
  if (view.scene && view.scene.seat !== table.seat) return false; // who sits down after a match was dealt nothing in it
  const known = now; // a page that was loaded again knows what was found before
  const promise = { match: table.match, commit: table.commit, first: table.first };
  if (now?.match !== table.match) now = begun(promise);
  const isOther = !isSame(now, promise) && !now.wrong;
  now.wrong ||= isOther;
  bring(now, view, before);
  note(now, table.shuffles - 1, table.root);
  if (!isOther && now.checked >= table.shuffles && now.owed.every(({ answered }) => answered)) return now !== known;
  write(now);
  if (asking) return false; // the view that follows asks again
  asking = true;
  await ask(now, table);
  asking = false;
  return true;
}

/** What the shuffles since the view before brought to the hand; where the seat has moved since, that may have left it. @param {Promised} own @param {View} view @param {View | undefined} before */
function bring(own, { table, scene, news }, before) {
  const old = before?.table.match === table.match ? before : null;
  const [from, to] = [old?.table.shuffles ?? 0, table.shuffles];
  const isNew = old ? from < to : own.checked < to && !own.owed.some((owed) => owed.to === to);
  if (!isNew || !scene || news.some(({ kind, seat }) => kind === "move" && seat === table.seat)) return;
  const hand = /** @param {Zone} zone */ ({ id }) => id === `hand:${table.seat}`;
  const held = faces(scene, (zone) => hand(zone) || zone.owner === table.seat);
  const came = without(faces(scene, hand), from ? faces(old?.scene, hand) : []);
  own.owed = [...own.owed, { from, to, held, came, answered: false }];
}

/** The cards that lie face up in some zones. @param {import("./protocol.js").Scene | null | undefined} scene @param {(zone: Zone) => boolean} where */
const faces = (scene, where) => (scene?.zones ?? []).filter(where).flatMap(({ cards }) => cards.flatMap(({ face }) => face ?? []));

/** Ask the house to prove what it has not proven yet. @param {Promised} own @param {import("./protocol.js").Table} table */
async function ask(own, { code, seat, shuffles }) {
  const since = Math.min(own.checked, ...own.owed.map(({ from }) => from));
  try {
    const answer = await proven(code, since);
    if (answer) await check(own, answer, `hand:${seat}`, since);
    late = !answer || own.checked < shuffles;
  } catch {
    late = true; // the line is cut; the next view asks again
  }
  write(own);
}

/** All that the house proves from a shuffle on, of which one answer holds a part. @param {string} code @param {number} since @returns {Promise<Proofs | null>} */
async function proven(code, since) {
  /** @type {Proofs} */
  const all = { match: "", shuffles: since, roots: [], proofs: [] };
  for (let end = Infinity, part = 1; part && all.shuffles < end; all.shuffles += part) {
    const answer = await answerTo(`/t/${code}/proofs?since=${all.shuffles}`);
    if (!answer.ok) return null;
    const { match, shuffles, roots, proofs } = /** @type {Proofs} */ (await answer.json());
    [all.match, end, part] = [match, shuffles, roots.length];
    all.roots.push(...roots);
    all.proofs.push(...proofs);
  }
  return all;
}

/** Every card that was proven lies where its root says, and what came to the hand is proven. @param {Promised} own @param {Proofs} answer @param {string} hand @param {number} since */
async function check(own, { match, shuffles, roots, proofs }, hand, since) {
  if (match !== own.match) return;
  roots.forEach((root, i) => note(own, since + i, root));
  /** @type {Map<string, Proofs["proofs"][number]>} */
  const right = new Map(); // by their places: none counts twice
  for (const proof of proofs) {
    const root = own.roots[proof.shuffle];
    if (root && !(await holds(proof, root))) own.wrong = true;
    else if (root && proof.zone === hand) right.set(`${proof.shuffle}/${proof.position}`, proof);
  }
  const dealt = /** @param {number} from @param {number} to */ (from, to) => [...right.values()].filter(({ shuffle }) => shuffle >= from && shuffle < to).map(({ card }) => card);
  own.cards += dealt(own.checked, shuffles).length;
  for (const owed of own.owed.filter(({ from, to }) => from >= since && to <= shuffles)) {
    owed.answered = true;
    own.wrong ||= without(dealt(owed.to - 1, owed.to), owed.held).length > 0;
    owed.came = without(owed.came, dealt(owed.from, owed.to));
  }
  own.owed = own.owed.filter(({ answered, came }) => !answered || came.length);
  own.checked = shuffles;
}

/** Those cards that are not among others, each of which stands for one. @param {string[]} cards @param {string[]} others */
function without(cards, others) {
  const left = [...others];
  return cards.filter((card) => !left.includes(card) || !left.splice(left.indexOf(card), 1));
}
