/** A button that gives an address on: by the device's own means, or copied. */
import { html, nothing } from "./vendor/lit-html.js";
import { speak } from "./voice.js";
import { words } from "./words.js";

/** @param {string} link @param {"share" | "share_step" | "copy"} how @param {string} [title] what it leads to; without one it is copied @param {string} [sign] where there is no room for words */
export const shared = (link, how, title, sign) => html`<button type="button" class=${sign ? "icon" : "button"} aria-label=${sign ? words(how) : nothing} title=${sign ? words(how) : nothing}
  @click=${(/** @type {Event} */ event) => share(link, title, sign ?? words(how), /** @type {HTMLElement} */ (event.currentTarget))}>${sign ?? words(how)}</button>`;

const COPIED = 3000; // milliseconds until the button is called by what it does again

/** Share by the device's own means where that is meant and it has some, else copy. @param {string} link @param {string | undefined} title @param {string} called what stands on the button @param {HTMLElement} button */
async function share(link, title, called, button) {
  try {
    if (title && navigator.share) return await navigator.share({ title, url: link });
    await navigator.clipboard.writeText(link);
    button.textContent = words("copied");
    setTimeout(() => (button.textContent = called), COPIED);
    speak("voice", words("copied"));
  } catch (error) {
    if (/** @type {Error} */ (error).name === "AbortError" || button.nextSibling?.nodeValue === link) return; // thought better of it, or has it already
    button.insertAdjacentText("afterend", link); // no way but to read it
  }
}
