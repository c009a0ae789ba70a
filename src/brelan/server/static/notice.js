/** What calls somebody who looks elsewhere: the icon of the page and, where it is wanted, a notice of the device. */
import { html, nothing } from "./vendor/lit-html.js";
import { words } from "./words.js";

/** @typedef {import("./protocol.js").View} View @typedef {import("./protocol.js").Table} Table */
/** @typedef {import("./protocol.js").Settings} Settings @typedef {import("./protocol.js").Acts} Acts */

const ICON = "/static/icon.svg";
const MARKED = "/static/icon-turn.svg";

/** Browsers give notices over a safe line only, and not all do. */
const possible = () => "Notification" in window && "serviceWorker" in navigator;

/** Mark the page's icon while it is the reader's turn. @param {boolean} mine */
export function mark(mine) {
  const icon = document.querySelector("link[rel=icon]");
  const address = mine ? MARKED : ICON;
  if (icon && icon.getAttribute("href") !== address) icon.setAttribute("href", address);
}

/** It has become the reader's turn: say so, and nothing about cards, if nobody looks. @param {Table} table @param {Settings} settings */
export async function notify(table, settings) {
  if (!document.hidden || !settings.notices || !possible() || Notification.permission !== "granted") return;
  const house = await navigator.serviceWorker.ready;
  const data = new URL(`/t/${table.code}`, location.href).href; // where a touch leads (worker.js)
  await house.showNotification(table.title, { body: words("your_turn"), tag: table.code, data, icon: "/static/icon-192.png" });
}

/** Somebody looks again: what was said to call them is taken back. @param {Table} table */
export async function hush({ code }) {
  if (!possible() || Notification.permission !== "granted") return;
  const house = await navigator.serviceWorker.ready;
  for (const notice of await house.getNotifications({ tag: code })) notice.close();
}

/** @param {Settings} settings @param {Acts} acts */
export function notices(settings, acts) {
  if (!possible()) return nothing;
  const denied = Notification.permission === "denied";
  const on = settings.notices && Notification.permission === "granted";
  return html`<fieldset><legend>${words("set_notices")}</legend>
    <label class="pick"><input type="checkbox" name="notices" .checked=${on} ?disabled=${denied} @change=${(/** @type {Event} */ event) => wish(!on, /** @type {HTMLInputElement} */ (event.target), acts)} /> ${words("set_notice")}</label>
    ${denied ? html`<p class="hint">${words("notices_denied")}</p>` : nothing}</fieldset>`;
}

/** The browser asks for leave itself; where it gives none, the box is unticked again. @param {boolean} wanted @param {HTMLInputElement} box @param {Acts} acts */
async function wish(wanted, box, acts) {
  box.checked = wanted && (await Notification.requestPermission()) === "granted";
  acts.set({ notices: box.checked });
}
