/**
 * One WebSocket that is never given up: where it is cut it is opened again, a little later each time, and at once when
 * somebody looks at the page again or the network is back.
 *
 * @typedef {object} Ends
 * @property {() => string | URL} address where it leads to, asked each time it is opened
 * @property {() => void} opened it is there, or is looked at again: what was heard may be old, and clocks stood still meanwhile
 * @property {(message: any) => void} heard what the house says
 * @property {(tries: number, silent: boolean) => void} lost it is cut, or was not to be had, so many times in a row; nobody said so, and it was waited for
 * @property {string} question what the house answers at once: whether it is still there
 */

const [CONNECTING, OPEN] = [0, 1]; // states of a socket, also where there is no WebSocket to name them
const SILENCE = 8000; // milliseconds after a question, before the line counts as cut
const WOKEN = 4000; // the same before the eyes of who has just come back: they may be elsewhere, on another network
const FRESH = 2000; // in which a new one may come about, before who comes back has another
const OPENING = 10000; // until it is there: behind some walls nobody ever says that it is not to be had

/** The address of a socket of this house. @param {string} path */
export function socketAt(path) {
  const address = new URL(path, location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  return address;
}

export class Line {
  /** @param {Ends} ends @param {{ first: number, longest: number }} wait before it is opened again, in milliseconds */
  constructor(ends, wait) {
    this.ends = ends;
    this.wait = wait;
    this.tries = 0;
    this.heard = 0; // when something came over it, by a clock that nobody sets
    this.begun = 0; // when it was last begun to open it
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
    this.begun = performance.now();
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

  /** It is cut. When the house begins anew everybody's is: they come back at different times. @param {boolean} [silent] */
  again(silent = false) {
    const wait = Math.min(this.wait.longest, this.wait.first * 2 ** this.tries++);
    this.ends.lost(this.tries, silent);
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.open(), wait * (0.5 + Math.random() / 2));
  }

  /** Somebody looks at the page again: is the house still there? Where the line is cut, do not wait for the next try, nor for one that hangs. */
  wake() {
    if (this.isOpen) {
      this.ends.opened();
      this.ask(WOKEN);
    } else if (this.socket?.readyState !== CONNECTING || performance.now() - this.begun > FRESH) {
      this.socket?.close();
      this.open();
    }
  }

  /** Whether the house is still there. @param {number} [wait] */
  ask(wait = SILENCE) {
    if (!this.isOpen || !this.socket) return;
    this.say(this.ends.question);
    this.doubt(this.socket, wait);
  }

  /** A line over which nothing comes for so long is cut, though nobody said so. @param {WebSocket} socket @param {number} wait */
  doubt(socket, wait) {
    const since = performance.now();
    setTimeout(() => {
      if (this.socket !== socket || this.heard >= since) return;
      this.socket = null;
      socket.close();
      this.again(true);
    }, wait);
  }

  /** Say something, if it can be said now. @param {string} text */
  say(text) {
    if (this.isOpen) this.socket?.send(text);
  }
}
