/** The home page: what changes among the tables comes by itself, over one line that is never given up. */
import { hush, mark, notify } from "./calls.js";
import "./install.js";
import { Line, socketAt } from "./line.js";

const root = /** @type {HTMLElement} */ (document.querySelector("main.lobby"));
const list = /** @type {HTMLElement} */ (document.getElementById("open"));
const yours = /** @type {HTMLElement} */ (document.getElementById("yours"));
const lost = /** @type {HTMLElement} */ (document.getElementById("lost"));
const said = /** @type {HTMLElement} */ (document.getElementById("said"));

const TITLE = document.title;
const ASK = 60000; // milliseconds: how much time is left says itself in minutes, and each answer costs the house a look at its index

/** @typedef {{ type: "tables", seen: string, order: string[], rows: Record<string, string> } | { type: "yours", html: string }} Told */

const line = new Line({ address, opened, heard: show, lost: cut, question: "yours" }, { first: 1000, longest: 20000 });
setInterval(() => line.ask(), ASK);

function address() {
  const address = socketAt("/lobby/socket");
  address.searchParams.set("lang", root.dataset.language ?? "");
  address.searchParams.set("seen", root.dataset.seen ?? "");
  return address;
}

function opened() {
  lost.hidden = true;
}

/** What was waited for in vain, nobody need wait for any longer. @param {number} tries @param {boolean} silent */
function cut(tries, silent) {
  if (silent || tries > 2) lost.hidden = false;
}

/** @param {Told} told */
function show(told) {
  if (told.type === "yours") {
    const rows = /** @type {HTMLElement} */ (yours.querySelector("ul"));
    const before = awaited();
    lay(rows, made(told.html));
    yours.hidden = !rows.children.length;
    call(before);
  } else {
    root.dataset.seen = told.seen;
    lay(list, told.order.flatMap((code) => rowOf(code, told.rows[code])));
  }
}

/** The own tables that wait for their reader, by code. */
const awaited = () => [...yours.querySelectorAll("[data-group=mine]")].map((row) => String(/** @type {HTMLElement} */ (row).dataset.code));

/** Each table that waits for its reader now is called out, and all are counted before the page's title. @param {string[]} before */
function call(before) {
  const now = awaited();
  document.title = now.length ? `(${now.length}) ${TITLE}` : TITLE;
  mark(now.length > 0);
  for (const code of now.filter((one) => !before.includes(one))) {
    said.textContent = written(code, ".own");
    notify(code, written(code, "strong"), written(code, ".state"));
  }
}

/** What is written in the row of an own table. @param {string} code @param {string} part of it */
const written = (code, part) => yours.querySelector(`[data-code="${code}"] ${part}`)?.textContent?.replace(/\s+/g, " ").trim() ?? "";

/** The row of a table: a new one where it has changed, else that which stands there. @param {string} code @param {string} [html] */
function rowOf(code, html) {
  const there = list.querySelector(`[data-code="${CSS.escape(code)}"]`);
  return html === undefined ? (there ? [there] : []) : made(html);
}

/** The house's own HTML as elements. @param {string} html @returns {Element[]} */
function made(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return [...template.content.children];
}

/** Rows that stay are not touched: who is just pressing one follows its link. A link that had the focus has it again. @param {HTMLElement} part @param {Element[]} rows */
function lay(part, rows) {
  const at = part.contains(document.activeElement) ? document.activeElement?.getAttribute("href") : null;
  const there = [...part.children];
  const laid = rows.map((row) => there.find((one) => one.isEqualNode(row)) ?? row);
  for (const row of there) if (!laid.includes(row)) row.remove();
  laid.forEach((row, i) => row === part.children[i] || part.insertBefore(row, part.children[i]));
  if (at) /** @type {HTMLElement | null} */ (part.querySelector(`[href="${CSS.escape(at)}"]`))?.focus({ preventScroll: true });
}

document.addEventListener("visibilitychange", () => document.hidden || awaited().forEach(hush));
call(awaited());
