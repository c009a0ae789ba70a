/** The page of a match that is over: it walks through the steps, and draws each with the modules of the table. */
import { fly, measure } from "./animate.js";
import { blank } from "./blank.js";
import { sheetEnd } from "./focus.js";
import { spread } from "./hand.js";
import { head, opener } from "./heading.js";
import { scrollable } from "./keys.js";
import { laid, roundOver, winnersNamed } from "./result.js";
import { ruleLink } from "./rulebook.js";
import { middle, plate, table as tableView, zoneView } from "./scene.js";
import { checked, sealView, UNTOUCHED } from "./seal.js";
import { apply, moving } from "./settings.js";
import { scoreSheet, settle, sheet } from "./sheets.js";
import { Steps } from "./steps.js";
import { shared } from "./share.js";
import { stage } from "./turn.js";
import { html, nothing, render, svg } from "./vendor/lit-html.js";
import { repeat } from "./vendor/directives/repeat.js";
import { regions, speak } from "./voice.js";
import { words } from "./words.js";

/**
 * @typedef {import("./protocol.js").Page} Page @typedef {import("./protocol.js").Scene} Scene
 * @typedef {{ begin: number, end: number }} Round steps
 * @typedef {{ table: import("./protocol.js").Table, steps: number, page: number, rounds: Round[] }} Past
 */

const root = /** @type {HTMLElement} */ (document.getElementById("replay"));
const match = String(root.dataset.match);
/** @type {Past} */
const past = JSON.parse(document.getElementById("match")?.textContent ?? "");
const steps = new Steps(match, String(root.dataset.language), past.steps, past.page);
const END = past.steps - 1;
const PACE = 1200; // milliseconds from step to step while it plays
const STAND = 4; // times as long the result of a round stands
const SPEEDS = /** @type {const} */ ([[0.5, "½×"], [1, "1×"], [2, "2×"], [4, "4×"]]);
const WRITE = 300; // until the address names the step where the reader stays
const REST = 120; // that the slider stands still before steps are asked for that are not here
const wide = matchMedia("(min-width: 68.75em)"); // where the log stands beside the table (replay.css)

const asked = new URLSearchParams(location.search).get("seat");
const VIEWERS = [...past.table.seats.map((seat) => String(seat.seat)), "spectator", "open"];
let viewer = VIEWERS.find((one) => one === asked) ?? String(past.table.seat ?? "open");
let at = named(location.href);
let playing = 0; // the timer while it plays
let speed = 1;
let writing = 0;
let wanted = 0; // counts what was asked for: an answer that comes too late is not drawn
let drawn = { at: -2, viewer: "" }; // what lies on the table
let lost = false; // whether what was asked for did not come
let seal = UNTOUCHED;

/** @type {Page | null} */
let page = null;
/** @type {import("./steps.js").Told[]} */
let log = [];

/** The step that an address names. @param {string} address */
function named(address) {
  return within(Math.trunc(Number(new URL(address).hash.slice(1))) - 1 || 0);
}

/** @param {number} step */
function within(step) {
  return Math.max(0, Math.min(END, step));
}

// ---------------------------------------------------------------- walking

/** Go to a step, as some viewer sees it. @param {number} step @param {string} [eyes] @param {number} [rest] milliseconds until what is not here is asked for */
async function go(step, eyes = viewer, rest = 0) {
  [at, viewer] = [within(step), eyes];
  const ask = ++wanted;
  if (rest && !steps.has(viewer, at)) await new Promise((done) => setTimeout(done, rest));
  if (ask !== wanted) return;
  const answers = await Promise.all([steps.step(viewer, at), steps.log(viewer)]).catch(() => null);
  if (ask !== wanted) return;
  lost = !answers;
  if (!answers) return stop();
  const way = drawn.viewer === viewer ? at - drawn.at : NaN;
  drawn = { at, viewer };
  log = answers[1];
  show(answers[0], way);
}

/** Put a step on the table; cards fly between neighbours only. @param {import("./steps.js").Step} step @param {number} way */
function show({ scene, last }, way) {
  const seat = scene.seat < 0 ? null : scene.seat;
  const ended = past.rounds.filter((round) => round.end <= at).length;
  const table = { ...past.table, seat, scores: scene.scores, sheet: past.table.sheet.slice(0, ended), winners: at === END ? past.table.winners : [] };
  const before = page && Math.abs(way) === 1 && moving(page.settings) ? measure() : null;
  page = {
    ...(page ?? { ...blank(), since: 0, still: true }),
    view: { type: "view", number: at, table, scene, last, news: [] },
    fresh: new Set(last.map((move) => move.key)),
  };
  draw();
  if (before) fly(before, way === 1 ? last : []);
  speak("voice", said().map((one) => one.words).join(" "));
  clearTimeout(writing);
  writing = setTimeout(() => history.replaceState(null, "", `?seat=${drawn.viewer}#${drawn.at + 1}`), WRITE);
}

function play() {
  if (playing) return stop();
  if (at === END) go(0);
  linger();
  draw();
}

/** Go on once the step has stood for its time, the result of a round longer. */
function linger() {
  const stands = past.rounds.some(({ end }) => end === at) ? STAND : 1;
  const own = (playing = setTimeout(async () => {
    if (at === END) return stop();
    await go(at + 1);
    if (playing === own) linger();
  }, (PACE * stands) / speed));
}

function stop() {
  clearTimeout(playing);
  playing = 0;
  draw();
}

/** The deal of the round before or after, or an end. @param {number} way */
function toRound(way) {
  const deals = past.rounds.map((round) => round.begin);
  go((way < 0 ? deals.filter((step) => step < at).at(-1) : deals.find((step) => step > at)) ?? (way < 0 ? 0 : END));
}

async function check() {
  conclude({ state: "checking", words: words("seal_checking") });
  conclude(await checked(match));
}

/** Show what is known of the seal, and say it. @param {import("./seal.js").Seal} known */
function conclude(known) {
  seal = known;
  draw();
  if (document.activeElement === document.body) sheetEnd()?.focus(); // the button is gone
  speak("voice", `${seal.words} ${seal.device ?? ""}`);
}

/** @param {Partial<Page>} changed */
function change(changed) {
  if (page) page = { ...page, ...changed };
  draw();
}

const nothingToDo = () => {};
/** What the table's modules may ask for; nothing can be played here. @type {import("./protocol.js").Acts} */
const acts = {
  card: nothingToDo, zone: nothingToDo, choose: nothingToDo, play: nothingToDo, raise: nothingToDo, drop: nothingToDo,
  arrange: nothingToDo, shift: nothingToDo, clear: nothingToDo, call: nothingToDo, say: nothingToDo, send: nothingToDo,
  undo: nothingToDo, hint: nothingToDo, filter: nothingToDo, leave: nothingToDo,
  open: (name) => change({ sheet: name }),
  set: (chosen) => change({ settings: apply(chosen) }),
};

// ---------------------------------------------------------------- drawing

function draw() {
  render(page ? whole(page) : lost ? missing() : nothing, root);
  spread();
  scrollable();
  settle(page?.sheet ?? null);
  const told = root.querySelector(".told");
  const now = /** @type {HTMLElement | null | undefined} */ (told?.querySelector("[aria-current]"));
  if (told && now) told.scrollTop = now.offsetTop - told.clientHeight / 2;
  document.title = `${words("colon", { name: words("replay"), said: past.table.title })} – Brelan`;
}

/** @param {Page} page */
function whole(page) {
  const scene = /** @type {Scene} */ (page.view.scene);
  return html`<div id="table" data-game=${scene.game} data-felt=${stage(scene)}>
      ${head(page.view.table, acts, nothing, html`${opener(acts, "seal", "✓")}${opener(acts, "score", "Σ")}`)}
      ${lost ? missing() : nothing}
      ${felt(page, scene)}
      ${controls(page, scene)}
      ${sheet(page, acts, { log: logView, seal: () => sealView(match, seal, check), whatif: whatIf, help, score: (page) => scoreSheet(page.view.table) })}
    </div>
    <aside class="told" aria-label=${words("log")}>${wide.matches ? logView() : nothing}</aside>`;
}

const missing = () => html`<p class="banner" role="alert">${words("missing")}
  <button type="button" class="button" @click=${() => go(at)}>${words("again_missing")}</button></p>`;

/** @param {Page} page @param {Scene} scene */
function felt(page, scene) {
  const { table } = page.view;
  if (scene.over) return laid(page, scene, acts, winnersNamed(table), ends(page));
  if (scene.between) return laid(page, scene, acts, roundOver(table), nothing);
  return viewer === "open" ? openTable(page, scene) : tableView(page, scene, acts);
}

/** All hands as they are laid out at the end, around what lies in the middle. @param {Page} page @param {Scene} scene */
function openTable(page, scene) {
  return html`<div class="felt open">
    ${middle(page, scene, acts)}
    <div class="hands">${page.view.table.seats.map(({ seat }) => html`<section class="laid">${plate(page, scene, seat)}
      ${repeat(scene.zones.filter((zone) => zone.owner === seat && zone.count), (zone) => zone.id, (zone) => zoneView(page, scene, acts, zone))}</section>`)}</div>
  </div>`;
}

/** @param {Page} page */
const ends = ({ view: { table } }) => html`<div class="choices">
    <button type="button" class="button button-primary" @click=${() => acts.open("seal")}>${words("seal")}</button>
    <a class="button" href="/m/${match}/record">${words("record")}</a>${shared(new URL(`/m/${match}`, location.href).href, "share", document.title)}<a class="button quiet" href="/t/${table.code}">${words("to_table")}</a></div>
  ${scoreSheet(table)}`;

/** @param {Page} page @param {Scene} scene */
function controls(page, scene) {
  return html`<section class="bar walk" aria-label=${words("controls")}>
    ${scene.seat < 0 || stage(scene) === "ended" ? nothing : plate(page, scene, scene.seat)}
    <p class="prompt">${said().map((one) => html`${one.words} ${ruleLink(scene.game, one.rule)} `)}</p>
    ${slider()}
    <div class="choices">
      ${step("first", "M6 5v14M19 5l-9 7 9 7z", () => go(0), at === 0)}
      ${step("back", "M16 5l-9 7 9 7z", () => go(at - 1), at === 0)}
      ${playing ? step("stop", "M8 5v14M16 5v14", play) : step("play", "M7 4l13 8-13 8z", play)}
      ${step("on", "M8 5l9 7-9 7z", () => go(at + 1), at === END)}
      ${step("last", "M18 5v14M5 5l9 7-9 7z", () => go(END), at === END)}
      <select class="speed" aria-label=${words("speed")} title=${words("speed")} @change=${(/** @type {Event} */ event) =>
        (speed = Number(/** @type {HTMLSelectElement} */ (event.target).value))}>${SPEEDS.map(([times, sign]) => html`<option value=${times} .selected=${times === speed}>${sign}</option>`)}</select>
      <label class="eyes"><span>${words("seen_by")}</span> <select @change=${(/** @type {Event} */ event) =>
        go(at, /** @type {HTMLSelectElement} */ (event.target).value)}>${VIEWERS.map((one) =>
        html`<option value=${one} .selected=${one === viewer}>${past.table.seats[Number(one)]?.name ?? words(one)}</option>`)}</select></label>
    </div>
  </section>`;
}

/** The whole match on one line, each deal marked on it. Where nothing can be shared or copied, the browser's own line has the address. */
function slider() {
  const round = past.rounds.filter(({ begin }) => begin <= at).length;
  const values = { round, at: at + 1, n: past.steps };
  return html`<div class="line">
    <div class="deals" aria-hidden="true">${past.rounds.map(({ begin }) => html`<i .style=${`--at: ${begin / Math.max(1, END)}`}></i>`)}</div>
    <input type="range" min="0" max=${END} .value=${String(at)} aria-label=${words("controls")}
      aria-valuetext=${words(past.rounds.length > 1 ? "step_round" : "step", values)}
      @input=${(/** @type {Event} */ event) => go(Number(/** @type {HTMLInputElement} */ (event.target).value), viewer, REST)} />
    <span class="where" aria-hidden="true"><span>${past.rounds.length > 1 ? words("in_round", values) : nothing}</span> ${at + 1}/${past.steps}</span>
    <button type="button" class="icon" data-sheet="whatif" @click=${() => (halt(), acts.open("whatif"))} aria-label=${words("whatif")} title=${words("whatif")}>
      <span aria-hidden="true">↷</span></button>
    ${isSecureContext ? shared(new URL(`/m/${match}?seat=${viewer}#${at + 1}`, location.href).href, "share_step", document.title, "⇗") : nothing}</div>`;
}

/** @param {string} name @param {string} path @param {() => void} deed @param {boolean} [shut] */
const step = (name, path, deed, shut = false) => html`<button type="button" class="button" data-step=${name} aria-label=${words(name)}
  title=${words(name)} aria-disabled=${shut ? "true" : nothing} @click=${() => shut || (name !== "play" && name !== "stop" && halt(), deed())}>
  <svg viewBox="0 0 24 24" aria-hidden="true">${svg`<path d=${path} />`}</svg></button>`;

/** What was said with this step. */
const said = () => log.filter((told) => told.step === at);

function logView() {
  return html`<ol class="log" role="list" ?data-playing=${playing}>${log.map((told) => html`<li aria-current=${told.step === at ? "step" : nothing} ?data-later=${told.step > at}>
    <button type="button" @click=${() => (halt(), acts.open(null), go(told.step))}>${told.words}</button> ${ruleLink(past.table.game, told.rule)}</li>`)}</ol>`;
}

/** A table that plays on after the step that is shown: by bots at once, or with friends around it first. */
function whatIf() {
  if (at === END) return html`<p>${words("whatif_end")}</p>`;
  const own = viewer in past.table.seats ? viewer : "0";
  return html`<p>${words("whatif_what")}</p><p class="banner">${words("whatif_warn")}</p>
    <form class="whatif" method="post" action="/m/${match}/whatif">
      <input type="hidden" name="step" .value=${String(at)} />
      <label class="field">${words("whatif_seat")}
        <select name="seat">${past.table.seats.map(({ seat, name }) => html`<option value=${seat} .selected=${String(seat) === own}>${name}</option>`)}</select></label>
      <p class="choices"><button class="button button-primary" name="against" value="bots">${words("whatif_bots")}</button>
        <button class="button" name="against" value="friends">${words("whatif_friends")}</button></p>
    </form>`;
}

const KEYS = [["key_arrows", "does_walk"], ["key_ends", "does_ends"], ["key_rounds", "does_rounds"], ["key_spell", "does_spell"]];

const help = () => html`<dl class="keys">${KEYS.map(([key, does]) => html`<dt><kbd>${words(key)}</kbd></dt><dd>${words(does)}</dd>`)}</dl>
  <p><a href="/rules/${past.table.game}" target="brelan-rules">${words("rules")}</a></p>`;

// ---------------------------------------------------------------- begin

/** Who takes the walk in hand stops the play. */
const halt = () => playing && stop();

/** @type {Record<string, () => void>} */
const DEEDS = {
  ArrowLeft: () => go(at - 1),
  ArrowRight: () => go(at + 1),
  Home: () => go(0),
  End: () => go(END),
  PageUp: () => toRound(-1),
  PageDown: () => toRound(1),
};

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.closest("select, .scroll")) return;
  if (event.key === " " && !target.matches("button, a")) play();
  else if (event.key in DEEDS) {
    halt();
    DEEDS[event.key]();
  } else return;
  event.preventDefault();
});

render(regions(), document.body);
apply();
addEventListener("hashchange", ({ newURL }) => (halt(), go(named(newURL)))); // the page may have written its own since
addEventListener("resize", () => (spread(), scrollable()));
wide.addEventListener("change", draw);
go(at);
