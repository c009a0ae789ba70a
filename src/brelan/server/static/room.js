/** The waiting room: who sits where, how friends find the table, and the start. */
import { levelWords, remarkView } from "./scene.js";
import { kept, keep } from "./settings.js";
import { html, nothing } from "./vendor/lit-html.js";
import { words } from "./words.js";

/** @typedef {import("./protocol.js").Page} Page @typedef {import("./protocol.js").Acts} Acts */
/** @typedef {import("./protocol.js").Seat} Seat @typedef {import("./protocol.js").Table} Table */

const LEVEL = "novice"; // what a chair is filled with when a bot is asked for

/** @param {Page} page @param {Acts} acts */
export function room(page, acts) {
  const { table } = page.view;
  return html`<div class="room">
    <section class="chairs"><h2>${words("seats")}</h2>
      ${table.seat === null ? nickname() : nothing}
      <ol role="list">${table.seats.map((seat) => html`<li class="chair" data-kind=${seat.kind}>${chair(table, seat, acts)}</li>`)}</ol>
      ${start(table, acts)}
      ${table.manner ? html`<p class="hint">${words("manner")}: ${words(`manner_${table.manner}`)}.</p>` : nothing}
      ${remarkView(page)}
    </section>
    ${invitation(table)}
    ${table.differs.length ? html`<section class="differs"><h2>${words("differs")}</h2>
      <ul>${table.differs.map((difference) => html`<li>${difference}</li>`)}</ul></section>` : nothing}
  </div>`;
}

const nickname = () => html`<label class="field">${words("nickname")}
  <input id="nickname" maxlength="24" autocomplete="nickname" .value=${kept("brelan.name", document.getElementById("table")?.dataset.name ?? "")} /></label>`;

/** @param {Table} table @param {Seat} seat @param {Acts} acts */
function chair(table, seat, acts) {
  const own = seat.seat === table.seat;
  return html`<span class="seal" aria-hidden="true">${seat.kind === "open" ? seat.seat + 1 : seat.name.slice(0, 1)}</span>
    <span class="who">${seat.kind === "open" ? words("open_seat") : seat.name}
      <small>${own ? words("you") : seat.kind === "bot" ? words("bot", { level: levelWords(seat.level) }) : seat.kind === "person" && !seat.online ? words("away") : ""}</small></span>
    ${seat.kind === "open" ? html`<button type="button" class="button ${table.seat === null ? "button-primary" : ""}"
        @click=${() => sit(seat.seat, table, acts)}>${words("sit")}</button>` : nothing}
    ${seat.kind === "open" && table.host ? html`<button type="button" class="button"
        @click=${() => acts.send("bot", { seat: seat.seat, level: LEVEL })}>${words("seat_bot")}</button>` : nothing}
    ${seat.kind === "bot" && table.host ? html`<button type="button" class="button quiet"
        @click=${() => acts.send("bot", { seat: seat.seat, level: null })}>${words("send_away")}</button>` : nothing}
    ${own ? html`<button type="button" class="button quiet" @click=${() => acts.send("stand")}>${words("stand")}</button>` : nothing}`;
}

/** @param {number} seat @param {Table} table @param {Acts} acts */
function sit(seat, table, acts) {
  const field = /** @type {HTMLInputElement | null} */ (document.getElementById("nickname"));
  const name = field?.value.trim() || (table.seat === null ? "" : table.seats[table.seat].name);
  if (!name) return field?.focus();
  keep("brelan.name", name);
  return acts.send("sit", { seat, name });
}

/** @param {Table} table @param {Acts} acts */
function start(table, acts) {
  const open = table.seats.filter((seat) => seat.kind === "open").length;
  if (open) return html`<p class="hint">${words("still_open", { n: open })}</p>`;
  if (!table.host) return html`<p class="hint">${words("host_starts")}</p>`;
  return html`<button type="button" class="button button-primary big" @click=${() => acts.send("start")}>${words("start")}</button>`;
}

/** @param {Table} table */
function invitation(table) {
  const link = new URL(`/t/${table.code}`, location.href).href;
  return html`<section class="invitation"><h2>${words("invite")}</h2>
    <img class="qr" src="/t/${table.code}/qr.svg" alt=${words("qr")} width="176" height="176" />
    <p class="code">${table.code}</p>
    <p class="link"><a href=${link}>${link}</a></p>
    <button type="button" class="button" @click=${(/** @type {Event} */ event) => share(link, /** @type {HTMLElement} */ (event.currentTarget))}>${words("share")}</button>
  </section>`;
}

/** Share by the device's own means where it has some, else copy. @param {string} link @param {HTMLElement} button */
async function share(link, button) {
  try {
    if (navigator.share) return await navigator.share({ url: link });
    await navigator.clipboard.writeText(link);
    button.textContent = words("copied");
  } catch {
    // the link stands beside the button
  }
}
