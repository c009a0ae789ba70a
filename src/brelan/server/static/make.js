/** A new table: the strength beside each bot is the one it has in the variant and with as many players as are chosen. */

const form = /** @type {HTMLFormElement} */ (document.querySelector(".table-form"));
/** @type {Record<string, { bots: Record<string, string>, hint: string }>} */
const told = JSON.parse(form.dataset.told ?? "{}");
const hint = /** @type {HTMLElement} */ (form.querySelector(".hint span"));

function show() {
  const { preset, players } = { ...form.dataset, ...Object.fromEntries(new FormData(form)) };
  const said = told[`${preset}-${players}`];
  if (!said) return; // a number of players that was refused
  for (const option of form.querySelectorAll("option")) option.textContent = said.bots[option.value] ?? option.textContent;
  hint.textContent = said.hint;
}

form.addEventListener("change", show);
addEventListener("pageshow", show); // a browser that comes back to the page brings the choice back
