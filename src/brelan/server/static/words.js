/** The client's own sentences, in the viewer's language: the JSON element #words holds them by name. */

const element = document.getElementById("words");
/** @type {Record<string, string>} */
const sentences = JSON.parse(element?.textContent ?? "{}");
const french = document.documentElement.lang.startsWith("fr");

/**
 * The sentence of that name, its values filled in; one with two forms is chosen by the value n.
 * @param {string} name
 * @param {Record<string, string | number>} [values]
 */
export function words(name, values = {}) {
  const sentence = sentences[name] ?? name;
  const [one, several = one] = sentence.split("|");
  const n = Number(values.n ?? 2);
  const chosen = n === 1 || (french && n === 0) ? one : several;
  return chosen.replace(/\{(\w+)\}/g, (_, value) => String(values[value] ?? ""));
}

/** Several things as one phrase: "Anna, Bob and Cleo". @param {string[]} things */
export const listed = (things) => new Intl.ListFormat(document.documentElement.lang || "en").format(things);

/** A clause as a sentence. @param {string} clause */
export function sentence(clause) {
  const begun = clause.charAt(0).toUpperCase() + clause.slice(1);
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}
