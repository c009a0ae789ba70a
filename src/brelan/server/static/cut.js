/** What a page of a table says of its line: that it is cut, or back, or leads nowhere since the house does not know this browser any more. */
import { answerTo, isOwn } from "./house.js";
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
  const { lost, found, left } = page;
  if (left) return html`<p class="banner line" role="alert">${words("stranger")} <a href=${left}>${words(left === location.href ? "load_anew" : "seat_back")}</a></p>`;
  return lost || found ? html`<p class="banner line">${ofLine(lost, page)}</p>` : nothing;
}

/** The way back where the house is there and does not know who asks, whose cookie went while the page lay open; else "". @param {View["table"]} table */
export async function wayBack({ code, seat, link }) {
  const answer = await answerTo(["/t", code, "seat.svg"].join("/")).catch(() => null);
  return answer?.status === 403 && isOwn(answer) ? (seat !== null && link) || location.href : "";
}

/** The link of the seat that the page had until its browser came back as somebody else, who still sits there; else "". @param {View} view @param {Page | null} page */
export function seatLeft({ table }, page) {
  const old = page?.view.table;
  if (!page || !old || table.seat !== null) return "";
  if (old.seat === null) return page.left === location.href ? "" : page.left;
  return old.link && table.seats[old.seat].who === old.seats[old.seat].who ? old.link : "";
}
