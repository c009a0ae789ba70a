/** How much has happened at a table since somebody looked: in a page that lies behind others, or before it was opened. */
import { keepOf, keptOf } from "./settings.js";

/** @typedef {import("./protocol.js").View} View */

const NAME = "brelan.seen"; // the number of the last event that this device has shown, of each table

/** The moves of others that nobody was looking at. @param {View} view @param {View | undefined} old */
export function missed({ table, news }, old) {
  const last = old ? old.number : keptOf(NAME, table.code, /** @type {number | undefined} */ (undefined));
  if ((old && !document.hidden) || last === undefined || table.seat === null) return 0;
  return news.filter(({ kind, seat, number }) => kind === "move" && seat !== table.seat && number > last).length;
}

/** The reader has seen it: it is written down. @param {View | undefined} view */
export function saw(view) {
  if (!view?.table.link || document.hidden) return; // a lesson, and who looks on, has no seat to come back to
  keepOf(NAME, view.table.code, view.number);
}
