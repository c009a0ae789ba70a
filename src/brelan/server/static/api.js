/** The page for programs: sends what its forms say, and keeps the list of one's tokens. */

import { date, words } from "./words.js";

/** @typedef {{id: string, name: string, scopes: string[], made_at: number, used_on: string | null}} Token */

const TOKENS = "/api/v1/tokens";

/** @param {string} method @param {string} url @param {string} [body] */
const ask = (method, url, body) =>
  fetch(url, { method, body, headers: body === undefined ? {} : { "Content-Type": "application/json" } });

/** @param {string} name @param {string} [text] @param {string} [kind] */
function element(name, text = "", kind = "") {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = kind;
  return made;
}

/** A JSON answer laid out; anything else as it came. @param {string} text */
function laidOut(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

// ---- Trying the routes

/** The address that a form asks for. @param {HTMLFormElement} form */
function address(form) {
  const query = new URLSearchParams({ lang: document.documentElement.lang });
  let path = form.dataset.path ?? "";
  for (const input of form.querySelectorAll("input")) {
    if (input.dataset.in === "path") path = path.replace(`{${input.name}}`, encodeURIComponent(input.value.trim()));
    else if (input.value.trim()) query.set(input.name, input.value.trim());
  }
  return `${path}?${query}`;
}

/** What is sent: with a key of its own, since under an old one a message counts as done. @param {HTMLTextAreaElement} text */
function body(text) {
  const drawn = crypto.getRandomValues(new Uint32Array(2)).join("");
  text.value = text.value.replace(/("key":\s*")[^"]*/, `$1${drawn}`);
  return text.value;
}

/** @param {HTMLFormElement} form */
async function send(form) {
  const said = form.querySelector(".said");
  const shown = form.querySelector("pre");
  const text = form.querySelector("textarea");
  if (!said || !shown) return;
  said.textContent = words("sending");
  const began = performance.now();
  try {
    const answer = await ask(form.dataset.method ?? "GET", address(form), text ? body(text) : undefined);
    shown.textContent = laidOut(await answer.text());
    shown.hidden = !shown.textContent;
    said.textContent = words("answered", { status: answer.status, ms: Math.round(performance.now() - began) });
  } catch {
    said.textContent = words("failed");
  }
}

for (const form of document.querySelectorAll("form")) {
  if (!form.classList.contains("try")) continue;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(form);
  });
}

// ---- Tokens

const list = document.getElementById("tokens");
const told = document.getElementById("token-said");
const maker = document.getElementById("make-token");

/** @param {Token} token */
function entry(token) {
  const line = element("li");
  const used = token.used_on ? words("token_used", { day: date(token.used_on) }) : words("token_new");
  line.append(element("strong", token.name), element("span", `${token.scopes.map((scope) => words(`scope.${scope}`)).join(", ")} · ${used}`));
  const [asks, ends] = [element("summary", words("token_revoke")), element("button", words("token_revoke_now"), "button")];
  for (const one of [asks, ends]) one.setAttribute("aria-label", words("colon", { name: one.textContent, said: token.name }));
  ends.addEventListener("click", () => void revoke(token), { once: true });
  const twice = element("details"); // a token that was revoked does not come back
  twice.append(asks, ends);
  line.append(twice);
  return line;
}

/**
 * What the house answers about tokens, or why it does not, in words.
 * @param {string} method @param {string} [path] @param {object} [body] @returns {Promise<{ said?: any, why?: string }>}
 */
async function asked(method, path = "", body = undefined) {
  try {
    const answer = await ask(method, `${TOKENS}${path}?lang=${document.documentElement.lang}`, body && JSON.stringify(body));
    const said = answer.status === 204 ? null : await answer.json();
    return answer.ok ? { said } : { why: said.words };
  } catch {
    return { why: words("failed") };
  }
}

/** The list as it is now. Why there is none is said in its place: a token just made still stands above it. */
async function refresh() {
  const { said, why } = await asked("GET");
  const lines = why ? [element("li", why)] : said.map(entry);
  list?.replaceChildren(...(lines.length ? lines : [element("li", words("tokens_none"))]));
}

/** @param {Token} token */
async function revoke(token) {
  const { why } = await asked("DELETE", `/${token.id}`);
  told?.replaceChildren(why ?? words("token_revoked"));
  await refresh();
  told?.focus(); // its own button is gone, and the next one would hear a second press
}

/** @param {HTMLFormElement} form */
async function make(form) {
  const chosen = new FormData(form);
  const { said, why } = await asked("POST", "", { name: chosen.get("name"), scopes: chosen.getAll("scopes") });
  told?.replaceChildren(...(why ? [why] : [words("token_made"), element("code", said.text, "token-text")]));
  await refresh();
}

if (maker instanceof HTMLFormElement) {
  let making = false; // of a second press comes no second token
  maker.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (making) return;
    making = true;
    await make(maker);
    making = false;
  });
  void refresh();
}
