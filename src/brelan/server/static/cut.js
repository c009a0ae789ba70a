/** What a page of a table says of its line: that it is cut, or back, or leads nowhere since the house does not know this browser any more. */
import { html, nothing } from "./vendor/lit-html.js";
import { words } from "./words.js";

/** @typedef {import("./protocol.js").View} View @typedef {import("./protocol.js").Page} Page */

export const FAR = 5; // tries after which it says more than that the line is cut

/** To who has seen the table, never that the house or a cookie may be missing; and that a seat is kept, to who has one. @param {number} lost @param {Page | null} page */
export function ofLine(lost, page) {
  if (!lost) return words("found");
  if (page) return words(page.view.table.seat === null ? "cut" : "lost");
  return words(lost < FAR ? "cut" : "unreached");
}

/** @param {Page} page */
export function lineBanner(page) {
  const { lost, found, stranger, left, view: { table } } = page;
  const back = left || (stranger && table.seat !== null && table.link);
  if (back) return html`<p class="banner line" role="alert">${words("stranger")} <a href=${back}>${words("seat_back")}</a></p>`;
  if (stranger) return html`<p class="banner line" role="alert">${words("stranger")} <a href=${location.href}>${words("load_anew")}</a></p>`;
  return lost || found ? html`<p class="banner line">${ofLine(lost, page)}</p>` : nothing;
}

/** Whether the house is there and does not know who asks: the cookie went while the page lay open. @param {string} code of the table */
export async function isStranger(code) {
  const answer = await fetch(["/t", code, "seat.svg"].join("/")).catch(() => null);
  return answer?.status === 403;
}

/** The link of the seat that the page had until its browser came back as somebody else, "" where it did not. @param {View} view @param {Page | null} page */
export function seatLeft({ table }, page) {
  const old = page?.view.table;
  if (!page || !old || table.seat !== null) return "";
  if (old.seat === null) return page.left;
  return old.link && old.link !== table.link ? old.link : "";
}
