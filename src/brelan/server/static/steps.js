/** The steps of a match, fetched by pages as they are needed, and kept: a match that is over changes no more. */
import { answerTo, given } from "./house.js";

/**
 * @typedef {{ scene: import("./protocol.js").Scene, last: import("./protocol.js").Moved[] }} Step
 * @typedef {import("./protocol.js").News & { step: number }} Told
 */

export class Steps {
  /** @param {string} match @param {string} language @param {number} all how many there are @param {number} page how many come at once */
  constructor(match, language, all, page) {
    this.address = `/m/${match}`;
    this.language = language;
    this.all = all;
    this.page = page;
    /** @type {Map<string, Promise<any>>} */
    this.answers = new Map();
  }

  /** A step as the viewer sees it; those after it are fetched ahead. @param {string} viewer @param {number} step @returns {Promise<Step>} */
  async step(viewer, step) {
    const at = step % this.page;
    const next = step - at + this.page;
    const { steps } = await this.fetched(this.holding(viewer, step));
    if (at > this.page / 2 && next < this.all) this.fetched(this.holding(viewer, next)).catch(() => {});
    return steps[at];
  }

  /** Whether a step is there, or on its way. @param {string} viewer @param {number} step */
  has(viewer, step) {
    return this.answers.has(this.holding(viewer, step));
  }

  /** The page that holds a step. @param {string} viewer @param {number} step */
  holding(viewer, step) {
    return `scenes?seat=${viewer}&from=${step - (step % this.page)}`;
  }

  /** All that the viewer heard. @param {string} viewer @returns {Promise<Told[]>} */
  async log(viewer) {
    return (await this.fetched(`log?seat=${viewer}`)).log;
  }

  /** @param {string} what */
  fetched(what) {
    const known = this.answers.get(what);
    if (known) return known;
    const asked = answerTo(`${this.address}/${what}&lang=${this.language}`).then((answer) => given(answer).json());
    this.answers.set(what, asked);
    asked.catch(() => this.answers.delete(what)); // the next time it is asked for again
    return asked;
  }
}
