/** What this device saw before the deal: of each match at which it had a seat, the house's promise and its own share. */
import { keep, kept } from "./settings.js";

/** @typedef {{ match: string, commit: string, nonce: string }} Promised */

const NAME = "brelan.promises";
const MOST = 50; // matches

/** @returns {Promised[]} */
const all = () => kept(NAME, []);

/** @param {Promised} promised */
export const witness = (promised) => keep(NAME, [...all(), promised].slice(-MOST));

/** @param {string} match @returns {Promised | undefined} */
export const witnessed = (match) => all().filter((promised) => promised.match === match).at(-1);
