/** The keyboard: arrows walk the hand, digits pick, letters do what the help says; letters can be switched off or exchanged. */
import { all, hand, reachBy } from "./focus.js";

/** @typedef {import("./protocol.js").Page} Page @typedef {import("./protocol.js").Acts} Acts */

/** The letters that do something, each unless its reader chose another (`settings.keys`). */
export const LETTERS = ["d", "k", "h", "u", "s", "l", "c", "t", "r", "m", "n"];

/** The key of a letter's deed. @param {Record<string, string>} keys @param {string} letter */
export const keyOf = (keys, letter) => keys[letter] ?? letter;

/** Those keys with another one for a letter's deed; who had that one takes the key that is free now. @param {Record<string, string>} keys @param {string} letter @param {string} key */
export function exchanged(keys, letter, key) {
  const other = LETTERS.find((one) => keyOf(keys, one) === key) ?? letter;
  return { ...keys, [other]: keyOf(keys, letter), [letter]: key };
}

/** What a key stands for. @param {Record<string, string>} keys @param {string} key */
const meant = (keys, key) => LETTERS.find((letter) => keyOf(keys, letter) === key) ?? (LETTERS.includes(key) ? "" : key);

/**
 * @param {() => Page | null} current null before the first view, when there is nothing yet that a key could mean
 * @param {Acts} acts
 * @param {Record<string, (page: Page) => void>} deeds what the letters that concern no move do
 */
export function keyboard(current, acts, deeds) {
  addEventListener("keydown", (event) => {
    const page = current();
    if (!page || event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    if (document.querySelector("dialog[open]")) return;
    if (event.repeat && /^(Enter|\S)$/.test(event.key)) return event.preventDefault(); // held down, it must not also confirm
    const { letters, keys } = page.settings;
    const signs = letters || inside(event.target);
    const digit = digitOf(event, keys);
    if (shift(event, acts) || walkAmong(event.key, page) || walk(event.key) || (signs && (numbered(digit, page) || pick(digit)))
      || (letters && letter(meant(keys, event.key.toLowerCase()), page, acts, deeds))) {
      event.preventDefault();
    } else if (event.key === "Escape") {
      acts.clear();
    }
  });
}

/** The digit that stands on a key: on French keyboards it wants Shift, which nobody holds down to play. @param {KeyboardEvent} event @param {Record<string, string>} keys */
const digitOf = ({ key, code, shiftKey }, keys) =>
  (/^Digit[1-9]$/.test(code) && !shiftKey && !Object.values(keys).includes(key) ? code.slice(-1) : key);

/** @param {EventTarget | null} target */
const typing = (target) => target instanceof Element && target.closest("input:not([type=radio]):not([type=checkbox]), textarea, select") !== null;

/** The cards of the hand, then those that lie apart and may be played. */
const reachable = () => [...hand(), ...all(".before button.card")];

/** What the page asks to choose among: the places where the raised cards fit; where one is aimed at, or all is one, the buttons. @param {Page} page */
export function asked(page) {
  const places = page.aim ? [] : all(".aim");
  const buttons = all(".bar .choices [data-move]:not([aria-disabled])");
  return places.length > 1 || !buttons.length ? places : buttons;
}

/** Whether somebody is at the cards or places that numbers choose: there these do no harm, even where letters do nothing. @param {EventTarget | null} target */
const inside = (target) => target instanceof Element && target.closest("[data-hand], .before, .aim, .bar .choices") !== null;

/** While the page asks where a card goes, an arrow walks among the places. @param {string} key @param {Page} page */
function walkAmong(key, page) {
  const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[key];
  if (!page.asking || !step) return false;
  const places = asked(page);
  const at = places.findIndex((place) => place === document.activeElement);
  (at < 0 && step < 0 ? places.at(-1) : places[(at + step + places.length) % places.length])?.focus();
  return true;
}

/** And a number chooses one. @param {string} key @param {Page} page */
function numbered(key, page) {
  const chosen = page.asking && /^[1-9]$/.test(key) ? asked(page)[Number(key) - 1] : undefined;
  chosen?.click();
  return chosen !== undefined;
}

/** A table that is larger than its place is scrolled by the keyboard too, also where nothing on it can have the focus. */
export function scrollable() {
  for (const felt of all(".felt")) {
    if (felt.scrollHeight > felt.clientHeight) felt.tabIndex = 0;
    else felt.removeAttribute("tabindex");
  }
}

/** With Shift, an arrow moves the card itself. @param {KeyboardEvent} event @param {Acts} acts */
function shift({ key, shiftKey }, acts) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
  const card = hand().find((one) => one === document.activeElement);
  if (!shiftKey || !step || !card) return false;
  acts.shift(String(card.dataset.key), step);
  return true;
}

/** @param {string} key */
function walk(key) {
  const step = { ArrowLeft: -1, ArrowRight: 1, Home: -100, End: 100 }[key];
  const cards = reachable();
  const at = cards.findIndex((card) => card === document.activeElement);
  if (!step || !cards.length || (at < 0 && !document.activeElement?.matches("body, .felt, .prompt"))) return false;
  const next = cards[at < 0 ? 0 : Math.min(cards.length - 1, Math.max(0, at + step))];
  next.focus();
  if (next.closest("[data-hand]")) reachBy(next);
  return true;
}

/** @param {string} key */
function pick(key) {
  const card = /^[1-9]$/.test(key) ? reachable()[Number(key) - 1] : undefined;
  card?.focus();
  card?.click();
  return card !== undefined;
}

/** @param {string} key @param {Page} page @param {Acts} acts @param {Record<string, (page: Page) => void>} deeds */
function letter(key, page, acts, deeds) {
  if (key in deeds) {
    deeds[key](page);
    return true;
  }
  const choices = page.view.scene?.choices ?? [];
  const fits = choices.filter((choice) => page.selected.every((card) => choice.cards.includes(card)));
  const choice = { d: choices.find((c) => c.target === "stock" && !c.cards.length), k: fits.find((c) => c.move.startsWith("k")) }[key];
  if (choice) acts.choose(choice);
  return choice !== undefined;
}
