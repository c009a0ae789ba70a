/** What has been told: the last move, always in sight, and the log with a heading for each round. */
import { unmuted } from "./chat.js";
import { ruleLink } from "./rulebook.js";
import { stage } from "./turn.js";
import { html, nothing } from "./vendor/lit-html.js";
import { repeat } from "./vendor/directives/repeat.js";
import { listed, signed, words } from "./words.js";

/** @typedef {import("./protocol.js").Page} Page @typedef {import("./protocol.js").Acts} Acts */
/** @typedef {import("./protocol.js").News} News @typedef {import("./protocol.js").Table} Table */
/** @typedef {import("./protocol.js").View} View @typedef {import("./protocol.js").Scene} Scene @typedef {import("./protocol.js").Card} Card */

const FILTERS = /** @type {const} */ (["all", "scores"]);

/**
 * Kept until the next, or the next round's deal: what somebody did last, and how often; what it led to, and what the table
 * did for others by itself then. Talk apart, and who sat down before the cards came. @param {News[]} log
 */
export function lastOf(log) {
  const dealt = lastAt(log, ({ kind, seat }) => kind === "table" && seat === null);
  const ended = lastAt(log, ({ kind }) => kind === "round");
  const told = log.filter(({ kind, seat }, i) => (kind === "move" ? i > ended || dealt < ended : kind === "table" && seat !== null && i > dealt));
  const [last, ...rest] = told.slice(Math.max(lastAt(told, (news) => !news.follows), 0));
  if (!last) return { did: "", led: "", rule: null };
  const again = told.length - 1 - lastAt(told, (news) => news.words !== last.words);
  const did = last.words.slice(0, last.words.length - last.led.length).trim();
  return { did: again > 1 ? `${did} ×${again}` : did, led: [last.led, ...rest.map((news) => news.words)].filter(Boolean).join(" "), rule: last.rule };
}

/** Where the last of that kind stands, -1 if there is none. @param {News[]} log @param {(news: News) => boolean} which */
const lastAt = (log, which) => log.reduce((at, news, i) => (which(news) ? i : at), -1);

/** The line above the table; it opens the log. @param {Page} page @param {Acts} acts */
export function lastMove(page, acts) {
  const { did, led } = lastOf(page.log);
  if (page.view.table.status === "open") return nothing;
  return html`<button type="button" class="last" aria-label=${did ? nothing : words("log")} aria-description=${did ? words("log") : nothing} @click=${() => acts.open("log")}>
    <span class="sentence"><span ?data-led=${led}>${did}</span> ${led}</span>
    ${page.missed ? html`<span class="missed">${words("missed", { n: page.missed })}</span>` : nothing}</button>`;
}

/** The cards that came to the reader and that nobody else was shown, for the news tell of a draw only; of a round's deal all; who loads the page anew sees them. @param {View} view @param {View | undefined} old */
export function came({ scene, last }, old) {
  if (!scene || !old) return "";
  const now = own(scene);
  const cards = !old.scene || stage(old.scene) === "ended" ? own(scene, "fan") : now.filter(({ key }) => last.some((move) => move.key === key)).filter(isNew(now, old.scene));
  return cards.length && stage(scene) === "play" ? words("came", { cards: listed(cards.map(({ alt }) => alt)) }) : "";
}

/** Whether a card is seen for the first time; of two that are alike either may bear the key of the other. @param {Card[]} now @param {Scene} before */
function isNew(now, before) {
  const shown = new Set(before.zones.flatMap(({ cards }) => cards.filter(({ face }) => face).map(({ key }) => key)));
  const many = /** @param {Card[]} cards @param {string | null} face */ (cards, face) => cards.filter((card) => card.face === face).length;
  return /** @param {Card} card */ ({ key, face }) => Boolean(face) && !shown.has(key) && many(now, face) > many(own(before), face);
}

/** The cards before the reader; or in their hand only. @param {Scene} scene @param {string} [only] */
const own = ({ zones, seat }, only) => zones.filter(({ owner, kind }) => owner === seat && kind === (only ?? kind)).flatMap(({ cards }) => cards);

/** The log, newest first. @param {Page} page @param {Acts} acts */
export function log(page, acts) {
  const { table } = page.view;
  return html`<div class="filters" role="group" aria-label=${words("filter")}>${FILTERS.map((name) =>
      html`<button type="button" class="button" aria-pressed=${String(page.filter === name)} @click=${() => acts.filter(name)}>${words(`filter_${name}`)}</button>`)}</div>
    ${page.filter === "scores" ? scores(table) : page.log.length ? all(page) : html`<p class="hint">${words("log_empty")}</p>`}`;
}

/** Only what each round brought. @param {Table} table */
function scores(table) {
  if (!table.sheet.length) return html`<p class="hint">${words("log_empty")}</p>`;
  return html`<ol class="log" role="list" reversed>${repeat([...table.sheet].reverse(), ({ round }) => round, (round) => html`<li>
    <h3>${words("round_n", { n: round.round })}</h3>
    ${table.seats.map((seat, i) => html`<span class="won"><bdi>${seat.player}</bdi> <b>${signed(round.points[i])}</b></span> `)}
    <p>${round.reason} ${ruleLink(table.game, round.rule)}</p></li>`)}</ol>`;
}

/** Everything, in rounds; what is new takes the focus from no sentence. @param {Page} page */
function all({ log, view: { table } }) {
  return repeat(rounds(unmuted(table, log), table).reverse(), ({ number }) => number, ({ number, told }) => html`
    <h3>${number ? words("round_n", { n: number }) : words("before_match")}</h3>
    <ol class="log" role="list" reversed>${repeat([...told].reverse(), (news) => news, (news) =>
      html`<li data-kind=${news.kind}>${news.words} ${ruleLink(table.game, news.rule)}</li>`)}</ol>`);
}

/** Who reads back stays at their sentence, once all is drawn, when others come above it: Safari does not see to that. */
export function stay() {
  const sheet = document.querySelector("dialog");
  const newest = sheet?.querySelector(".log li");
  if (!sheet?.scrollTop || !newest || CSS.supports("overflow-anchor", "auto")) return () => {};
  const at = newest.getBoundingClientRect().top;
  return () => void (sheet.scrollTop += newest.getBoundingClientRect().top - at);
}

/**
 * The sentences of each round that has any; the end of an earlier match stands before the first, with what was said until
 * the next began, and whatever follows the match's own end is in its last round. @param {News[]} log @param {Table} table
 */
function rounds(log, { status, sheet }) {
  const ends = log.filter((news) => news.kind === "round");
  const begun = beginning(log, status);
  let number = sheet.length - ends.length + 1;
  /** @type {{ number: number, told: News[] }[]} */
  const found = [];
  log.forEach((news, i) => {
    const under = i < begun ? 0 : number;
    if (found.at(-1)?.number !== under) found.push({ number: under, told: [] });
    found.at(-1)?.told.push(news);
    if (news.kind === "round" && !(status === "over" && news === ends.at(-1))) number++;
  });
  return found;
}

/** Where the match begins in a log that tells the end of an earlier one; 0 in any other. @param {News[]} log @param {Table["status"]} status */
function beginning(log, status) {
  const ends = log.flatMap(({ kind }, i) => (kind === "over" ? [i] : []));
  const end = ends.at(status === "over" ? -2 : -1) ?? -1;
  const after = log.findIndex(({ kind }, i) => i > end && kind !== "said");
  return end < 0 ? 0 : after < 0 ? log.length : after;
}
