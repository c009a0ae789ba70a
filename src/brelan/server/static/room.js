/** The waiting room: who sits where, how the table plays, how friends find it, and the start. */
import { levelWords, remarkView } from "./scene.js";
import { near, shared } from "./share.js";
import { html, nothing } from "./vendor/lit-html.js";
import { signed, tongues, words } from "./words.js";

/** @typedef {import("./protocol.js").Page} Page @typedef {import("./protocol.js").Acts} Acts */
/** @typedef {import("./protocol.js").Seat} Seat @typedef {import("./protocol.js").Table} Table */

const root = document.getElementById("table");
const levels = (root?.dataset.levels ?? "").split(" ");
/** @type {Record<string, number>} */
const strengths = JSON.parse(root?.dataset.strengths ?? "{}");
let level = root?.dataset.bot ?? ""; // of the next bot

/** @param {Page} page @param {Acts} acts */
export function room(page, acts) {
  const { table } = page.view;
  return html`<div class="room">
    ${chairs(table, acts, html`${start(table, acts)}${remarkView(page)}`)}
    ${invitation(table)}
    ${customs(table)}
    ${table.link ? ownLink(table.link) : nothing}
  </div>`;
}

// ---------------------------------------------------------------- chairs

/** Who sits where, and below it whatever follows from that. @param {Table} table @param {Acts} acts @param {unknown} foot */
export const chairs = (table, acts, foot) => html`<section class="chairs"><h2>${words("seats")}</h2>
    ${table.seat === null && openSeats(table) ? [table.status === "open" ? languages() : nothing, nickname()] : nothing}
    <ol role="list">${table.seats.map((seat) => html`<li class="chair" data-kind=${seat.kind}>${chair(table, seat, acts)}</li>`)}</ol>
    ${table.host ? bots(table, acts) : nothing}
    ${foot}
  </section>`;

/** The same page in another language: whoever was sent a link may have come to one that they do not read. */
export const languages = () => html`<nav class="languages" aria-label=${words("language")}>${tongues().map(({ tongue, name, address }) =>
  html`<a href=${address} lang=${tongue} hreflang=${tongue} aria-current=${tongue === document.documentElement.lang ? "true" : nothing}>${name}</a>`)}</nav>`;

/** The first sign, whole as a flag of two letters is, if the browser knows. @param {string} name */
const initial = (name) => ("Segmenter" in Intl ? [...new Intl.Segmenter().segment(name)][0]?.segment : [...name][0]);

let nameless = false; // somebody would sit down, and has not said yet what they are called

const nickname = () => html`<label class="field">${words("nickname")}
  <input id="nickname" maxlength="24" autocomplete="nickname" .value=${root?.dataset.name ?? ""} aria-invalid=${nameless ? "true" : nothing}
    aria-describedby=${nameless ? "remark" : nothing} @input=${() => (nameless = false)} /></label>`;

/** @param {Table} table @param {Seat} seat @param {Acts} acts */
function chair(table, seat, acts) {
  const own = seat.seat === table.seat;
  const emptied = isGone(seat) ? "free_seat" : "send_away";
  const sits = table.seat === null ? "sit" : "change_chair"; // a tap of a second person at the same device moves the first
  const here = /** @param {string} deed */ (deed) => `${words(deed)}, ${seat.kind === "open" ? words("seat", { n: seat.seat + 1 }) : seat.name}`; // one chair sounds like another
  return html`<span class="initial" aria-hidden="true">${seat.kind === "open" ? seat.seat + 1 : initial(seat.name)}</span>
    <span class="who">${own ? ownName(seat, acts) : seat.kind === "open" ? words("open_seat") : seat.name}
      <small>${own ? words("you") : sitting(seat)}</small></span>
    ${seat.kind === "open" ? html`<button type="button" class="button ${table.seat === null ? "button-primary" : ""}" aria-label=${here(sits)}
        @click=${() => sit(seat.seat, table, acts)}>${words(sits)}</button>` : nothing}
    ${seat.kind === "open" && table.host ? html`<button type="button" class="button" aria-label=${here("seat_bot")}
        @click=${() => acts.send("bot", { seat: seat.seat, level })}>${words("seat_bot")}</button>` : nothing}
    ${table.host && (seat.kind === "bot" || isGone(seat)) ? html`<button type="button" class="button quiet" aria-label=${here(emptied)}
        @click=${() => acts.send("bot", { seat: seat.seat, level: null })}>${words(emptied)}</button>` : nothing}
    ${own ? html`<button type="button" class="button quiet" @click=${() => acts.send("stand")}>${words("stand")}</button>` : nothing}`;
}

/** What is said of somebody beside their name. @param {Seat} seat */
const sitting = ({ kind, level, online }) =>
  kind === "bot" ? levelWords(level) : kind === "open" ? "" : words(online ? "here" : "away");

/** One's own name is a field: written anew, it is another. @param {Seat} seat @param {Acts} acts */
const ownName = (seat, acts) => html`<input class="own-name" maxlength="24" autocomplete="nickname" aria-label=${words("rename")}
  .value=${seat.name} @change=${(/** @type {Event} */ event) => {
    const field = /** @type {HTMLInputElement} */ (event.currentTarget);
    const name = field.value.trim();
    field.value = seat.name; // the house says what it becomes: the same again, where it is told apart or refused
    if (name) acts.send("sit", { seat: seat.seat, name: remembered(name) });
  }} />`;

/** Whoever has a chair takes another by the same name. @param {number} seat @param {Table} table @param {Acts} acts */
function sit(seat, table, acts) {
  const field = /** @type {HTMLInputElement | null} */ (document.getElementById("nickname"));
  if (table.seat !== null) return acts.send("sit", { seat, name: table.seats[table.seat].name }); // maybe "Robin (2)", only here
  const name = field?.value.trim();
  nameless = !name;
  if (name) return acts.send("sit", { seat, name: remembered(name) });
  acts.say({ words: words("nameless"), rule: null });
  field?.focus();
}

/** The house remembers a name with its guest, so that no table asks for it again. @param {string} name */
function remembered(name) {
  if (root && root.dataset.name !== name) {
    root.dataset.name = name;
    fetch("/name", { method: "POST", body: new URLSearchParams({ nickname: name }), redirect: "manual", keepalive: true }).catch(() => null);
  }
  return name;
}

/** Of which level the next bot is, and bots for all at once. @param {Table} table @param {Acts} acts */
function bots(table, acts) {
  const open = table.seats.filter((seat) => seat.kind === "open");
  if (!open.length) return nothing;
  return html`<p class="bots"><label>${words("bot_level")} <select @change=${(/** @type {Event} */ event) => {
      level = /** @type {HTMLSelectElement} */ (event.currentTarget).value;
    }}>${levels.map((name) => html`<option value=${name} ?selected=${name === level}>${levelWords(name)}${name in strengths ? ` (${signed(strengths[name])})` : ""}</option>`)}</select></label>
    <small>${words("bot_strength", { n: Number(root?.dataset.measured) })}</small>
    ${open.length > 1 ? html`<button type="button" class="button fill"
      @click=${() => open.forEach(({ seat }) => acts.send("bot", { seat, level }))}>${words("fill")}</button>` : nothing}</p>`;
}

/** What calls those who wait there: that somebody else has come and, who may begin, that all have. @param {import("./protocol.js").View} view @param {import("./protocol.js").View | undefined} old */
export function arrival({ table, news }, old) {
  if (!old || table.status !== "open") return "";
  const known = old.table.seats.map(({ who }) => who);
  const came = table.seats.find(({ seat, who }) => who && seat !== table.seat && !known.includes(who));
  if (!came) return "";
  const told = news.filter(({ kind, seat }) => kind === "table" && seat === came.seat).at(-1)?.words ?? came.name;
  return table.host && !openSeats(table) ? `${told} ${words("all_sit")}` : told;
}

/** Whether whoever brought their seat to this device has got up, maybe on another: who comes next is somebody else. @param {import("./protocol.js").View} view @param {import("./protocol.js").View | undefined} old */
export const hasParted = (view, old) => root?.dataset.brought !== undefined && typeof old?.table.seat === "number" && view.table.seat === null;

/** @param {Table} table */
export const openSeats = (table) => table.seats.filter((seat) => seat.kind === "open").length;

/** @param {Seat} seat */
const isGone = ({ kind, online }) => kind === "person" && !online;

/** Whether the viewer may free the chair of somebody who has gone. @param {Table} table */
export const canFree = (table) => table.host && table.seats.some(isGone);

/** What the table still waits for; nothing once every seat is taken. @param {Table} table */
export function stillOpen(table) {
  const open = openSeats(table);
  return open ? html`<p class="hint">${words("still_open", { n: open })}</p>` : nothing;
}

/** To whoever comes to a table that is full: that it is, and where else to play. @param {Table} table */
export const taken = (table) => table.seat !== null || table.host || openSeats(table) ? nothing : html`<p class="hint taken">${words("taken")}
  ${words(`customs_watch_${table.customs.watch}`)} <a href="/new/${table.game}">${words("own_table")}</a></p>`;

/** @param {Table} table @param {Acts} acts */
function start(table, acts) {
  if (openSeats(table)) return stillOpen(table);
  if (!table.host) return html`<p class="hint">${words("host_starts")}</p>${taken(table)}`;
  return html`<button type="button" class="button button-primary big" @click=${() => acts.send("start")}>${words("start")}</button>`;
}

// ---------------------------------------------------------------- how the table plays

/** @param {Table} table */
function customs(table) {
  return html`<section class="customs"><h2>${words("customs")}</h2>
    <ul>${[...rules(table), ...keeping(table)].map((sentence) => html`<li>${sentence}</li>`)}</ul>
    <p><a href="/rules/${table.game}" target="brelan-rules">${words("rules")}</a></p></section>`;
}

/** @param {Table} table @returns {string[]} */
function rules({ differs, manner }) {
  const how = differs.length ? differs : [words("customs_sheet")];
  return manner ? [...how, words("customs_manner", { what: words("manner"), how: words(`manner_${manner}`) })] : how;
}

/** @param {number} seconds */
const inMinutes = (seconds) => [`${Math.floor(seconds / 60)}\u00a0min`, ...(seconds % 60 ? [`${seconds % 60}\u00a0s`] : [])].join(" ");

/** @param {Table} table @returns {string[]} */
function keeping({ customs }) {
  const { pace, bank, increment, days, watch, listed, talk, hints, keeper, grace, tempo } = customs;
  return [
    words(`customs_${pace}`, { bank: inMinutes(bank), increment, n: days }),
    ...(tempo === "usual" || (tempo === "step" && pace === "days") ? [] : [words(`customs_tempo_${tempo}`)]),
    words(`customs_listed_${listed}`),
    words(`customs_watch_${watch}`),
    ...(talk ? [words("customs_talk")] : []),
    ...(hints ? [words("customs_hints")] : []),
    words(pace === "days" ? "customs_kept_days" : "customs_kept", { n: grace, level: levelWords(keeper) }),
  ];
}

// ---------------------------------------------------------------- ways to the table

/** @param {Table} table */
const invitation = (table) => html`<section class="invitation"><h2>${words("invite")}</h2>${ways(table)}</section>`;

/** The same once the cards are dealt, for who would look on, or sit down for the next match. @param {Table} table */
export const lateInvitation = (table) => html`<details class="own-link"><summary>${words("invite")}</summary>${ways(table)}</details>`;

/** @param {string} path @param {string} name of the words that say what it is */
const qr = (path, name) => near ? html`<p class="near">${words("near")}</p>`
  : html`<img class="qr" src=${path} loading="lazy" alt=${words(name)} width="176" height="176" />`;

/** @param {Table} table */
function ways({ code, customs, status, title }) {
  const link = new URL(`/t/${code}`, location.href).href;
  return html`${signs(code)}
    ${qr(`/t/${code}/qr.svg`, "qr")}
    ${near ? nothing : html`<p><a href=${link}>${link}</a></p>
      ${shared(link, "share", title)}
      <p class="hint">${words("invite_hint")}</p>`}
    ${customs.watch || status === "open" ? html`<p class="hint"><a href="?screen" target="_blank">${words("screen")}</a></p>` : nothing}`;
}

/** A table's code, sign by sign also to those who listen. @param {string} code */
const signs = (code) => html`<p class="code" role="img" aria-label=${[...code].join(" ")}>${[...code].map((sign) => html`<span>${sign}</span>`)}</p>`;

/** The way to the table for those who see it on the wall. @param {Table} table */
export const poster = (table) => html`<aside class="poster">${near ? nothing : qr(`/t/${table.code}/qr.svg`, "qr")}
  ${signs(table.code)}</aside>`;

/** The reader's own seat, for another device of theirs. @param {string} path */
export const ownLink = (path) => html`<details class="own-link"><summary>${words("own_link")}</summary>
  <p class="hint">${words("own_link_hint")}</p>
  ${qr(`${path.slice(0, path.indexOf("/seat/"))}/seat.svg`, "own_link_qr")}
  ${shared(new URL(path, location.href).href, "copy")}
</details>`;
