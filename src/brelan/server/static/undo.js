/** Taking a move back: at once where nobody learned anything by it, else by the leave of all the others; bots agree. */
import { html, nothing } from "./vendor/lit-html.js";
import { listed, words } from "./words.js";

/** @typedef {import("./protocol.js").Page} Page @typedef {import("./protocol.js").Acts} Acts */

/** Whether the reader makes moves here that may come to be taken back. @param {Page} page */
export const canUndo = ({ lesson, view: { table } }) => !lesson && table.seat !== null && table.status === "playing";

/** @param {Page} page @param {Acts} acts */
export function undoButton(page, acts) {
  if (!canUndo(page)) return nothing;
  const { view: { table }, sent } = page;
  const asks = table.seats.some(({ kind }, seat) => kind === "person" && seat !== table.seat);
  const name = words(asks && !table.undo.free ? "undo_ask" : "undo");
  return html`<button type="button" class="icon undo" title=${name} aria-disabled=${sent || !table.undo.may ? "true" : nothing}
    @click=${acts.undo}><span aria-hidden="true">↶</span></button>`;
}

/** What another asks the reader to agree to; "" if nobody does. @param {import("./protocol.js").Table} table */
export function wish({ undo: { asked, move, after: n, waits_for: waits }, seats, seat }) {
  if (asked === null || seat === null || !waits.includes(seat)) return "";
  const { name } = seats[asked];
  return n ? words("undo_asked_more", { name, n, move: (move ?? "").replace(/\.$/, "") }) : words("undo_asked", { name });
}

/** Who is asked answers; who asked sees for whom it waits, and may let it be. @param {Page} page @param {Acts} acts */
export function consent({ view: { table } }, acts) {
  const { asked, waits_for: waits } = table.undo;
  if (asked === null) return nothing;
  const answer = /** @param {boolean} agree @param {string} name @param {string} weight */ (agree, name, weight) =>
    html`<button type="button" class="button ${weight}" @click=${() => acts.send("consent", { agree })}>${words(name)}</button>`;
  if (asked === table.seat) {
    const names = listed(waits.map((seat) => table.seats[seat].name));
    return html`<div class="consent" role="status"><p>${words("undo_waits", { names })}</p>${answer(false, "undo_withdraw", "quiet")}</div>`;
  }
  const what = wish(table);
  if (!what) return nothing;
  return html`<div class="consent" role="group" aria-labelledby="undo-asked"><p id="undo-asked">${what}</p>
    <span>${answer(true, "undo_agree", "button-primary")} ${answer(false, "undo_refuse", "")}</span></div>`;
}
