/** What a reader prefers, kept on this device and never sent. */

/** @typedef {import("./protocol.js").Settings} Settings */

const NAME = "brelan";
export const LEFT = "brelan.left";
export const TABLES = 50; // of which a device remembers anything
/** @type {Settings} */
const USUAL = { theme: "auto", sort: "laid", letters: true, keys: {}, four: false, count: true, motion: true, sound: true, volume: 60, notices: false };

/** What there is to choose among, where it is no switch. */
export const THEMES = /** @type {const} */ (["auto", "light", "dark", "contrast"]);
export const SORTS = /** @type {const} */ (["laid", "colour", "value", "hand"]);
/** @type {Record<string, readonly unknown[]>} */
const CHOICES = { theme: THEMES, sort: SORTS };

/** What the device did not take, by name: a private window may refuse, a disk be full. It lasts as long as the page. @type {Map<string, string>} */
const here = new Map();

/** Whose device it was has left it in another page: this one would go on as theirs, and keep things again. */
addEventListener("storage", ({ key }) => key === LEFT && location.replace("/"));

/** What was kept by that name, if it is of the same kind. @template T @param {string} name @param {T} otherwise @returns {T} */
export function kept(name, otherwise) {
  try {
    const found = JSON.parse(here.get(name) ?? localStorage.getItem(name) ?? "null");
    return isLike(found, otherwise) ? found : otherwise;
  } catch {
    return otherwise;
  }
}

/** @param {string} name @param {unknown} value */
export function keep(name, value) {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(name, text);
    here.delete(name);
  } catch {
    here.set(name, text);
  }
}

/** The same of one table. @template T @param {string} name @param {string} code @param {T} otherwise @returns {T} */
export function keptOf(name, code, otherwise) {
  return new Map(kept(name, /** @type {[string, T][]} */ ([]))).get(code) ?? otherwise;
}

/** @param {string} name @param {string} code @param {unknown} value */
export function keepOf(name, code, value) {
  const tables = new Map(kept(name, /** @type {[string, unknown][]} */ ([])));
  tables.delete(code);
  keep(name, [...tables.set(code, value)].slice(-TABLES));
}

/** @param {unknown} one @param {unknown} other */
const isLike = (one, other) => one !== null && typeof one === typeof other && Array.isArray(one) === Array.isArray(other);

/** Whether these scripts can do something with a value in place of the usual one. @param {string} name @param {unknown} value @param {unknown} usual */
const isKnown = (name, value, usual) => isLike(value, usual) && (CHOICES[name]?.includes(value) ?? true);

/** What was chosen; as usual is what another build of the house kept and this one does not know. @returns {Settings} */
export function settings() {
  const chosen = kept(NAME, /** @type {Record<string, unknown>} */ ({}));
  const usual = Object.entries(USUAL).filter(([name, value]) => !isKnown(name, chosen[name], value));
  return { ...USUAL, ...chosen, ...Object.fromEntries(usual) };
}

/** Keep what has changed of the settings, and show them on the page; another page may have kept some. @param {Partial<Settings>} [changed] */
export function apply(changed) {
  const chosen = { ...settings(), ...changed };
  keep(NAME, chosen);
  document.documentElement.dataset.theme = chosen.theme;
  document.documentElement.classList.toggle("four", chosen.four);
  return chosen;
}

/** May things move? @param {Settings} chosen */
export const moving = (chosen) => chosen.motion && !matchMedia("(prefers-reduced-motion: reduce)").matches;
