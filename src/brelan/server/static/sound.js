/** What is heard: six short, soft sounds, made here by the Web Audio API. Each stands beside something that is seen. */
import { settings } from "./settings.js";
import { isMine } from "./turn.js";
import { wish } from "./undo.js";
import { html } from "./vendor/lit-html.js";
import { words } from "./words.js";

/** @typedef {import("./protocol.js").View} View @typedef {import("./protocol.js").News} News */
/** @typedef {import("./protocol.js").Settings} Settings @typedef {import("./protocol.js").Acts} Acts */

/**
 * A tone glides from one pitch to another (Hz); when it begins and how long it lasts (seconds); how loud it is (0-1).
 * @typedef {{ from: number, to?: number, at?: number, lasts: number, loud: number }} Tone
 */

/** @type {Record<string, Tone[]>} */
const TONES = {
  // seen in the bar that lights up, in the page's title and on its icon
  turn: [{ from: 587, lasts: 0.25, loud: 0.5 }, { from: 880, at: 0.13, lasts: 0.4, loud: 0.5 }],
  // seen in the card's flight, and in its outline afterwards
  card: [{ from: 300, to: 80, lasts: 0.08, loud: 0.9 }],
  // seen in the remark that says why
  refusal: [{ from: 220, to: 185, lasts: 0.14, loud: 0.5 }, { from: 185, to: 156, at: 0.15, lasts: 0.22, loud: 0.5 }],
  // seen in the sentence above the table
  shout: [{ from: 440, to: 660, lasts: 0.12, loud: 0.6 }, { from: 660, at: 0.12, lasts: 0.16, loud: 0.6 }],
  // seen in the heading of the result
  win: [523, 659, 784, 1047].map((from, i) => ({ from, at: i * 0.13, lasts: i === 3 ? 0.7 : 0.3, loud: 0.5 })),
  // seen in the bubble beside who speaks, in the chair of who comes, and in the question whether a move may be taken back
  message: [{ from: 988, lasts: 0.12, loud: 0.35 }, { from: 784, at: 0.1, lasts: 0.2, loud: 0.35 }],
};

const ATTACK = 0.012; // seconds: a tone that begins at once would click
const APART = 0.12; // seconds between sounds that come together, and at least between two alike
const WAKING = 1000; // milliseconds that a device may take to wake after a touch

/** @type {AudioContext | null} */
let audio = null;
/** When each began last, in seconds by the device's clock. @type {Map<string, number>} */
const begun = new Map();
let touched = -Infinity; // when the page was last, in milliseconds

/** A page may sound once it was touched, and never before; on a wall nobody touches it, and some browsers let it. */
export function listen() {
  for (const touch of ["pointerup", "keydown"]) addEventListener(touch, wake, { capture: true });
  if (document.querySelector("[data-screen]")) wake();
}

/** At each touch, and when sounds are switched on or off: a device that was locked, or rang, may have put it to sleep again. Where sounds are off, it sleeps. */
function wake() {
  if (!("AudioContext" in window)) return;
  if (!settings().sound) return void audio?.suspend();
  touched = performance.now();
  audio ??= new AudioContext();
  if (audio.state !== "running") audio.resume().catch(() => null); // the next touch asks again
}

/** Let some sounds be heard, one after another; none while the device sleeps, for all would be heard at once when it wakes. @param {string[]} names @param {Settings} settings */
export function ring(names, { sound, volume }) {
  if (!audio || !sound || !names.length) return;
  if (audio.state !== "running" && performance.now() - touched > WAKING) return;
  const now = audio.currentTime;
  const due = names.filter((name) => now - (begun.get(name) ?? -APART) >= APART); // views that come together are heard as one
  const out = audio.createGain();
  out.gain.value = (volume / 100) ** 2; // ears hear the square as even steps
  out.connect(audio.destination);
  for (const [i, name] of due.entries()) {
    begun.set(name, now + i * APART);
    for (const one of TONES[name]) tone(audio, out, one, i * APART);
  }
}

/** @param {AudioContext} audio @param {AudioNode} out @param {Tone} tone @param {number} later */
function tone(audio, out, { from, to = from, at = 0, lasts, loud }, later) {
  const begin = audio.currentTime + later + at;
  const [voice, swell] = [audio.createOscillator(), audio.createGain()];
  voice.type = "triangle";
  voice.frequency.setValueAtTime(from, begin);
  voice.frequency.exponentialRampToValueAtTime(to, begin + lasts);
  swell.gain.setValueAtTime(0, begin);
  swell.gain.linearRampToValueAtTime(loud, begin + ATTACK);
  swell.gain.exponentialRampToValueAtTime(0.001, begin + lasts);
  voice.connect(swell).connect(out);
  voice.start(begin);
  voice.stop(begin + lasts);
}

/**
 * What there is to hear in a view that follows another. @param {View} view @param {View} old
 * @param {News[]} news what was said and done, without those whom the reader does not want to hear @param {string} arrival of somebody in the waiting room
 */
export function heard({ table, scene, last }, old, news, arrival) {
  const over = table.status === "over" && old.table.status === "playing";
  const happened = {
    card: last.length > 0,
    shout: news.some((one) => one.aloud),
    message: Boolean(arrival) || news.some((one) => one.kind === "said" && one.seat !== table.seat) || Boolean(wish(table) && !wish(old.table)),
    win: over && table.winners.includes(scene?.seat ?? -1),
    turn: isMine(scene) && !isMine(old.scene),
  };
  return Object.entries(happened).flatMap(([name, is]) => (is ? [name] : []));
}

/** The settings of what is heard; each sound by its name, to be tried. @param {Settings} chosen @param {Acts} acts */
export const sounds = (chosen, acts) => html`<fieldset><legend>${words("set_sounds")}</legend>
  <label class="pick"><input type="checkbox" name="sound" .checked=${chosen.sound} @change=${() => (acts.set({ sound: !chosen.sound }), wake())} /> ${words("set_sound")}</label>
  <label class="pick">${words("set_volume")} <input type="range" name="volume" min="5" max="100" step="5" .value=${String(chosen.volume)} ?disabled=${!chosen.sound}
    @change=${(/** @type {Event} */ event) => acts.set({ volume: Number(/** @type {HTMLInputElement} */ (event.target).value) })} /></label>
  <details><summary>${words("sounds_hear")}</summary><p class="hint">${words("sounds_hint")}</p>
  <div class="sayings">${Object.keys(TONES).map((name) => html`<button type="button" class="button" ?disabled=${!chosen.sound}
    @click=${() => ring([name], chosen)}>${words(`sound_${name}`)}</button>`)}</div></details></fieldset>`;
