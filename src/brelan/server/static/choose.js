/**
 * From taps to moves, without knowing a rule: a choice has cards to pick, a zone to tap, and words.
 *
 * @typedef {import("./protocol.js").Scene} Scene
 * @typedef {import("./protocol.js").Table} Table
 * @typedef {import("./protocol.js").Choice} Choice
 * @typedef {{ selected?: string[], touched?: string, aim?: string, asks?: string, play?: Choice, remark?: import("./protocol.js").Remark }} Answer `asks`: the name of the words that ask which of several is meant
 */
import { words } from "./words.js";

/** The choices without those that only add a word to another one. @param {Scene} scene */
const plain = ({ choices, call }) => (call ? choices.filter((choice) => !choice.move.endsWith(` ${call.word}`)) : choices);

/** So many choices that still want a card more are shown as buttons; where there are more, the hand is clearer. */
const FEW = 2;

/** Whether a choice looks open: of one that is blind, only choosing it shows that it is not. @param {Choice} choice */
export const looksOpen = (choice) => !choice.why || choice.blind;

/** Those, and as one more the choices that may be made together, where each raised card stands for one. @param {Scene} scene @param {string[]} selected @returns {Choice[]} */
function joined(scene, selected) {
  const each = selected.flatMap((key) => plain(scene).find((choice) => choice.together && exactly(choice, [key])) ?? []);
  if (selected.length < 2 || each.length < selected.length) return plain(scene);
  const [first, ...rest] = each;
  return [...plain(scene), { ...first, words: first.together, cards: selected, rest: rest.map(({ move }) => move) }];
}

/** @param {Scene} scene @param {string[]} [selected] the raised cards, where several may make one choice */
export const open = (scene, selected = []) => joined(scene, selected).filter(looksOpen);

/** The choice with the scene's word called out, where that is a move. @param {Scene} scene @param {Choice} choice */
export const called = ({ choices, call }, choice) =>
  choices.find((other) => call && other.move === `${choice.move} ${call.word}`) ?? choice;

/** Whether the scene's word was called out with a move. @param {Scene | null | undefined} scene @param {string} move */
export const isCalled = (scene, move) => Boolean(scene?.call && move.endsWith(` ${scene.call.word}`));

/** @param {Choice} choice @param {string[]} keys */
const holds = (choice, keys) => keys.every((key) => choice.cards.includes(key));

/** @param {Choice} choice @param {string[]} keys */
const exactly = (choice, keys) => choice.cards.length === keys.length && holds(choice, keys);

/**
 * The choices that the action bar shows: those with all raised cards, and those that need none.
 * @param {Scene} scene @param {string[]} selected @param {string | null} aim
 */
export function offered(scene, selected, aim) {
  if (aim) return open(scene, selected).filter((choice) => choice.target === aim && holds(choice, selected));
  const fitting = joined(scene, selected).filter((choice) => !choice.cards.length || (selected.length && holds(choice, selected)));
  const whole = fitting.filter((choice) => !choice.cards.length || exactly(choice, selected));
  return fitting.length - whole.length > FEW ? whole : fitting;
}

/**
 * The zones that can be tapped now, each with the choices that this would make: with cards raised, only where just these go.
 * @param {Scene} scene @param {string[]} selected
 */
export function targets(scene, selected) {
  /** @type {Map<string, Choice[]>} */
  const found = new Map();
  for (const choice of open(scene, selected)) {
    if (choice.target && exactly(choice, selected)) {
      found.set(choice.target, [...(found.get(choice.target) ?? []), choice]);
    }
  }
  return found;
}

/** What a tap on a card means. @param {Scene} scene @param {string[]} selected @param {string} key @returns {Answer} */
export function tapCard(scene, selected, key) {
  if (!open(scene).some((choice) => choice.cards.includes(key))) return { remark: whyNot(scene, key) ?? rather(scene) };
  if (selected.includes(key)) return tapAgain(scene, selected, key);
  const grown = [...selected, key];
  return { selected: open(scene, grown).some((choice) => holds(choice, grown)) ? grown : [key] };
}

/**
 * The second tap plays where nothing is left to choose; where several moves fit, the card stays raised and the page
 * asks which; where the card is only a part of a choice, it goes down.
 * @param {Scene} scene @param {string[]} selected @param {string} key @returns {Answer}
 */
function tapAgain(scene, selected, key) {
  const exact = open(scene, selected).filter((choice) => exactly(choice, selected) && !choice.rest);
  if (exact.length === 1) return { play: exact[0] };
  if (!exact.length) return { selected: selected.filter((other) => other !== key) };
  return { selected, asks: "ask_where" };
}

/** Whom a choice without cards is aimed at, by name. @param {Table} table @param {Scene} scene @param {Choice} choice */
function whom(table, scene, { cards, target }) {
  const owner = cards.length ? null : scene.zones.find((zone) => zone.id === target)?.owner;
  return owner === undefined || owner === null || owner === scene.seat ? "" : table.seats[owner].name;
}

/** A choice in all its words: aimed at somebody it begins with the name. @param {Table} table @param {Scene} scene @param {Choice} choice */
export function inFull(table, scene, choice) {
  const name = whom(table, scene, choice);
  return name && choice.brief ? `${name} ${choice.brief}` : choice.words;
}

/** A choice in words: with its cards picked, or its place tapped, the short ones do. @param {Table} table @param {Scene} scene @param {Choice} choice */
export const label = (table, scene, choice) =>
  whom(table, scene, choice) ? inFull(table, scene, choice) : choice.brief || choice.words;

/** What a tap on a zone means. @param {Scene} scene @param {string[]} selected @param {string} zone @returns {Answer} */
export function tapZone(scene, selected, zone) {
  const choices = targets(scene, selected).get(zone) ?? [];
  if (!choices.length) return {};
  if (choices.length === 1) return { play: choices[0] };
  return { aim: zone, asks: silent(choices) ? "ask_said" : "ask_where" };
}

/** Of choices that say different things with the same cards, the one that says nothing. @param {Choice[]} choices */
export const silent = (choices) => choices.find((choice) => choices.some(({ move }) => move.startsWith(`${choice.move} `)));

/** Why a card may not be played. @param {Scene} scene @param {string} key */
function whyNot(scene, key) {
  const cards = scene.zones.flatMap((zone) => zone.cards);
  const said = [...cards.filter((card) => card.key === key), ...scene.choices.filter((c) => c.cards.includes(key))];
  const found = said.find((thing) => thing.why);
  return found?.why ? { words: found.why, rule: found.rule } : undefined;
}

/** What is asked instead of any card. @param {Scene} scene */
const rather = ({ turn, seat, prompt }) => ({ words: turn.includes(seat) ? prompt : words("not_yet"), rule: null });
