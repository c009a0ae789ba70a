/** Keeps a device's screen on, where its browser can and does: some refuse when little power is left. */

/** @type {Promise<WakeLockSentinel | null> | null} */
let lock = null; // asked for; browsers take it back when nobody looks

/**
 * While people sit before it and touch nothing: as they think in a match, or where the table is shown on a wall. By turns
 * nobody waits there. @param {import("./protocol.js").Table} table @param {boolean} wall
 */
export function awake({ status, seat, customs }, wall) {
  const wanted = customs.pace !== "days" && (wall || (status === "playing" && seat !== null));
  if (wanted && !document.hidden) return void (lock ??= navigator.wakeLock?.request("screen").catch(() => null));
  lock?.then((held) => held?.release());
  lock = null;
}
