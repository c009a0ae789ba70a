/** What the page is used with, and the second click or tap of two that were meant as one. */

const HASTY = 350; // milliseconds within which a finger that comes to the same place twice has slipped
const NEAR = 30; // pixels around that place

let finger = false; // whether the page was used last by one: not every browser's click says so

/** Whether a finger has just used the page, and no key or mouse. */
export const byFinger = () => finger;

/**
 * The second one means the same, and does nothing where something else has come meanwhile: the next move, another
 * question. A finger that is not so hasty means both.
 * @param {() => string} stands what is asked, in any form
 */
export function single(stands) {
  /** @type {MouseEvent | undefined} */
  let first;
  let began = ""; // what stood there at the first
  addEventListener("pointerdown", ({ pointerType }) => void (finger = pointerType === "touch"), { capture: true });
  addEventListener("keydown", () => void (finger = false), { capture: true });
  addEventListener("click", (event) => {
    if (!first || !(finger ? slips(first, event) : event.detail > 1)) [first, began] = [event, stands()];
    else if (stands() !== began && event.target instanceof Element && event.target.closest("[data-move], .aim, .confirm, .undo")) event.stopPropagation();
  }, { capture: true });
}

/** @param {MouseEvent} first @param {MouseEvent} event */
const slips = (first, event) => event.timeStamp - first.timeStamp < HASTY && Math.hypot(event.clientX - first.clientX, event.clientY - first.clientY) < NEAR;
