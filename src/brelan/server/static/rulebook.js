/** The rulebook beside the game: a sheet, open at the paragraph that is in force or at the one that a link names. */
import { answerTo, given } from "./house.js";
import { html, nothing } from "./vendor/lit-html.js";
import { words } from "./words.js";

/** The text of the rulebook, once it has come. @type {Element | null} */
let book = null;
let asked = false;
let lost = false;
/** The paragraph that is still to be shown. @type {string | null} */
let goal = null;

/** The rule that something rests on, as a link to its paragraph. @param {string} game @param {string | null} rule */
export const ruleLink = (game, rule) =>
  rule ? html`<a class="rule" href="/rules/${game}#${rule}" target="brelan-rules">${rule}</a>` : nothing;

/** Whoever follows a link to a rule reads it here; other ways to open a link are left as they are. @param {(rule: string | null) => void} open */
export function ruleLinks(open) {
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link?.target !== "brelan-rules" || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(link.hash.slice(1) || null);
  });
}

/** Show this paragraph when the sheet is drawn next; a text that did not come is asked for again. @param {string | null} rule */
export function turnTo(rule) {
  goal = rule;
  asked = asked && !lost;
  lost = false;
}

/** @param {string} game @param {() => void} come what to do once the text is there */
export function rulebook(game, come) {
  if (!asked) read(game).then(come);
  setTimeout(reach);
  const page = html`<a href="/rules/${game}" target="_blank">${words("rules")}</a>`;
  return html`<div class="book">${book ?? html`<p role="status">${lost ? page : words("rules_come")}</p>`}</div>`;
}

/** @param {string} game */
async function read(game) {
  asked = true;
  const address = `/rules/${game}?lang=${document.documentElement.lang}`;
  try {
    let answer = await answerTo(address, { credentials: "omit" }); // it is no choice of a language for all pages
    if (answer.status === 401) answer = await answerTo(address); // a proxy wants its password
    const page = new DOMParser().parseFromString(await given(answer).text(), "text/html");
    book = document.createElement("div");
    book.append(...(page.querySelector(".rulebook .text")?.childNodes ?? []));
  } catch {
    lost = true;
  }
}

/** Once, so that nothing jumps under who reads on while others move. */
function reach() {
  const anchor = goal && book?.isConnected ? document.getElementById(goal) : null;
  const paragraph = anchor?.closest("li, p");
  if (!paragraph) return;
  goal = null;
  book?.querySelectorAll("[data-at]").forEach((one) => one.removeAttribute("data-at"));
  paragraph.setAttribute("data-at", "");
  paragraph.setAttribute("tabindex", "-1");
  /** @type {HTMLElement} */ (paragraph).focus({ preventScroll: true }); // who listens reads on from there, too
  paragraph.scrollIntoView({ block: "start" });
}
