/** What a reader prefers, kept on this device and never sent. */

const NAME = "brelan";
/** @type {import("./protocol.js").Settings} */
const USUAL = { theme: "auto", sort: "laid", letters: true, keys: {}, four: false, motion: true, sound: true, volume: 60, notices: false };

/** @template T @param {string} name @param {T} otherwise @returns {T} */
export function kept(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null") ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** @param {string} name @param {unknown} value */
export function keep(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // a private window may refuse: the preference then lasts as long as the page
  }
}

export const settings = () => ({ ...USUAL, ...kept(NAME, USUAL) });

/** Keep the settings and show them on the page. @param {import("./protocol.js").Settings} chosen */
export function apply(chosen) {
  keep(NAME, chosen);
  document.documentElement.dataset.theme = chosen.theme;
  document.documentElement.classList.toggle("four", chosen.four);
}

/** May things move? @param {import("./protocol.js").Settings} chosen */
export const moving = (chosen) => chosen.motion && !matchMedia("(prefers-reduced-motion: reduce)").matches;
