/** A new table: the strength beside each bot is the one it has in the variant that is chosen. */

const preset = /** @type {HTMLSelectElement} */ (document.querySelector("[name=preset]"));

function show() {
  const told = `data-in-${preset.value}`;
  for (const option of document.querySelectorAll(`option[${told}]`)) option.textContent = option.getAttribute(told);
}

preset.addEventListener("change", show);
addEventListener("pageshow", show); // a browser that comes back to the page brings the choice back
