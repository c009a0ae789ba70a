/** The client's own sentences, in the viewer's language: the JSON element #words holds them by name. */

const element = document.getElementById("words");
/** @type {Record<string, string>} */
const sentences = JSON.parse(element?.textContent ?? "{}");
const language = document.documentElement.lang || "en";
const plural = new Intl.PluralRules(language);
const FORMS = ["zero", "one", "two", "few", "many", "other"].filter((form) => plural.resolvedOptions().pluralCategories.some((known) => known === form));

/** What each language calls itself, with the address of this very page in it. */
export const tongues = () => named("tongue_").map((tongue) => {
  const address = new URL(location.href);
  address.searchParams.set("lang", tongue);
  return { tongue, name: words(`tongue_${tongue}`), address: address.href };
});

/**
 * The sentence of that name, its values filled in; of one with several forms the value n chooses, as in `Words`.
 * @param {string} name
 * @param {Record<string, string | number>} [values]
 */
export function words(name, values = {}) {
  const forms = (sentences[name] ?? name).split("|");
  const chosen = forms[Math.min(FORMS.indexOf(plural.select(Number(values.n ?? 2))), forms.length - 1)];
  return chosen.replace(/\{(\w+)\}/g, (_, value) => String(values[value] ?? ""));
}

/** Whether there is a sentence of that name. @param {string} name */
export const knows = (name) => name in sentences;

/** What follows a prefix in the names of sentences, in the catalogue's order. @param {string} prefix */
export const named = (prefix) => Object.keys(sentences).filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));

/** Several things as one phrase, as `Words.listed` has it: "Anna, Bob and Cleo". @param {string[]} things */
export const listed = (things) => [things.slice(0, -1).join(", "), ...things.slice(-1)].filter(Boolean).join(words("and"));

/** A number as print has it: a minus is longer than a hyphen. @param {number} n */
export const number = (n) => (n < 0 ? `−${-n}` : String(n));

/** What was won or lost. @param {number} points */
export const signed = (points) => (points > 0 ? `+${points}` : number(points));

/** The time of day here, to the minute. @param {number} at in seconds since 1970 */
export const hour = (at) => new Intl.DateTimeFormat(language, { timeStyle: "short" }).format(at * 1000);

/** The day of the month here. @param {number} at in seconds since 1970 */
export const day = (at) => new Intl.DateTimeFormat(language, { day: "numeric", month: "short" }).format(at * 1000);

/** A day with its year. @param {string} iso 2026-11-21 */
export const date = (iso) => new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(iso));

/** A clause as a sentence. @param {string} clause */
export function sentence(clause) {
  const begun = clause.charAt(0).toUpperCase() + clause.slice(1);
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}
