/**
 * The table as it is drawn: the other seats with what lies before them, the middle, and the reader's own place. A zone
 * is drawn by its kind and lies where the style sheet of its game puts it; nothing here asks which game it is.
 *
 * @typedef {import("./protocol.js").Page} Page
 * @typedef {import("./protocol.js").Acts} Acts
 * @typedef {import("./protocol.js").Zone} Zone
 * @typedef {import("./protocol.js").Card} Card
 * @typedef {import("./protocol.js").Scene} Scene
 * @typedef {import("./protocol.js").Choice} Choice
 */
import { picture } from "./cards.js";
import { bubble } from "./chat.js";
import { label, targets } from "./choose.js";
import { clock } from "./clocks.js";
import { sorted } from "./hand.js";
import { ruleLink } from "./rulebook.js";
import { notesOf, zoneName } from "./summary.js";
import { consent } from "./undo.js";
import { html, nothing } from "./vendor/lit-html.js";
import { repeat } from "./vendor/directives/repeat.js";
import { day, hour, knows, number, sentence, words } from "./words.js";

const HALF_A_DAY = 12 * 3600; // seconds; of what began longer ago, the hour could be any day's

/** What the page has to say about the last tap. @param {Page} page */
export const remarkView = ({ remark, view }) =>
  remark ? html`<p class="remark" id="remark">${sentence(remark.words)} ${ruleLink(view.table.game, remark.rule)}</p>` : nothing;

/** @param {Page} page @param {Scene} scene @param {Acts} acts */
export function table(page, scene, acts) {
  const others = around(page);
  const own = scene.zones.filter((zone) => zone.owner === scene.seat);
  const hand = own.find((zone) => zone.kind === "fan");
  const before = own.filter((zone) => zone !== hand);
  return html`<div class="felt" data-others=${others.length}>
      ${others.map((seat, place) => seatPlace(page, scene, acts, seat, place))}
      ${middle(page, scene, acts)}
      ${before.length ? html`<div class="before" role="group" aria-labelledby="before"><h2 class="spoken" id="before">${words("before_you")}</h2>
        ${repeat(before, (zone) => zone.id, (zone) => zoneView(page, scene, acts, zone))}</div>` : nothing}
    </div>
    <div class="notices" ?data-raised=${page.selected.length}>${consent(page, acts)}${remarkView(page)}${hand ? shifts(page, acts, hand) : nothing}</div>
    ${hand ? handView(page, scene, acts, hand) : nothing}`;
}

/** What belongs to nobody. @param {Page} page @param {Scene} scene @param {Acts} acts */
export function middle(page, scene, acts) {
  const zones = scene.zones.filter((zone) => zone.owner === null);
  return html`<div class="middle" role="group" aria-labelledby="middle"><h2 class="spoken" id="middle">${words("middle")}</h2>
    ${repeat(zones, (zone) => zone.id, (zone) => zoneView(page, scene, acts, zone))}
    ${notes(scene, (note) => note.seat === null && !zones.some((zone) => zone.id === note.zone), scene.zones.find((zone) => zone.kind === "trick" && zone.count)?.caption)}
  </div>`;
}

/** The other seats, clockwise from the reader's left. @param {Page} page */
function around({ view: { table } }) {
  const own = table.seat ?? -1;
  return table.seats.map((_, i) => (own + 1 + i) % table.seats.length).filter((seat) => seat !== own);
}

/** @param {Page} page @param {Scene} scene @param {Acts} acts @param {number} seat @param {number} place */
function seatPlace(page, scene, acts, seat, place) {
  const zones = scene.zones.filter((zone) => zone.owner === seat);
  return html`<div class="seat" role="group" aria-label=${seatWords(page, scene, seat)} data-place=${place}
    ?data-turn=${scene.turn.includes(seat)}>
    ${plate(page, scene, seat)}
    ${repeat(zones, (zone) => zone.id, (zone) => zoneView(page, scene, acts, zone))}
  </div>`;
}

/** Who sits there: a place card with name, clock and score, and what is noted of the seat. @param {Page} page @param {Scene} scene @param {number} seat */
export function plate(page, scene, seat) {
  const { table } = page.view;
  const { name, online } = table.seats[seat];
  const score = scene.scores[seat];
  const time = clock(table, seat, page.since);
  const own = notesOf(scene, seat, page.settings);
  return html`<header class="plate" ?data-turn=${scene.turn.includes(seat)} ?data-leads=${scene.leaders.includes(seat)}
    ?data-clock=${time !== nothing} data-notes=${own.length ? own.map((note) => note.rule).join(" ") : nothing}>
    <h2 class="name" ?data-away=${!online}>${name}</h2>
    ${presence(table.seats[seat])}
    ${time}
    <span class="score" role="img" aria-label=${words("points", { n: score })}>${number(score)}</span>
    ${bubble(page, seat)}
    ${own.map((note) =>
      html`<span class="note" data-rule=${note.rule}>${note.words} ${ruleLink(scene.game, note.rule)}</span>`)}
  </header>`;
}

/** For those who listen: the name, what else sits there, and whether it is asked. @param {Page} page @param {Scene} scene @param {number} seat */
function seatWords({ view: { table } }, { turn }, seat) {
  const { name } = table.seats[seat];
  return [name, sits(table.seats[seat]), turn.includes(seat) ? words("on_turn") : ""].filter(Boolean).join(", ");
}

/** Of a bot its level, since its name says that it is one; of a person, who keeps the seat, or that nobody does. @param {import("./protocol.js").Seat} seat */
function sits({ kind, level, online, kept, since }) {
  if (kind === "bot") return levelWords(level);
  if (kept) {
    const at = since ?? 0;
    const told = Date.now() / 1000 - at < HALF_A_DAY ? "kept" : "kept_days";
    return words(told, { level: levelWords(kept), time: hour(at), day: day(at) });
  }
  return online || kind === "open" ? "" : words("away");
}

/** @param {import("./protocol.js").Seat} seat */
function presence(seat) {
  const said = sits(seat);
  return said ? html`<span class="level ${seat.kept ? "kept" : seat.kind === "bot" ? "" : "away"}">${said}</span>` : nothing;
}

/** How a bot's level is called; of a version, with its number; one that has no name any more, by its id. @param {string | null} level */
export function levelWords(level) {
  const [name, version] = (level ?? "").split("@");
  if (!knows(`level_${name}`)) return level ?? "";
  return version ? words("level_version", { level: words(`level_${name}`), version }) : words(`level_${name}`);
}

/** Who lays the hand in order and cannot drag moves the card that was tapped last. @param {Page} page @param {Acts} acts @param {Zone} zone */
function shifts({ settings, touched }, acts, { cards }) {
  if (settings.sort !== "hand" || !cards.some(({ key }) => key === touched)) return nothing;
  const button = /** @param {string} name @param {number} step @param {string} sign */ (name, step, sign) => html`<button type="button"
    class="button" title=${words(name)} @click=${() => acts.shift(String(touched), step)}><span aria-hidden="true">${sign}</span></button>`;
  return html`<div class="shifts">${button("to_left", -1, "◂")}${button("to_right", 1, "▸")}</div>`;
}

/** The reader's own hand, in the reader's own order. @param {Page} page @param {Scene} scene @param {Acts} acts @param {Zone} zone */
function handView(page, scene, acts, zone) {
  const cards = sorted(zone.cards, page.settings.sort, page.order);
  return html`<div class="zone hand" data-zone=${zone.id} data-kind="fan" ?data-empty=${!zone.count}>
    <ul class="fan" data-hand role="list" aria-label=${words("hand", { n: zone.count })} .style=${`--n: ${cards.length}`}>
      ${repeat(cards, (card) => card.key, (card, i) => {
        const gap = page.settings.sort === "laid" && i > 0 && card.group !== cards[i - 1].group;
        const touched = page.settings.sort === "hand" && card.key === page.touched;
        return html`<li ?data-gap=${gap} ?data-touched=${touched} data-group=${card.group} .style=${`--i: ${i}`}>
          ${cardView(page, scene, acts, card, words("place", { at: i + 1, n: cards.length }))}
        </li>`;
      })}
    </ul>
  </div>`;
}

/** A place on the table. @param {Page} page @param {Scene} scene @param {Acts} acts @param {Zone} zone */
export function zoneView(page, scene, acts, zone) {
  const aimed = targets(scene, page.selected).get(zone.id);
  const [base] = zone.id.split(":");
  const close = zone.kind === "fan" && zone.cards.every((card) => card.face === null);
  const marked = zone.cards.some((card) => card.state === "marked");
  return html`<div class="zone" role="group" aria-label=${`${zoneName(zone)}, ${words("cards", { n: zone.count })}`}
    data-zone=${zone.id} data-base=${base} data-kind=${zone.kind} ?data-empty=${!zone.count} ?data-aim=${aimed}
    ?data-close=${close} ?data-marked=${marked}>
    <h3 class="caption"><span class="named">${zone.caption}</span> <span class=${zone.badge ? "badge" : "count"}
      aria-hidden=${zoneName(zone) === zone.caption && !onlyBacks(scene, zone) ? "true" : nothing}>${zone.badge || zone.count}</span></h3>
    <div class="lie">
      ${zone.kind === "fan" ? fanView(page, scene, acts, zone) : rowView(page, scene, acts, zone)}
      ${aimed ? aim(page, scene, acts, zone, aimed) : nothing}
    </div>
    ${notes(scene, (note) => note.zone === zone.id && note.seat === null)}
  </div>`;
}

/** A button over a zone that may be tapped. @param {Page} page @param {Scene} scene @param {Acts} acts @param {Zone} zone @param {Choice[]} choices */
const aim = (page, scene, acts, zone, choices) => html`<button type="button" class="aim" @click=${() => acts.zone(zone.id)}
  aria-label=${choices.length === 1 ? (choices[0].cards.length ? choices[0].words : label(page.view.table, scene, choices[0])) : zone.caption}></button>`;

/** Whether cards lie face down and cannot be chosen: to those who listen, the name of their zone has told how many. @param {Scene} scene @param {Zone} zone */
const onlyBacks = ({ choices }, { cards }) =>
  cards.every(({ face, why, key }) => face === null && !why && !choices.some((choice) => choice.cards.includes(key)));

/** @param {Page} page @param {Scene} scene @param {Acts} acts @param {Zone} zone */
function fanView(page, scene, acts, zone) {
  return html`<ul class="fan" role=${zone.count ? "list" : nothing} aria-label=${zone.count ? words("colon", { name: zone.caption, said: zone.count }) : nothing}
    aria-hidden=${onlyBacks(scene, zone) ? "true" : nothing}>
    ${repeat(zone.cards, (card) => card.key, (card, i) =>
      html`<li ?data-gap=${i > 0 && card.group !== zone.cards[i - 1].group} data-group=${card.group}>${cardView(page, scene, acts, card)}</li>`)}
  </ul>`;
}

/** @param {Page} page @param {Scene} scene @param {Acts} acts @param {Zone} zone */
function rowView(page, scene, acts, zone) {
  const depth = zone.kind === "pile" ? Math.min(4, Math.ceil(zone.count / 8)) : 0;
  return html`<ul class="row" role=${zone.count ? "list" : "presentation"} data-depth=${depth} aria-hidden=${onlyBacks(scene, zone) ? "true" : nothing}>
    ${repeat(zone.cards, (card) => card.key, (card, i) =>
      html`<li ?data-gap=${i > 0 && card.group !== zone.cards[i - 1].group}>${cardView(page, scene, acts, card)}</li>`)}
  </ul>`;
}

/**
 * A card: a button where it may be chosen or says why not, a picture elsewhere. @param {Page} page
 * @param {Scene} scene @param {Acts} acts @param {Card} card @param {string} [place]
 */
function cardView(page, scene, acts, card, place = "") {
  const fresh = page.fresh.has(card.key);
  const alt = [card.alt, ofGroup(card)].filter(Boolean).join(", ");
  const playable = scene.choices.some((choice) => !choice.why && choice.cards.includes(card.key));
  if (page.still || (!place && !playable && !card.why)) {
    return html`<span class="card" role="img" aria-label=${alt} data-key=${card.key} data-state=${card.state}
      ?data-fresh=${fresh}>${picture(card.face)}</span>`;
  }
  const label = [alt, words(playable ? "playable" : "not_playable"), place].filter(Boolean).join(", ");
  const raised = page.selected.includes(card.key);
  return html`<button type="button" class="card" data-key=${card.key} data-state=${card.state} ?data-fresh=${fresh}
    aria-label=${scene.choices.length ? label : [alt, place].filter(Boolean).join(", ")}
    aria-pressed=${playable ? String(raised) : nothing} aria-disabled=${playable ? nothing : "true"}
    @click=${() => acts.card(card.key)}>${picture(card.face)}</button>`;
}

/** To which of the melds that a line marks a card belongs, or that it was laid off. @param {Card} card */
const ofGroup = ({ group }) => (group > 0 ? words("melded", { n: group }) : group < 0 ? words("laid_off") : "");

/** @param {Scene} scene @param {(note: import("./protocol.js").Note) => boolean} which @param {string} [about] what they speak of */
function notes(scene, which, about) {
  const found = scene.notes.filter(which);
  if (!found.length) return nothing;
  return html`<ul class="notes" role="list" ?data-about=${about}>${about ? html`<li class="about">${words("about", { name: about })}</li>` : nothing}${found.map((note) =>
    html`<li class="note">${note.words} ${ruleLink(scene.game, note.rule)}</li>`)}</ul>`;
}
