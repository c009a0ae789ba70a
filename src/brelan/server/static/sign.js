/** The seal at the table: while a match is played, it tells what was found of the cards that came to the reader's hand. */
import { html, nothing } from "./vendor/lit-html.js";
import { findings } from "./witness.js";
import { words } from "./words.js";

/** Its place is kept until something was found, so that nothing moves then. @param {import("./protocol.js").Table} table @param {() => void} open */
export function sealSign({ match, seat, status }, open) {
  const own = findings(match);
  if (!own) return match && seat !== null && status === "playing" ? html`<span class="icon" aria-hidden="true"></span>` : nothing;
  return html`<button type="button" class="icon sealed" data-right=${String(isRight(own))} @click=${open} title=${finding(own)}>
    <span aria-hidden="true">${signOf(isRight(own))}</span></button>`;
}

/** @typedef {NonNullable<ReturnType<typeof findings>>} Findings */

/** @param {Findings} own */
const isRight = ({ wrong, unproven }) => (wrong ? false : unproven ? null : true);

/** Whether something is right; null where nobody can tell. @param {boolean | null} right */
export const signOf = (right) => (right === null ? "?" : right ? "✓" : "✗");

/** What was found, in a sentence. @param {Findings} own */
export function finding({ wrong, replaced, unproven, cards }) {
  if (wrong) return words(replaced ? "seal_replaced" : "seal_broken");
  return unproven ? words("seal_unproven") : words("seal_live", { n: cards });
}

/** What the sign means, and where more of it stands. @param {import("./protocol.js").Table} table */
export function liveView({ match, status }) {
  const own = findings(match);
  return html`<div class="proof">
    ${own ? html`<div class="verdict" data-right=${String(isRight(own))} role="status"><span class="wax" aria-hidden="true">${signOf(isRight(own))}</span>
      <p><strong>${finding(own)}</strong></p></div>` : nothing}
    <p>${words("seal_how")} ${words(status === "over" ? "seal_over" : "seal_later")}</p>
    <p>${status === "over" ? html`<a class="button button-primary" href="/m/${match}">${words("replay")}</a>` : nothing} <a class="button" href="/fair" target="brelan-fair">${words("seal_page")}</a></p></div>`;
}
