/** The action bar: what is asked, and the choices as buttons. */
import { isKept, takeBack } from "./absent.js";
import { COLOURS, SHEET } from "./cards.js";
import { label, looksOpen, offered, silent, targets } from "./choose.js";
import { countdown } from "./countdown.js";
import { hintButton } from "./hint.js";
import { plate } from "./scene.js";
import { isHeld, isMine } from "./turn.js";
import { undoButton } from "./undo.js";
import { html, nothing, svg } from "./vendor/lit-html.js";
import { repeat } from "./vendor/directives/repeat.js";
import { listed, words } from "./words.js";

/** @typedef {import("./protocol.js").Page} Page @typedef {import("./protocol.js").Acts} Acts */
/** @typedef {import("./protocol.js").Scene} Scene @typedef {import("./protocol.js").Choice} Choice */

/** @param {Page} page @param {Scene} scene @param {Acts} acts */
export function bar(page, scene, acts) {
  const mine = isMine(scene);
  return html`<section class="bar" ?data-mine=${mine} ?data-picked=${picked(page)} aria-label=${words("bar")}>
    <div class="own">${scene.seat < 0 ? watching(page) : plate(page, scene, scene.seat)}
      <div class="aids">${undoButton(page, acts)}${hintButton(page, acts)}</div></div>
    ${isKept(page) ? html`<div class="act">${takeBack(page, acts)}</div>` : act(page, scene, acts, mine ? scene.prompt : waiting(page, scene))}
    ${scene.call && scene.seat >= 0 && !isKept(page) ? html`<button type="button" class="button call" aria-pressed=${String(page.calling)}
      @click=${acts.call}>${scene.call.words}</button>` : nothing}
  </section>`;
}

/** To whoever looks on: on another device than theirs, who plays here is a stranger too. @param {Page} page */
const watching = ({ still, view: { table } }) => html`<p class="watching">${words("watching")}
  ${!still && table.seats.some(({ kept }) => kept) ? html`<a href="/me#phrase">${words("watching_own")}</a>` : words("watching_until")}</p>`;

/** @param {Page} page */
const picked = ({ selected, aim }) => Boolean(selected.length || aim);

/** What is asked, and what can be answered. @param {Page} page @param {Scene} scene @param {Acts} acts @param {string} prompt */
function act(page, scene, acts, prompt) {
  const places = targets(scene, page.selected);
  const choices = fitting(page, scene, places);
  const back = picked(page) && !page.armed;
  const unsaid = page.aim && silent(choices);
  const spoken = !page.selected.length && choices.some((choice) => choice.target === null);
  const several = places.size > 1;
  /** Where several places are lit on the table, or one beside what can be said, small screens show no buttons for them; none does where they are lit for a raised card. @param {Choice} choice */
  const placed = (choice) => !page.aim && choice.target !== null && (several || spoken);
  const loose = !page.armed && choices.some((choice) => !placed(choice));
  const count = choices.filter((choice) => !page.selected.length || !placed(choice)).length + Number(back);
  const signs = choices.filter(colour).length > 2;
  const asks = unsaid ? "ask_said" : back && signs ? "ask_colour" : back && several && !loose ? "ask_place" : "";
  return html`<div class="act" ?data-armed=${page.armed} ?data-loose=${loose} ?data-many=${count > 4}>
    <p class="prompt" tabindex="-1">${asks ? words(asks) : prompt}${countdown(page)}</p>
    <div class="choices" ?data-signs=${signs} ?data-aimed=${page.aim} ?data-few=${back && count < 3}
      ?data-placed=${count && !page.armed && !loose && !back} data-answers=${answering(scene) && !page.armed && count ? count : nothing}>
      ${repeat(choices, (choice) => `${choice.move} ${choice.cards.length} ${choice.move === page.armed}`, (choice) => // a finger that rests on one finds no other under it
        (choice.move === page.armed ? confirm(choice, acts) : button(choice, page, scene, acts, placed(choice), choice === unsaid)))}
      ${back ? html`<button type="button" class="button quiet put-back" aria-label=${words("clear")} @click=${acts.clear}>
        <span class="said">${words("clear")}</span></button>` : nothing}
      ${isHeld(page.view) ? html`<button type="button" class="button button-primary" id="go-on" @click=${() => acts.send("next")}>${words("go_on")}</button>` : nothing}
    </div></div>`;
}

/** The choices that go with what is picked; of what has a place with several, the place comes first. @param {Page} page @param {Scene} scene @param {Map<string, Choice[]>} places */
function fitting(page, scene, places) {
  const later = /** @param {Choice} choice */ (choice) => !page.aim && choice.target !== null && (places.get(choice.target)?.length ?? 0) > 1;
  const fit = offered(scene, page.selected, page.aim).filter((choice) => (!page.selected.length || choice.cards.length) && !later(choice));
  return page.armed ? fit.filter((choice) => choice.move === page.armed).slice(0, 1) : fit;
}

/** Whom the table waits for, by name; or that it waits for the reader. @param {Page} page @param {Scene} scene */
function waiting(page, scene) {
  if (!scene.turn.length) return scene.prompt;
  if (isHeld(page.view)) return holding(page.view.table, scene);
  return words("waits_for", { names: listed(scene.turn.map((seat) => page.view.table.seats[seat].name)) });
}

/** Which bot plays once the reader goes on: of several, one after the other, the first. @param {import("./protocol.js").Table} table @param {Scene} scene */
export const holding = ({ seats }, { turn }) => words("held", { name: seats[turn[0]].name });

/** The colour that a choice names. @param {Choice} choice */
const colour = (choice) => choice.move.split(" ").find((word) => [...COLOURS].includes(word));

/** Whether nothing is to be picked or tapped, only something to be said. @param {Scene} scene */
export const answering = ({ choices }) => choices.every((choice) => !choice.cards.length && !choice.target);

/** @param {string} name */
const sign = (name) =>
  html`<svg class="sign" data-suit=${name} viewBox="0 0 100 100" aria-hidden="true">${svg`<use href="${SHEET}#${name}" />`}</svg>`;

/**
 * A choice that names a colour shows its sign as well; one that says nothing where others say something tells so.
 * @param {Choice} choice @param {Page} page @param {Scene} scene @param {Acts} acts @param {boolean} placed @param {boolean} silent
 */
function button(choice, page, scene, acts, placed, silent) {
  const named = colour(choice);
  const weight = answering(scene) ? "big answer" : named || !choice.cards.length || choice.confirm ? "" : "button-primary";
  const said = label(page.view.table, scene, choice);
  const shut = (choice.why && !looksOpen(choice)) || page.sent;
  return html`<button type="button" class="button ${weight}" data-move=${choice.move} data-suit=${named ?? nothing} ?data-placed=${placed}
    aria-disabled=${shut ? "true" : nothing} aria-description=${choice.brief && choice.cards.length ? choice.words : nothing}
    @click=${() => acts.choose(choice)}>${named ? sign(named) : nothing}<span class="said">${silent ? words("nothing_said", { place: said }) : said}</span></button>`;
}

/** Once more, in place, and in full: what is meant is seen before it is done. @param {Choice} choice @param {Acts} acts */
const confirm = (choice, acts) => html`<span class="confirm" role="group" data-asks=${choice.move} aria-label=${words("sure")}>
  <span>${words("sure")}</span>
  <button type="button" class="button button-primary" @click=${() => acts.play(choice)}>${choice.words}</button>
  <button type="button" class="button quiet" @click=${acts.clear}>${words("no")}</button></span>`;
