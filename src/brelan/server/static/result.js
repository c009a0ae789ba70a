/** Between two rounds and at the end: all hands laid out, why it ended so, and what each seat won. */
import { bubble } from "./chat.js";
import { countdown, passes } from "./countdown.js";
import { canFree, chairs, openSeats, stillOpen, taken } from "./room.js";
import { ruleLink } from "./rulebook.js";
import { remarkView, zoneView } from "./scene.js";
import { scoreSheet } from "./sheets.js";
import { able } from "./verify.js";
import { html, nothing } from "./vendor/lit-html.js";
import { repeat } from "./vendor/directives/repeat.js";
import { listed, number, sentence, signed, words } from "./words.js";

/** @typedef {import("./protocol.js").Page} Page @typedef {import("./protocol.js").Acts} Acts */
/** @typedef {import("./protocol.js").Scene} Scene @typedef {import("./protocol.js").Table} Table */

/** @param {Page} page @param {Scene} scene @param {Acts} acts */
export function result(page, scene, acts) {
  const { table } = page.view;
  const title = scene.over ? winners(table, scene) : roundOver(table);
  return laid(page, scene, acts, title, scene.over ? end(page, acts) : pause(page, acts));
}

/** All hands laid out, below the piles that a last card flies to, between a title and what follows. @param {Page} page @param {Scene} scene @param {Acts} acts @param {string} title @param {unknown} foot */
export function laid(page, scene, acts, title, foot) {
  const { table } = page.view;
  const round = table.sheet.at(-1);
  const best = scene.over ? table.winners : (round?.best ?? []);
  const piles = scene.zones.filter((zone) => zone.kind === "pile" && zone.owner === null && zone.cards.some((card) => card.face));
  const won = scene.over && table.winners.includes(scene.seat);
  return html`<div class="felt ended" ?data-won=${won}><section class="result" aria-label=${words("result")}>
    <h2 tabindex="-1">${title}</h2>
    ${round ? html`<p class="reason">${round.reason} ${ruleLink(scene.game, round.rule)}</p>` : nothing}
    ${piles.length ? html`<div class="piles">${repeat(piles, (zone) => zone.id, (zone) => zoneView(page, scene, acts, zone))}</div>` : nothing}
    <div class="hands">${repeat(table.seats, (seat) => seat.seat, ({ seat, player }) => html`
      <section class="laid" ?data-leads=${best.includes(seat)}>
        <h3>${player} <span class="gain">${signed(round?.points[seat] ?? 0)}</span><span class="score" role="img" aria-label=${words("points", { n: scene.scores[seat] })}>${number(scene.scores[seat])}</span></h3>
        ${bubble(page, seat)}
        ${scene.notes.filter((note) => note.seat === seat).map((note) => html`<p class="note" data-rule=${note.rule}>${note.words} ${ruleLink(scene.game, note.rule)}</p>`)}
        ${repeat(scene.zones.filter((zone) => zone.owner === seat && zone.count), (zone) => zone.id, (zone) => zoneView(page, scene, acts, zone))}
      </section>`)}
    </div>
    ${remarkView(page)}
    ${foot}
  </section></div>`;
}

/** @param {Table} table */
export const roundOver = (table) => words("round_over", { n: table.sheet.length });

/** To whoever played: who sits in a winner's chair by now may be somebody else. @param {Table} table @param {Scene} scene */
function winners(table, scene) {
  if (table.winners.length === 1 && table.winners[0] === scene.seat) return words("you_win");
  return winnersNamed(table);
}

/** @param {Table} table */
export function winnersNamed(table) {
  const whole = /** @param {number} seat */ (seat) => table.seats[seat].player.replace(/ (?=\d+$)/, "\u00a0"); // so large, no bot is parted from its number
  return words("winners", { n: table.winners.length, names: listed(table.winners.map(whole)) });
}

/** @param {Page} page @param {Acts} acts */
function pause(page, acts) {
  const { table } = page.view;
  const asked = table.seat !== null && table.waits_for.includes(table.seat);
  return html`<div class="choices">
    ${asked ? html`<button type="button" class="button button-primary big" id="go-on" @click=${() => acts.send("next")}>${words("go_on")}</button>` : nothing}
    ${awaited(page)}
  </div>`;
}

/** Who would like to go on, for whom the table waits with it, and for how long. @param {Page} page */
function awaited(page) {
  const { table } = page.view;
  const [wished, awaited] = [wishes(table), others(table, table.waits_for)];
  if (!wished && !awaited.length && !passes(table)) return nothing;
  return html`<p class="hint">${wished}
    ${awaited.length ? sentence(words("waits_for", { names: listed(awaited) })) : nothing}${countdown(page, table.status === "over" ? "next_match" : "goes_on")}</p>`;
}

/** Who else would like to play again, a host who looks on too, and when that match will count; "" while nobody would. @param {Table} table */
function wishes(table) {
  if (table.status !== "over" || !table.waits_for.length) return "";
  const wishing = others(table, table.wishes);
  const who = wishing.length ? words("wishes", { n: wishing.length, names: listed(wishing) }) : table.wish ? "" : words("wishes_host");
  return `${who} ${words("for_ladder")}`;
}

/** The names at these seats, the reader's own left out. @param {Table} table @param {number[]} seats */
const others = (table, seats) => seats.filter((seat) => seat !== table.seat).map((seat) => table.seats[seat].name);

/** Who has won how often at this table, once that is a question. @param {Table} table */
const evening = (table) => (table.evening.length ? html`<p class="evening">${words("evening")} ${table.evening.map(({ name, won }, i) =>
  html`${i ? ", " : nothing}<bdi>${name}</bdi> ${won}`)}</p>` : nothing);

/** @param {Page} page @param {Acts} acts */
function end(page, acts) {
  const { table } = page.view;
  const may = !openSeats(table) && !table.wish && (table.seat !== null || table.host);
  const places = html`<div class="room">${chairs(table, acts, stillOpen(table))}</div>`;
  const own = table.seat !== null || table.host; // who may get up, or send a bot away
  return html`${evening(table)}${openSeats(table) || canFree(table) ? places : own ? html`<details class="chairs-of"><summary>${words("seats")}</summary>${places}</details>` : taken(table)}
    <div class="choices">
      ${may ? html`<button type="button" class="button button-primary big" @click=${() => acts.send("again")}>${words("again")}</button>` : nothing}
      ${may && table.seat === null && !table.waits_for.length && table.seats.some(({ kind }) => kind === "person") ? html`<p class="hint">${words("for_ladder")}</p>` : nothing}
      ${table.wish ? html`<button type="button" class="button quiet" @click=${() => acts.send("again", { wish: false })}>${words("again_withdraw")}</button>` : nothing}
      ${table.record ? html`<a class="button" href="/m/${table.match}">${words("replay")}</a>` : nothing}
      ${awaited(page)}
    </div>
    <p class="onward">${table.record ? html`<a href=${table.record}>${words("record")}</a>` : nothing} <a href="/">${words("other_game")}</a></p>
    <details class="sheet-of" ?open=${matchMedia("(min-width: 43.75em)").matches}><summary>${words("score")}</summary>${scoreSheet(table)}</details>
    ${table.secret ? html`<details class="proof"><summary>${words("proof")}</summary><p>${words(able ? "proof_how" : "seal_unsafe")}</p>
      <dl><dt>${words("commit")}</dt><dd><code>${table.commit}</code></dd><dt>${words("secret")}</dt><dd><code>${table.secret}</code></dd></dl></details>` : nothing}`;
}
