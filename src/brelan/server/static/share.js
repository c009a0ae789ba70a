/** A button that gives an address on: by the device's own means, or copied; where neither is possible it is shown. */
import { html, nothing } from "./vendor/lit-html.js";
import { repeat } from "./vendor/directives/repeat.js";
import { speak } from "./voice.js";
import { words } from "./words.js";

export const near = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname); // such an address would lead another device to itself

/** @param {string} link @param {"share" | "share_step" | "copy"} how @param {string} [title] what it leads to; without one it is copied @param {string} [sign] where there is no room for words */
export const shared = (link, how, title, sign) => html`<button type="button" class=${sign ? "icon" : "button"} aria-label=${sign ? words(how) : nothing} title=${sign ? words(how) : nothing}
  @click=${(/** @type {Event} */ event) => share(link, title, sign ?? words(how), /** @type {HTMLElement} */ (event.currentTarget))}>${sign ?? words(how)}</button>
  ${repeat([link], (one) => one, () => html`<output class="shared"></output>`)}`; // what is said of one link goes with it

const COPIED = 3000; // milliseconds until the button is called by what it does again

/** Share by the device's own means where that is meant and leads others anywhere, else copy, else show. @param {string} link @param {string | undefined} title @param {string} called what stands on the button @param {HTMLElement} button */
async function share(link, title, called, button) {
  const output = /** @type {HTMLElement} */ (button.nextElementSibling);
  if (title && !near && (await handed(title, link))) return;
  const copied = await navigator.clipboard?.writeText(link).then(() => true, () => false);
  if (copied) tell(button, called);
  output.textContent = `${copied ? "" : link} ${near ? words("near") : ""}`.trim();
}

/** Whether the device gave it on, or who holds it thought better of it. @param {string} title @param {string} url */
const handed = (title, url) => navigator.share?.({ title, url }).then(() => true, (error) => error.name === "AbortError");

/** Say that it is copied, for a while on the button itself. @param {HTMLElement} button @param {string} called */
function tell(button, called) {
  button.textContent = words("copied");
  setTimeout(() => (button.textContent = called), COPIED);
  speak("voice", words("copied"));
}
