/** What the letters of the keyboard do at a table that concern no move. */
import { isTalk } from "./chat.js";
import { SORTS } from "./settings.js";
import { summary } from "./summary.js";
import { lastOf } from "./told.js";
import { canUndo } from "./undo.js";
import { speak } from "./voice.js";
import { words } from "./words.js";

/** @typedef {import("./protocol.js").Page} Page @typedef {import("./protocol.js").Acts} Acts */

/** @param {Acts} acts @param {() => void} rules opens the rulebook @returns {Record<string, (page: Page) => void>} */
export const letters = (acts, rules) => ({
  s: (page) => nextSort(page, acts),
  l: (page) => sayLastMove(page, acts),
  m: (page) => toggleCall(page, acts),
  t: (page) => acts.say({ words: summary(page.view, page.log, page.settings), rule: null, number: until(page) }),
  h: () => acts.hint(),
  u: (page) => canUndo(page) && acts.undo(),
  c: (page) => isTalk(page) && acts.open("chat"),
  r: () => rules(),
  n: () => document.getElementById("go-on")?.click(),
  "?": () => acts.open("help"),
});

/** What is told stands until its reader does something; of who only looks on, until the next view. @param {Page} page */
const until = ({ view: { table, number } }) => (table.seat === null ? number : Infinity);

/** By a key, which shows nothing to those who listen. @param {Page} page @param {Acts} acts */
function nextSort({ settings }, acts) {
  const sort = SORTS[(SORTS.indexOf(settings.sort) + 1) % SORTS.length];
  acts.set({ sort });
  speak("voice", words("colon", { name: words("set_sort"), said: words(`sort_${sort}`) }));
}

/** The scene's word goes with the next move, or no longer; said as above. @param {Page} page @param {Acts} acts */
function toggleCall({ view: { scene }, calling }, acts) {
  if (!scene?.call) return;
  acts.call();
  speak("voice", words(calling ? "uncalled" : "called", { word: scene.call.words }));
}

/** The last move and what it led to: talk that came since is not asked for. @param {Page} page @param {Acts} acts */
function sayLastMove(page, acts) {
  const { did, led, rule } = lastOf(page.log);
  acts.say({ words: [did, led].filter(Boolean).join(" ") || words("log_empty"), rule, number: until(page) });
}
