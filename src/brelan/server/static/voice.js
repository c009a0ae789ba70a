/** What a page says to those who listen: what may wait for a pause by its voice, what may not by a call. */
import { html } from "./vendor/lit-html.js";

const LINES = 8; // that can be heard again

/** The regions that speak, of the page or of its sheet: while a sheet is open, nothing beside it is heard. @param {"" | "sheet-"} [place] */
export const regions = (place = "") => html`<div id="${place}voice" class="spoken" aria-live="polite"></div>
  <div id="${place}call" class="spoken" aria-live="assertive"></div>`;

/** Say something: each time a line of its own, so that what comes fast is all heard. @param {"voice" | "call"} how @param {string} text */
export function speak(how, text) {
  if (!text) return;
  const place = document.querySelector("dialog[open]") ? "sheet-" : "";
  const region = document.getElementById(`${place}${how}`);
  region?.append(Object.assign(document.createElement("p"), { textContent: text }));
  if (region && region.childElementCount > LINES) region.firstElementChild?.remove();
}

/** Before other regions take over: lines that come to light with theirs once more would be said twice. */
export function fallSilent() {
  for (const region of document.querySelectorAll(".spoken")) region.replaceChildren();
}
