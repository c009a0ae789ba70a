/** What is asked of the house, and whether it is the house that answers: before it may stand a proxy, or a network that wants its password first and answers everything itself. */

const PATIENCE = 15000; // milliseconds for an answer: some networks take whatever is asked, and never say a word

/** @param {string} address @param {RequestInit} [way] */
export const answerTo = (address, way) => fetch(address, { signal: AbortSignal.timeout?.(PATIENCE), ...way }); // older browsers wait as long as they like

/** Whether the house itself has answered. @param {Response} answer */
export const isOwn = (answer) => answer.headers.has("brelan-build");

/** What the house gives; throws where it refuses, or another has answered. @param {Response} answer */
export function given(answer) {
  if (!answer.ok || !isOwn(answer)) throw new Error(answer.statusText);
  return answer;
}
