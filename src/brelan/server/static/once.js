/**
 * What a form asks for is done once, however often its button is pressed while the page of the answer is on its way; and
 * without a line it is not asked at all: else the browser's own page says so, and an installed house has no way back
 * from there.
 */

const LONG = 10_000; // milliseconds after which one may try again where nothing came

const unsent = document.createElement("p");
unsent.className = "error";
unsent.setAttribute("role", "alert");
unsent.textContent = /** @type {HTMLElement} */ (document.querySelector("[data-unsent]")).dataset.unsent ?? "";

let sent = -Infinity;
/** @type {EventTarget | null} */
let last = null; // the form that was sent

addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (event.defaultPrevented) return;
  if (!navigator.onLine) return refuse(event, form);
  if (form.method !== "post") return;
  if (form === last && event.timeStamp - sent < LONG) event.preventDefault();
  else [last, sent] = [form, event.timeStamp];
});
addEventListener("pageshow", () => (last = null)); // who comes back to the page may want another one
addEventListener("online", () => unsent.remove());

/** Nothing is sent, and below the button it is said why. @param {SubmitEvent} event @param {HTMLFormElement} form */
function refuse(event, form) {
  event.preventDefault();
  (event.submitter?.closest("p, .leads, .choices, .acts") ?? form).after(unsent);
  unsent.scrollIntoView({ block: "nearest" });
}
