/** How much was done and said at a table since somebody looked: in a page that lies behind others, or before it was opened. */
import { keepOf, keptOf } from "./settings.js";

/** @typedef {import("./protocol.js").View} View @typedef {import("./protocol.js").News} News */

const NAME = "brelan.seen"; // the number of the last event that this device has shown, of each table

/** The moves of others that nobody was looking at. @param {View} view @param {View | undefined} old */
export const missed = (view, old) => ((old && !document.hidden) || view.table.seat === null ? 0 : later("move", view, old, view.news));

/** What others have said since. @param {View} view @param {View | undefined} old @param {News[]} news without those whom the reader does not want to hear */
export const unheard = (view, old, news) => later("said", view, old, news);

/** What came from others after the view before or, where a page begins, after what the device has shown; nothing is new to who was never shown any. @param {string} what @param {View} view @param {View | undefined} old @param {News[]} news */
function later(what, { table, number: now }, old, news) {
  const last = old?.number ?? keptOf(NAME, table.code, now);
  return news.filter(({ kind, seat, number }) => kind === what && seat !== table.seat && number > last).length;
}

/** The reader has seen it: it is written down. @param {View | undefined} view */
export function saw(view) {
  if (!view?.table.link || document.hidden) return; // a lesson, and who looks on, has no seat to come back to
  keepOf(NAME, view.table.code, view.number);
}
