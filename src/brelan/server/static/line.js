/**
 * One WebSocket that is never given up: where it is cut it is opened again, a little later each time, and at once when
 * somebody looks at the page again or the network is back.
 *
 * @typedef {object} Ends
 * @property {() => string | URL} address where it leads to, asked each time it is opened
 * @property {() => void} opened it is there, or is looked at again: what was heard may be old, and clocks stood still meanwhile
 * @property {(message: any) => void} heard what the house says
 * @property {(tries: number) => void} lost it is cut, or was not to be had, so many times in a row
 * @property {string} question what the house answers at once: whether it is still there
 */

const [CONNECTING, OPEN] = [0, 1]; // states of a socket, also where there is no WebSocket to name them
const SILENCE = 8000; // milliseconds after a question, before the line counts as cut
const OPENING = 10000; // until it is there: behind some walls nobody ever says that it is not to be had

export class Line {
  /** @param {Ends} ends @param {{ first: number, longest: number }} wait before it is opened again, in milliseconds */
  constructor(ends, wait) {
    this.ends = ends;
    this.wait = wait;
    this.tries = 0;
    this.heard = 0; // when something came over it, by a clock that nobody sets
    this.retry = 0;
    /** @type {WebSocket | null} */
    this.socket = null;
    document.addEventListener("visibilitychange", () => document.hidden || this.wake());
    addEventListener("online", () => this.wake());
    addEventListener("pageshow", (event) => event.persisted && this.wake());
    this.open();
  }

  get isOpen() {
    return this.socket?.readyState === OPEN;
  }

  open() {
    clearTimeout(this.retry);
    /** @type {WebSocket} */
    let socket;
    try {
      socket = this.socket = new WebSocket(this.ends.address());
    } catch {
      return this.again(); // the browser has no such thing, or is told to open none
    }
    socket.onopen = () => socket === this.socket && this.opened();
    socket.onmessage = (event) => socket === this.socket && this.receive(event.data);
    socket.onclose = () => socket === this.socket && this.again();
    this.doubt(socket, OPENING);
  }

  opened() {
    this.heard = performance.now();
    this.ends.opened();
  }

  /** @param {string} text */
  receive(text) {
    this.heard = performance.now();
    this.tries = 0;
    this.ends.heard(JSON.parse(text));
  }

  /** It is cut. When the house begins anew everybody's is: they come back at different times. */
  again() {
    const wait = Math.min(this.wait.longest, this.wait.first * 2 ** this.tries++);
    this.ends.lost(this.tries);
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.open(), wait * (0.5 + Math.random() / 2));
  }

  /** Somebody looks at the page again: is the house still there? Where the line is cut, do not wait for the next try. */
  wake() {
    if (this.isOpen) {
      this.ends.opened();
      this.ask();
    } else if (this.socket?.readyState !== CONNECTING) this.open();
  }

  /** Whether the house is still there. */
  ask() {
    if (!this.isOpen || !this.socket) return;
    this.say(this.ends.question);
    this.doubt(this.socket, SILENCE);
  }

  /** A line over which nothing comes for so long is cut, though nobody said so. @param {WebSocket} socket @param {number} wait */
  doubt(socket, wait) {
    const since = performance.now();
    setTimeout(() => {
      if (this.socket !== socket || this.heard >= since) return;
      this.socket = null;
      socket.close();
      this.again();
    }, wait);
  }

  /** Say something, if it can be said now. @param {string} text */
  say(text) {
    if (this.isOpen) this.socket?.send(text);
  }
}
