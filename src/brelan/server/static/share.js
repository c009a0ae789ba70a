/** A button that gives an address on: by the device's own means, or copied. */
import { html } from "./vendor/lit-html.js";
import { speak } from "./voice.js";
import { words } from "./words.js";

/** @param {string} link @param {"share" | "copy"} how @param {string} [title] what it leads to */
export const shared = (link, how, title) => html`<button type="button" class="button"
  @click=${(/** @type {Event} */ event) => share(link, how, title, /** @type {HTMLElement} */ (event.currentTarget))}>${words(how)}</button>`;

const COPIED = 3000; // milliseconds until the button is called by what it does again

/** Share by the device's own means where that is meant and it has some, else copy. @param {string} link @param {string} how @param {string | undefined} title @param {HTMLElement} button */
async function share(link, how, title, button) {
  try {
    if (how === "share" && navigator.share) return await navigator.share({ title, url: link });
    await navigator.clipboard.writeText(link);
    button.textContent = words("copied");
    setTimeout(() => (button.textContent = words(how)), COPIED);
    speak("voice", words("copied"));
  } catch (error) {
    if (/** @type {Error} */ (error).name === "AbortError" || button.nextSibling?.nodeValue === link) return; // thought better of it, or has it already
    button.insertAdjacentText("afterend", link); // no way but to read it
  }
}
