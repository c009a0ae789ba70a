/** The sheet on which a reader has the shuffles checked: in this very page, from the record alone. */
import { answerTo, given } from "./house.js";
import { html, nothing } from "./vendor/lit-html.js";
import { signOf } from "./sign.js";
import { able, textOf, verify, Wrong } from "./verify.js";
import { isSame, witnessed } from "./witness.js";
import { words } from "./words.js";

/** @typedef {{ state: "untouched" | "checking" | "right" | "wrong" | "unsure" | "gone", words?: string, device?: string }} Seal */

/** @type {Seal} */
export const UNTOUCHED = { state: "untouched" };

/** @param {string} match @param {Seal} seal @param {() => void} check */
export function sealView(match, seal, check) {
  return html`<div class="proof">
    <p>${words("seal_what")}</p>
    ${able ? verdict(seal, check) : html`<p class="banner">${words("seal_unsafe")}</p>`}
    <p><a class="button" href="/m/${match}/record">${words("record")}</a> <a class="button quiet" href="/fair">${words("seal_page")}</a></p>
    <h3>${words("seal_limits")}</h3>
    <ul><li>${words("seal_looked")}</li><li>${words("seal_rules")}</li>
      <li>${words("seal_house")} <a href="/static/verify.js">verify.js</a></li></ul>
  </div>`;
}

/** @param {Seal} seal @param {() => void} check */
function verdict({ state, words: said, device }, check) {
  if (state === "checking") return html`<p class="verdict">${said}</p>`;
  if (state === "untouched" || state === "gone") {
    return html`${said ? html`<p class="error">${said}</p>` : nothing}
      <p><button type="button" class="button button-primary big" id="check" @click=${check}>${words("seal_check")}</button></p>`;
  }
  const right = state === "unsure" ? null : state === "right";
  return html`<div class="verdict" data-right=${String(right)}>
    <span class="wax" aria-hidden="true">${signOf(right)}</span>
    <p><strong>${said}</strong>${device ? html`<br />${device}` : nothing}</p></div>`;
}

/** Fetch the record and check it. @param {string} match @returns {Promise<Seal>} */
export async function checked(match) {
  /** @type {ArrayBuffer} */
  let record;
  try {
    record = await given(await answerTo(`/m/${match}/record`)).arrayBuffer();
  } catch {
    return { state: "gone", words: words("seal_gone") };
  }
  try {
    const right = await verify(textOf(record));
    if (right.match !== match) throw new Wrong("match", 1);
    return compared(right);
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    return { state: "wrong", words: words("seal_wrong", { line: error.line, why: words(`wrong_${error.reason}`) }) };
  }
}

/** Beside what this device wrote down before the deal and while it was played, if it did: one that sat at the table and
 * has no share in the shuffles cannot tell whether they were chosen. @param {import("./verify.js").Right} right @returns {Seal} */
function compared({ match, whatif, commit, first, nonces, shuffles, roots }) {
  const own = witnessed(match);
  if (own?.replaced) return { state: "wrong", words: words("seal_replaced") };
  const same = own && isSame(own, { commit, first }) && own.nonces.every((nonce, seat) => nonce === null || nonce === nonces[seat]);
  if (own && !(same && !own.wrong && own.roots.every((root, i) => !root || root === roots[i]))) return { state: "wrong", words: words("seal_other") };
  const unproven = Boolean(own?.owed.length);
  const cards = unproven ? ` ${words("seal_unproven")}` : own?.cards ? ` ${words("seal_cards", { n: own.cards })}` : "";
  const silent = nonces.filter((nonce) => !nonce).length;
  const sure = !whatif && (own ? own.shared && !unproven : !silent);
  const device = whatif ? words("seal_whatif") : words(shareOf(own)) + (silent ? ` ${words("seal_silent", { n: silent, of: nonces.length })}` : "");
  return { state: sure ? "right" : "unsure", words: words("seal_right", { n: shuffles }), device: device + cards };
}

/** What this device has to do with the shuffles. @param {import("./witness.js").Promised | undefined} own */
const shareOf = (own) => (!own ? "seal_absent" : own.shared ? "seal_same" : own.nonces.length ? "seal_late" : "seal_unasked");
