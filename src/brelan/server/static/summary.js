/** The table in words: for the title of the page, and for those who ask to have it read. */
import { suited } from "./cards.js";
import { lastOf } from "./told.js";
import { isMine, stage } from "./turn.js";
import { listed, sentence, words } from "./words.js";

/** @typedef {import("./protocol.js").View} View @typedef {import("./protocol.js").Zone} Zone */

/** @param {import("./protocol.js").Table} table @param {string} call to the reader, if there is one */
export const title = (table, call) => `${call ? `● ${call} – ` : ""}${table.title} – Brelan`;

/** Whose turn it is, the last move, what lies in the middle, then each seat by name. @param {View} view @param {import("./protocol.js").News[]} log @param {import("./protocol.js").Settings} settings */
export function summary({ table, scene }, log, settings) {
  if (!scene) return table.title;
  const names = listed(scene.turn.map((seat) => table.seats[seat].name));
  const turn = isMine(scene) ? `${words("your_turn")}. ${scene.prompt}` : scene.turn.length ? words("waits_for", { names }) : scene.prompt;
  const middle = scene.zones.filter((zone) => zone.owner === null).map(zoneWords);
  const common = scene.notes.filter((note) => note.seat === null).map((note) => note.words);
  const seats = table.seats.map(({ seat, name }) => {
    const held = scene.zones.filter((zone) => zone.owner === seat && zone.count).map(zoneWords);
    const notes = notesOf(scene, seat, settings).map((note) => note.words);
    const who = seat === table.seat ? `${name} (${words("you")})` : name;
    return words("colon", { name: who, said: [words("points", { n: scene.scores[seat] }), ...notes, ...held].join(" – ") });
  });
  const { did, led } = lastOf(log);
  return [turn, did, led, ...middle, ...common, ...seats].filter(Boolean).map(sentence).join(" ");
}

/** What stands beside a seat; whoever likes to count the own hand is not helped, as long as it is held. @param {import("./protocol.js").Scene} scene @param {number} seat @param {import("./protocol.js").Settings} settings */
export const notesOf = (scene, seat, { count }) =>
  scene.notes.filter((note) => note.seat === seat && (count || note.zone !== `hand:${scene.seat}` || stage(scene) !== "play" || !suited(scene)));

/** What a zone is called; its badge stands in some captions already, among their numbers. @param {Zone} zone */
export const zoneName = ({ caption, badge }) => (badge && !caption.split(/\P{N}+/u).includes(badge) ? `${caption} ${badge}` : caption);

/** @param {Zone} zone */
function zoneWords(zone) {
  const { count, cards } = zone;
  const known = cards.filter((card) => card.face).map((card) => card.alt).join(", ");
  return words("colon", { name: zoneName(zone), said: `${words("cards", { n: count })}${known ? ` (${known})` : ""}` });
}
