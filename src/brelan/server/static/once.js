/**
 * What a form asks for is done once, however often its button is pressed while the page of the answer is on its way; and
 * without a line, or while the house begins anew, it is not asked at all: else the browser's own page says so, what was
 * written is gone, and an installed house has no way back from there.
 */

const LONG = 10_000; // milliseconds after which one may try again where nothing came, and for a sign of life

const unsent = document.createElement("p");
unsent.className = "error";
unsent.setAttribute("role", "alert");
unsent.textContent = /** @type {HTMLElement} */ (document.querySelector("[data-unsent]")).dataset.unsent ?? "";

let sent = -Infinity;
/** @type {EventTarget | null} */
let last = null; // the form that was sent
let there = false; // whether somebody has just answered

addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (event.defaultPrevented) return;
  const isPost = form.method === "post";
  if ((isPost || !navigator.onLine) && !there) return void ask(event, form);
  if (!isPost) return;
  if (form === last && event.timeStamp - sent < LONG) event.preventDefault();
  else [last, sent] = [form, event.timeStamp];
});
addEventListener("pageshow", () => (last = null)); // who comes back to the page may want another one
addEventListener("online", () => unsent.remove());

/** The house is asked first whether it is there, without a network too: it may be on this device. What is not of the house shows itself: it may want a password, or lead to where one is asked for. @param {SubmitEvent} event @param {HTMLFormElement} form */
async function ask(event, form) {
  const { submitter } = event;
  event.preventDefault();
  const answer = await fetch("/health", { cache: "no-store", redirect: "manual", signal: AbortSignal.timeout?.(LONG) }).catch(() => null);
  if (!answer || answer.status > 501) return refuse(submitter, form);
  there = true;
  form.requestSubmit(submitter);
  there = false;
}

/** Nothing is sent, and below the button it is said why. @param {HTMLElement | null} submitter @param {HTMLFormElement} form */
function refuse(submitter, form) {
  (submitter?.closest("p, .leads, .choices, .acts") ?? form).after(unsent);
  unsent.scrollIntoView({ block: "nearest" });
}
