/** The setting of notices: whether the device calls its reader who looks elsewhere. */
import { possible } from "./calls.js";
import { html, nothing } from "./vendor/lit-html.js";
import { words } from "./words.js";

/** @typedef {import("./protocol.js").Settings} Settings @typedef {import("./protocol.js").Acts} Acts */

/** @param {Settings} settings @param {Acts} acts */
export function notices(settings, acts) {
  if (!possible()) return nothing;
  const denied = Notification.permission === "denied";
  const on = settings.notices && Notification.permission === "granted";
  return html`<fieldset><legend>${words("set_notices")}</legend>
    <label class="pick"><input type="checkbox" name="notices" .checked=${on} ?disabled=${denied} @change=${(/** @type {Event} */ event) => wish(!on, /** @type {HTMLInputElement} */ (event.target), acts)} /> ${words("set_notice")}</label>
    ${denied || alone ? html`<p class="hint">${words("notices_denied")}</p>` : nothing}</fieldset>`;
}

let alone = false; // the browser keeps no worker of the house's, which would give the notices

/** The browser asks for leave itself; where it gives none, or no notice would come, the box is unticked again. @param {boolean} wanted @param {HTMLInputElement} box @param {Acts} acts */
async function wish(wanted, box, acts) {
  alone = wanted && !(await navigator.serviceWorker.getRegistration().catch(() => null));
  box.checked = wanted && !alone && (await Notification.requestPermission()) === "granted";
  acts.set({ notices: box.checked });
}
