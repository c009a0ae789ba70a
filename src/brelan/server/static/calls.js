/** What calls somebody who looks elsewhere: the icon of the page and, where it is wanted, a notice of the device. */
import { settings } from "./settings.js";

const ICON = "/static/icon.svg";
const MARKED = "/static/icon-turn.svg";

/** Browsers give notices over a safe line only, and not all do. */
export const possible = () => "Notification" in window && "serviceWorker" in navigator;

/** Mark the page's icon while its reader is called. @param {boolean} called */
export function mark(called) {
  const icon = document.querySelector("link[rel=icon]");
  const address = called ? MARKED : ICON;
  if (icon && icon.getAttribute("href") !== address) icon.setAttribute("href", address);
}

/** Say what a table calls its reader for, and nothing about cards, if nobody looks here, or there (worker.js). @param {string} code @param {string} title of the table @param {string} body */
export async function notify(code, title, body) {
  if (!document.hidden || !settings().notices || !possible() || Notification.permission !== "granted") return;
  const house = await navigator.serviceWorker.ready;
  const data = new URL(`/t/${code}`, location.href).href; // where a touch leads
  house.active?.postMessage({ title, body, tag: code, data, icon: "/static/icon-192.png" });
}

/** Somebody looks again: what was said to call them is taken back. @param {string} code of the table */
export async function hush(code) {
  if (!possible() || Notification.permission !== "granted") return;
  const house = await navigator.serviceWorker.ready;
  for (const notice of await house.getNotifications({ tag: code })) notice.close();
}
