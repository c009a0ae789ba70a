/**
 * What is said at a table over a line that is never given up: what was not acknowledged is said again with the same
 * key, so that the server can tell a repetition from a second move.
 *
 * @typedef {import("./protocol.js").View} View
 * @typedef {{ view(view: View): void, refused(refused: import("./protocol.js").Refused, said?: Said): void, hint(move: string, why: import("./protocol.js").Why | null): void, acked(number: number): void, lost(tries: number): void }} Listener
 * @typedef {{ type: string, key: string, text?: string, move?: string }} Said
 */

import { Line } from "./line.js";
import { hex } from "./verify.js";
import { isLater, isReplaced, playing, witness } from "./witness.js";

const WAIT = { first: 250, longest: 3000 };
const HEARTBEAT = 15000;
const DUE = 4000; // until it is asked whether the house is there that has not answered, and until it says so; it counts such questions
const FULL = 200; // letters to which a message is filled up, of a step: the name of a card that is laid face down has a length

/** So many random bytes, as hex. @param {number} bytes */
const random = (bytes) => hex(crypto.getRandomValues(new Uint8Array(bytes)));

export class Connection {
  /** @param {string} address @param {Listener} listener */
  constructor(address, listener) {
    this.listener = listener;
    /** @type {Map<string, Said>} */
    this.unanswered = new Map();
    /** @type {number | null} */
    this.number = null;
    /** The match that is being played, as it was seen last. @type {View | null} */
    this.playing = null;
    /** This device's share in a shuffle, whether it is settled whose was taken, and whether it knows that no other was promised before. @type {{ commit: string, nonce: string, settled: boolean, first: boolean } | null} */
    this.share = null;
    this.greeted = false;
    this.line = new Line(
      {
        address: () => address,
        opened: () => this.greet(),
        heard: (message) => this.receive(message),
        lost: (tries) => listener.lost(tries),
        question: JSON.stringify({ type: "ping" }),
      },
      WAIT,
    );
    setInterval(() => this.line.ask(), HEARTBEAT);
  }

  /** Say what was seen last: what is missed since then comes, or all anew. */
  greet() {
    this.greeted = false;
    this.post({ type: "hello", since: this.number });
  }

  /** Random letters: packed by the browser, a message has a length by chance rather than by its move. @param {object} message */
  post(message) {
    const { length } = JSON.stringify({ ...message, noise: "" });
    this.line.say(JSON.stringify({ ...message, noise: random(FULL / 2).slice(length % FULL) }));
  }

  /** Say something that must not be lost, and notice soon if it is; by a second tap it is not said again. @param {string} type @param {object} fields */
  send(type, fields) {
    const text = JSON.stringify({ type, ...fields });
    for (const { key, ...said } of this.unanswered.values()) if (JSON.stringify(said) === text) return;
    const message = { type, key: random(8), ...fields };
    this.unanswered.set(message.key, message);
    if (!this.greeted) return;
    this.post(message);
    setTimeout(() => this.unanswered.has(message.key) && this.line.ask(DUE), DUE);
  }

  /** Whether a move is under way of which nobody knows yet what comes of it. */
  pending() {
    return [...this.unanswered.values()].some(({ type }) => type === "move");
  }

  /** @param {import("./protocol.js").FromServer} message */
  receive(message) {
    if (message.type === "view") this.see(message);
    if (message.type === "probe") this.echo(message.at);
    if (message.type === "ack") {
      this.unanswered.delete(message.key);
      this.listener.acked(message.number);
    }
    if (message.type === "hint") {
      this.unanswered.delete(message.key);
      this.listener.hint(message.move, message.why);
    }
    if (message.type === "refused") {
      const said = this.unanswered.get(message.key);
      this.unanswered.delete(message.key);
      this.listener.refused(message, said);
    }
  }

  /** The house measures how long the line is. @param {number} at */
  echo(at) {
    this.post({ type: "echo", at });
  }

  /** @param {View} view */
  see(view) {
    if (!this.greeted) this.repeat();
    this.promise(view);
    this.number = view.number;
    this.playing = playing(view, this.playing);
    this.listener.view(view);
  }

  /** After a cut: what the house has heard it knows by its key, and it says what comes too late. */
  repeat() {
    this.greeted = true;
    this.listener.lost(0);
    for (const message of this.unanswered.values()) this.post(message);
  }

  /**
   * This seat's share in the shuffle: said until the house has taken it, and written down as it was taken, for another
   * device of the same person may have been faster. @param {View} view
   */
  promise(view) {
    const { match, commit, first, nonces, seat, wants_nonce: wanted } = view.table;
    if (!match || !commit || seat === null) return;
    if (isReplaced(view, this.playing)) witness({ match, commit, first, wrong: true, replaced: true });
    if (wanted && this.share?.commit !== commit) this.share = { commit, nonce: random(16), settled: false, first: !isLater(view, this.playing) };
    const { share } = this;
    if (share?.commit !== commit || share.settled) return;
    share.settled = !wanted;
    witness({ match, commit, first, ...(share.first && { nonces, shared: nonces[seat] === share.nonce }) });
    if (wanted) this.post({ type: "nonce", nonce: share.nonce });
  }
}
