/** The table in words: for the title of the page, and for those who ask to have it read. */
import { words } from "./words.js";

/** @param {import("./protocol.js").View} view */
export function title({ table, scene }) {
  const mine = scene && scene.turn.includes(scene.seat);
  return `${mine ? `● ${words("your_turn")} – ` : ""}${table.title} – Brelan`;
}

/** Every zone, every seat and what is asked, in sentences. @param {import("./protocol.js").View} view */
export function summary({ table, scene }) {
  if (!scene) return table.title;
  const seats = table.seats.map(({ seat, name }) => `${name}: ${words("points", { n: scene.scores[seat] })}.`);
  const zones = scene.zones.filter((zone) => zone.count).map((zone) => {
    const owner = zone.owner === null ? "" : `${table.seats[zone.owner].name}, `;
    const known = zone.cards.filter((card) => card.face).map((card) => card.alt).join(", ");
    return `${owner}${zone.caption}: ${words("cards", { n: zone.count })}${known ? ` (${known})` : ""}.`;
  });
  return [scene.prompt, ...zones, ...scene.notes.map((note) => `${note.words}.`), ...seats].join(" ");
}
