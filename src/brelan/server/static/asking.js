/** What a view asks of its reader, for those who listen: each thing once, when it is new. */
import { isKept } from "./absent.js";
import { answering, holding } from "./bar.js";
import { passes } from "./countdown.js";
import { isHeld, isMine } from "./turn.js";
import { words } from "./words.js";

/** @typedef {import("./protocol.js").Page} Page @typedef {import("./protocol.js").View} View */

/** For how long a result stands that has just come, where the table goes on by itself: its countdown is only seen. @param {View} view @param {View | undefined} old */
export const passing = ({ table, scene }, old) =>
  (scene?.between && !old?.scene?.between && passes(table) ? words("goes_on", { n: Math.ceil(Number(table.deadline) - table.now) }) : "");

let asks = ""; // what was last asked of the reader

/** What is asked, if it is not what was asked last, or is asked anew; a lesson says it itself. @param {Page} now @param {View | undefined} old */
export function newlyAsked(now, old) {
  const { scene, news } = now.view;
  if (!scene || !isMine(scene) || isKept(now) || now.lesson) return "";
  const mine = isMine(old?.scene ?? null);
  const again = mine && news.some(({ kind, seat }) => kind === "move" && seat === scene.seat);
  const due = !mine && answering(scene); // what must be said in time is asked each time
  if (scene.prompt === asks && !again && !due) return "";
  return (asks = scene.prompt);
}

/** That a bot waits for the reader to go on. @param {View} view @param {View | undefined} old */
export function newlyHeld({ table, scene }, old) {
  if (!scene || !isHeld({ table }) || (old && isHeld(old))) return "";
  return holding(table, scene);
}
