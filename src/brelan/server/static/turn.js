/** How far the game has come that a scene shows, and whether its reader is asked. */

/** @typedef {import("./protocol.js").Scene} Scene */

/** Whether cards are played, or lie open after a round. @param {Scene} scene */
export const stage = ({ over, between }) => (over || between ? "ended" : "play");

/** Whether it is the reader's turn. @param {Scene | null} scene */
export const isMine = (scene) => Boolean(scene?.turn.includes(scene.seat));

/** Whether a bot waits until the reader, or another who plays, says to go on. @param {{ table: import("./protocol.js").Table }} view */
export const isHeld = ({ table }) => table.held && table.seat !== null && !table.seats[table.seat].kept;
