/** How far the game has come that a scene shows, and whether its reader is asked. */

/** @typedef {import("./protocol.js").Scene} Scene */

/** Whether cards are played, or lie open after a round. @param {Scene} scene */
export const stage = ({ over, between }) => (over || between ? "ended" : "play");

/** Whether it is the reader's turn. @param {Scene | null} scene */
export const isMine = (scene) => Boolean(scene?.turn.includes(scene.seat));
