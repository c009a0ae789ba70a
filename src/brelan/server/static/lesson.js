/**
 * A lesson in place of a table's line: it gives the page the views that were written for each step, and the page gives
 * it the move that its reader makes. Beside the table it says what is meant. Which parts are done stays on this device.
 *
 * @typedef {import("./protocol.js").View} View
 * @typedef {{ say: string, other: string, rule: string, move: string, views: View[] }} Step
 * @typedef {{ title: string, steps: Step[] }} Part
 */
import { held, hold } from "./focus.js";
import { ruleLink } from "./rulebook.js";
import { keep, kept } from "./settings.js";
import { html, nothing, render } from "./vendor/lit-html.js";
import { speak } from "./voice.js";
import { words } from "./words.js";

const PACE = 1400; // milliseconds from one move of the script to the next

export class Lesson {
  /** @param {{ begun(): void, view(view: View): void, refused(refused: import("./protocol.js").Refused): void }} listener */
  constructor(listener) {
    this.listener = listener;
    this.coach = /** @type {HTMLElement} */ (document.getElementById("coach"));
    this.game = String(this.coach.dataset.game);
    /** @type {Part[]} */
    this.parts = JSON.parse(document.getElementById("lesson")?.textContent ?? "[]");
    /** The numbers of the parts that are done. @type {number[]} */
    this.done = kept(this.name, []);
    this.number = 0; // of the last view
    this.timer = 0;
    this.part = Math.max(0, this.parts.findIndex((_, i) => !this.done.includes(i)));
    this.step = 0;
    setTimeout(() => this.begin(this.part));
  }

  get name() {
    return `brelan.lesson.${this.game}`;
  }

  get now() {
    return this.parts[this.part].steps[this.step];
  }

  /** Whether this is the last step of a part. */
  get last() {
    return this.step === this.parts[this.part].steps.length - 1;
  }

  /** @param {number} part */
  begin(part) {
    [this.part, this.step] = [part, 0];
    this.listener.begun(); // another deal: nothing of the one before is told, raised or called
    this.show();
  }

  /** The next step; after the last one of a part it is done. */
  next() {
    this.step++;
    this.show();
  }

  /** What leads to the step, view after view; then it is said. @param {number} [view] */
  show(view = 0) {
    clearTimeout(this.timer);
    const { views } = this.now;
    this.listener.view({ ...views[view], number: ++this.number });
    if (view < views.length - 1) this.timer = setTimeout(() => this.show(view + 1), PACE);
    else this.reached();
  }

  reached() {
    if (this.last && !this.done.includes(this.part)) keep(this.name, (this.done = [...this.done, this.part]));
    this.draw();
    speak("voice", this.now.say);
  }

  /** What the page would tell a table, which answers a moment later. @param {string} type @param {object} [fields] */
  send(type, fields = {}) {
    const { move } = /** @type {{ move?: string }} */ (fields);
    if (type === "move") setTimeout(() => this.answer(String(move)));
  }

  /** A move is answered by the next view. */
  pending() {
    return false;
  }

  /** A word that is called out with the move, due or not, does not make it another one. @param {string} move */
  answer(move) {
    const { other, rule, move: meant, views } = this.now;
    const call = views.at(-1)?.scene?.call;
    if (move === meant || (call && move === `${meant} ${call.word}`)) this.next();
    else this.listener.refused({ type: "refused", key: "", error: "lesson", rule, words: other, number: this.number });
  }

  // ---------------------------------------------------------------- what is said

  draw() {
    const { say, rule, move } = this.now;
    const focus = held();
    this.coach.dataset.step = `${this.part + 1}.${this.step + 1}`;
    render(html`<header><a class="away" href="/" aria-label=${words("leave_lesson")} title=${words("leave_lesson")}>×</a>
        <h1>${this.parts[this.part].title}</h1>${this.way()}</header>
      <div class="says"><p>${say} ${ruleLink(this.game, rule)}</p></div>
      ${move ? nothing : html`<div class="choices">${this.onward()}</div>`}`, this.coach);
    this.coach.querySelector(".says")?.scrollTo(0, 0);
    hold(focus);
  }

  /** The parts, each to be taken up from its beginning. */
  way() {
    const n = this.parts.length;
    return html`<nav aria-label=${words("coach")}>${this.parts.map(({ title }, i) => {
      const done = this.done.includes(i);
      return html`<button type="button" ?data-done=${done} aria-current=${i === this.part ? "step" : nothing}
        aria-label="${words("part", { at: i + 1, n, title })}${done ? `, ${words("part_done")}` : ""}" @click=${() => this.begin(i)}>${i + 1}</button>`;
    })}</nav>`;
  }

  /** Where a step leads that is only read. */
  onward() {
    const button = /** @param {string} said @param {() => void} deed */ (said, deed) =>
      html`<button type="button" class="button button-primary" @click=${deed}>${said}</button>`;
    if (!this.last) return button(words("on"), () => this.next());
    if (this.part < this.parts.length - 1) return button(words("next_part"), () => this.begin(this.part + 1));
    return html`<strong>${words("finished")}</strong>
      <form method="post" action="/tables"><input type="hidden" name="against" value="bots" />
        <button class="button button-primary" name="game" value=${this.game}>${words("play_now")}</button></form>
      <button type="button" class="button" @click=${() => this.begin(0)}>${words("anew")}</button>`;
  }
}
