/** What a form asks for is done once, however often its button is pressed while the page of the answer is on its way. */

const LONG = 10_000; // milliseconds after which one may try again where nothing came

let sent = -Infinity;

addEventListener("submit", (event) => {
  if (event.defaultPrevented || /** @type {HTMLFormElement} */ (event.target).method !== "post") return;
  if (event.timeStamp - sent < LONG) event.preventDefault();
  else sent = event.timeStamp;
});
addEventListener("pageshow", () => (sent = -Infinity)); // who comes back to the page may want another one
