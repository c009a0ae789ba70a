/** Talk: the house's own sentences as buttons, own words where the table allows them, bubbles beside who speaks. */
import { keep, kept, TABLES } from "./settings.js";
import { repeat } from "./vendor/directives/repeat.js";
import { html, nothing } from "./vendor/lit-html.js";
import { named, words } from "./words.js";

/** @typedef {import("./protocol.js").Page} Page @typedef {import("./protocol.js").Acts} Acts */
/** @typedef {import("./protocol.js").Table} Table @typedef {import("./protocol.js").News} News */

const MUTED = "brelan.muted"; // the persons whose talk this device does not show, by table: who gets another name stays one
const LONGEST = 200; // letters, as the house takes them
const GLANCE = 7000; // milliseconds that a bubble stays at least
const [FOUND, READ] = [2000, 70]; // until it is looked at, and for each letter
const own = new Set(); // whom the reader has been at this table
let unsaid = ""; // own words that were begun, or that the house did not take: they are still there to be said

/** @param {string} text */
export const keepWords = (text) => void (unsaid = text);

/** @param {Table} table @param {number} who */
const mark = (table, who) => `${table.code}/${who}`;

/** @returns {string[]} */
const muted = () => kept(MUTED, []);

/** Whether this device hides what somebody says. @param {Table} table @param {number} who */
const isMuted = (table, who) => muted().includes(mark(table, who));

/** The news but for what those say who are not to be heard. @param {Table} table @param {News[]} news */
export const unmuted = (table, news) => news.filter(({ kind, who }) => kind !== "said" || !isMuted(table, who));

/** Show or hide what somebody says, and remember it. @param {Table} table @param {number} who */
function toggle(table, who) {
  const rest = muted().filter((one) => one !== mark(table, who));
  keep(MUTED, rest.length < muted().length ? rest : [...rest, mark(table, who)].slice(-TABLES));
}

/** Other people there are to talk to. @param {Table} table */
const others = ({ seats, seat }) => seats.filter((other) => other.kind === "person" && other.seat !== seat);

/** Who has said something, by that sentence without their words. @param {News} news */
function unquoted({ words, text }) {
  const at = words.lastIndexOf(text ?? "");
  return `${words.slice(0, at)}…${words.slice(at + (text ?? "").length)}`;
}

/** Whom one may not want to hear: those others, and whoever said something and has got up since. @param {Page} page */
function heard({ log, view: { table } }) {
  if (table.seat !== null) own.add(table.seats[table.seat].who);
  const gone = log.filter(({ kind, who }) => kind === "said" && !own.has(who) && table.seats.every((seat) => seat.who !== who));
  const names = new Map(gone.map((news) => [news.who, unquoted(news)]));
  return [...others(table), ...[...names].map(([who, name]) => ({ who, name }))];
}

/** There is talk where others are, or were heard; whoever looks on, or awaits the first match, may choose whom not to hear. @param {Page} page */
export const isTalk = (page) => !page.lesson && heard(page).length > 0;

/** Milliseconds until what was said has been read. @param {string} text */
export const lasts = (text) => Math.max(GLANCE, FOUND + READ * text.length);

/** What a seat has just said: each word fades by itself. @param {Page} page @param {number} seat */
export const bubble = ({ bubbles }, seat) => repeat(bubbles.filter((one) => one.seat === seat), (said) => said, ({ text }) =>
  html`<p class="bubble" dir="auto" aria-hidden="true" .style=${`animation-duration: ${lasts(text)}ms`}><span>${text}</span></p>`);

/** The sheet: what was said, what can be said, and whom not to hear. @param {Page} page @param {Acts} acts */
export function chat(page, acts) {
  const { table } = page.view;
  const said = unmuted(table, page.log).filter(({ kind }) => kind === "said");
  const say = /** @param {object} what */ (what) => (acts.send("say", what), acts.open(null));
  return html`
    ${said.length ? html`<ol class="log" role="list">${said.slice(-30).map((news) => html`<li>${news.words}</li>`)}</ol>` : html`<p class="hint">${words("chat_empty")}</p>`}
    ${table.seat === null || table.status === "open" ? nothing : [sayings(say), table.customs.talk ? ownWords(say) : nothing]}
    <fieldset><legend>${words("mute")}</legend>${heard(page).map(({ who, name }) => html`<label class="pick"><input type="checkbox"
      .checked=${isMuted(table, who)} @change=${() => (toggle(table, who), acts.open("chat"))} /> ${name}</label>`)}</fieldset>`;
}

/** @param {(what: object) => void} say */
const sayings = (say) => html`<div class="sayings" role="group" aria-label=${words("chat")}>${named("say_").map((name) =>
  html`<button type="button" class="button" @click=${() => say({ preset: name })}>${words(`say_${name}`)}</button>`)}</div>`;

/** @param {(what: object) => void} say */
function ownWords(say) {
  const send = /** @param {SubmitEvent} event */ (event) => {
    event.preventDefault();
    const text = unsaid.trim();
    keepWords("");
    if (text) say({ text });
  };
  return html`<form class="own-words" @submit=${send}><label class="field">${words("chat_text")}
    <input type="text" name="text" dir="auto" maxlength=${LONGEST} .value=${unsaid} autocomplete="off" enterkeyhint="send"
      @input=${(/** @type {Event} */ event) => keepWords(/** @type {HTMLInputElement} */ (event.target).value)} /></label>
    <button class="button button-primary">${words("chat_send")}</button></form>`;
}
