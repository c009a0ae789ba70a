/**
 * The provable shuffle, checked from a record alone: docs/records.md read once more, for browsers and Node. It needs
 * nothing but Web Crypto. It knows no rule: that the moves were legal, `brelan verify` tells.
 *
 * @typedef {{ match: string, whatif: boolean, commit: string, first: number, nonces: string[], shuffles: number, roots: (string | null)[] }} Right what was found right; `whatif`: it was played on from a match whose secret was open
 * @typedef {{ shuffle: number, position: number, of: number, card: string, zone: string, salt: string, path: string[] }} Proof
 * @typedef {Record<string, any>} Line
 */

const [SHUFFLE, SALTS] = ["brelan-shuffle-1", "brelan-leaves-1"]; // the uses of a key
const [LEAF, NODE] = [Uint8Array.of(0), Uint8Array.of(1)]; // what is hashed begins with one of them
const [SECRET, NONCE, COMMIT] = [64, 16, 64]; // bytes
const KINDS = ["shuffle", "move", "scores"];

/** What is wrong with a record: `reason` names a sentence, `line` the line from 1. */
export class Wrong extends Error {
  /** @param {string} reason @param {number} line */
  constructor(reason, line) {
    super(`line ${line}: ${reason}`);
    this.reason = reason;
    this.line = line;
  }
}

/** Browsers compute such things only for pages that came over a safe line. */
export const able = Boolean(globalThis.crypto?.subtle);

/** Check the record of one match. @param {string} text @returns {Promise<Right>} or throws what is Wrong */
export async function verify(text) {
  const lines = parsed(text);
  const sealed = seal(lines);
  const opened = sealed.secret !== null && (await commitment(sealed)) === sealed.commit;
  const isChained = lines.some((line) => "chain" in line);
  const roots = [];
  let chain = "";
  for (const [i, line] of lines.entries()) {
    expect(i + 1, "unreadable", kindsOf(line).length === (i ? 1 : 0));
    if ("scores" in lines[Math.max(0, i - 1)]) throw new Wrong("after", i + 1);
    expect(i + 1, "seal", !("secret" in line) || "scores" in line);
    if (i && "shuffle" in line) {
      expect(i + 1, "unreadable", isPile(line.shuffle));
      if (opened) {
        expect(i + 1, "order", same(line.shuffle, await order(sealed, roots.length, line.shuffle)));
        expect(i + 1, "root", !("root" in line) || line.root === (await rootOf(sealed, roots.length, line.shuffle)));
      }
      roots.push(line.root ?? null);
    }
    if ("scores" in line) expect(i + 1, sealed.secret ? "commit" : "seal", opened);
    if (isChained) expect(i + 1, "chain", line.chain === (chain = await link(chain, line)));
  }
  expect(lines.length, "cut", "scores" in /** @type {Line} */ (lines.at(-1)));
  return { match: own(lines[0]), whatif: "whatif" in lines[0], commit: sealed.commit, first: lines[0].first, nonces: lines[0].nonces, shuffles: roots.length, roots };
}

/** By what id a record goes: one that was played on from another has that one's chance, and an id of its own. @param {Line} header */
const own = ({ match, whatif }) => (typeof whatif?.match === "string" ? whatif.match : match);

/** Whether the root of its shuffle says the same as a proof. @param {Proof} proof @param {string} root */
export async function holds({ shuffle, position, of, card, salt, path }, root) {
  if (!([shuffle, position, of].every(isCount) && position < of)) return false;
  if (!(Array.isArray(path) && [salt, ...path].every(isHash))) return false;
  let found = await leaf(unhexed(salt), shuffle, position, card);
  const partners = [...path];
  for (let [place, row] = [position, of]; row > 1; [place, row] = [place >> 1, (row + 1) >> 1]) {
    if ((place ^ 1) >= row) continue; // without a partner: it goes up as it is
    const partner = unhexed(partners.shift() ?? "");
    found = await (place & 1 ? node(partner, found) : node(found, partner));
  }
  return !partners.length && hex(found) === root;
}

/** A number of a shuffle or a place: far fewer are in a match. @param {unknown} n */
const isCount = (n) => Number.isInteger(n) && Number(n) >= 0 && Number(n) < 2 ** 31;

/** @param {unknown} text */
const isHash = (text) => typeof text === "string" && /^[0-9a-f]{128}$/.test(text);

/** @param {number} line @param {string} reason @param {boolean} right @returns {asserts right} */
function expect(line, reason, right) {
  if (!right) throw new Wrong(reason, line);
}

// ---------------------------------------------------------------- lines

/** A record as it came; what is no UTF-8 is wrong, in its line. @param {ArrayBuffer} record */
export function textOf(record) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(record);
  } catch {
    const rows = new TextDecoder().decode(record).split("\n");
    throw new Wrong("unreadable", rows.findIndex((row) => row.includes("\ufffd")) + 1);
  }
}

const BLANK = /^[ \t\v\f\r]*$/;

/** @param {string} text @returns {Line[]} */
function parsed(text) {
  const rows = text.split("\n");
  while (rows.length > 1 && BLANK.test(String(rows.at(-1)))) rows.pop();
  return rows.map((row, i) => {
    try {
      const line = JSON.parse(row);
      const whole = line && typeof line === "object" && !Array.isArray(line) && JSON.stringify(line).length === bare(row).length && canonical(line);
      if (whole && (!("chain" in line) || isExact(row))) return line;
    } catch {
      // said below; what is nested deeper than we can follow, too
    }
    throw new Wrong("unreadable", i + 1);
  });
}

const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|\s+/g;

/** A line of JSON as it stands, each name and number spelt as we would: longer than what was read of it where a name is
 * there twice, of which JavaScript takes the last. @param {string} row
 */
const bare = (row) => row.replace(TOKENS, (token) => (token.trim() ? JSON.stringify(JSON.parse(token)) : ""));

/** Whether all programs write a line alike: whole numbers that each can hold, and no half letters. @param {string} row */
const isExact = (row) => (row.match(TOKENS) ?? []).every((token) =>
  token[0] === '"' ? !/\p{Cs}/u.test(JSON.parse(token)) : !/[.eE]/.test(token) && Number.isSafeInteger(Number(token)));

/** What happens in a line: one thing, and nothing in a header. @param {Line} line */
const kindsOf = (line) => KINDS.filter((kind) => kind in line);

/** What the header promises and the footer opens; a record that was cut has no secret. @param {Line[]} lines */
function seal(lines) {
  const [header, footer] = [lines[0], lines.find((line) => kindsOf(line).join() === "scores")];
  expect(1, "unreadable", header.brelan === 1);
  expect(1, "seal", typeof header.match === "string" && isHex(header.commit, COMMIT));
  expect(1, "seal", Array.isArray(header.nonces) && header.nonces.length === header.players);
  expect(1, "seal", header.nonces.every((/** @type {unknown} */ nonce) => nonce === "" || isHex(nonce, NONCE)));
  return {
    match: String(header.match),
    commit: String(header.commit).toLowerCase(),
    nonces: header.nonces.map(unhexed),
    secret: isHex(footer?.secret, SECRET) ? unhexed(footer?.secret) : null,
  };
}

/** @param {unknown} text @param {number} size bytes */
const isHex = (text, size) => typeof text === "string" && /^[0-9a-f]*$/i.test(text) && text.length === 2 * size;

/** Whether that is cards; a shuffle of none is no line. @param {unknown} cards */
const isPile = (cards) => Array.isArray(cards) && cards.length > 0 && cards.every((card) => typeof card === "string");

/** @param {unknown[]} one @param {unknown[]} other */
const same = (one, other) => one.length === other.length && one.every((card, i) => card === other[i]);

// ---------------------------------------------------------------- the shuffle

/** @typedef {ReturnType<typeof seal>} Seal */

/** The cards in the order that shuffle number k gives them. @param {Seal} seal @param {number} k @param {string[]} cards */
async function order(seal, k, cards) {
  const stream = numbers(await keyFor(seal, SHUFFLE, k));
  const pile = [...cards].sort(byPoints);
  for (let i = pile.length - 1; i > 0; i--) {
    const j = await below(BigInt(i + 1), stream);
    [pile[i], pile[j]] = [pile[j], pile[i]];
  }
  return pile;
}

/** The key that shuffle number k has for one use. @param {Seal} seal @param {string} use @param {number} k */
const keyFor = ({ secret, match, nonces }, use, k) =>
  hmac(secret ?? new Uint8Array(), joined(utf8(use), zero, utf8(match), zero, ...nonces, eight(k)));

/** Random numbers of 64 bits. @param {Uint8Array<ArrayBuffer>} key @returns {AsyncGenerator<bigint, never>} */
async function* numbers(key) {
  for (let count = 0; ; count++) {
    const block = new DataView((await hmac(key, eight(count))).buffer);
    for (let place = 0; place < 64; place += 8) yield block.getBigUint64(place);
  }
}

/** A number below n without bias. @param {bigint} n @param {AsyncGenerator<bigint, never>} stream */
async function below(n, stream) {
  const limit = 2n ** 64n - (2n ** 64n % n);
  for (;;) {
    const { value } = await stream.next();
    if (value < limit) return Number(value % n);
  }
}

/** @param {Seal} seal */
const commitment = async ({ secret, match }) => hex(await digest("SHA-512", joined(secret ?? new Uint8Array(), utf8(match))));

// ---------------------------------------------------------------- the leaves

/** The root of the leaves of shuffle number k. @param {Seal} seal @param {number} k @param {string[]} cards */
async function rootOf(seal, k, cards) {
  const key = await keyFor(seal, SALTS, k);
  let row = await Promise.all(cards.map(async (card, i) => leaf(await hmac(key, eight(i)), k, i, card)));
  while (row.length > 1) {
    const pairs = row.filter((_, i) => i % 2 === 0).map((left, i) => [left, row[2 * i + 1]]);
    row = await Promise.all(pairs.map(([left, right]) => (right ? node(left, right) : left)));
  }
  return hex(row[0]);
}

/** @param {Uint8Array} salt @param {number} k @param {number} i @param {string} card */
const leaf = (salt, k, i, card) => digest("SHA-512", joined(LEAF, salt, zero, eight(k), eight(i), utf8(card)));

/** @param {Uint8Array} left @param {Uint8Array} right */
const node = (left, right) => digest("SHA-512", joined(NODE, left, right));

// ---------------------------------------------------------------- the chain

/** @param {string} before @param {Line} line */
async function link(before, line) {
  const { chain, ...content } = line;
  return hex(await digest("SHA-256", utf8(`${before}\n${canonical(content)}`))).slice(0, 16);
}

/** JSON with keys sorted by code point and no spaces. @param {any} value @returns {string} */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!value || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.keys(value).sort(byPoints).map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

/** As UTF-8 sorts them, where JavaScript's own order is that of UTF-16. @param {string} a @param {string} b */
function byPoints(a, b) {
  const [one, other] = [hex(utf8(a)), hex(utf8(b))];
  return one < other ? -1 : Number(one > other);
}

// ---------------------------------------------------------------- bytes

const zero = Uint8Array.of(0);

/** @param {string} text */
const utf8 = (text) => new TextEncoder().encode(text);

/** @param {Uint8Array} bytes */
export const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} text an even number of hex digits */
const unhexed = (text) => Uint8Array.from({ length: text.length / 2 }, (_, i) => parseInt(text.slice(2 * i, 2 * i + 2), 16));

/** As 8 bytes, big-endian. @param {number} n */
function eight(n) {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(n));
  return new Uint8Array(view.buffer);
}

/** @param {...Uint8Array} parts */
const joined = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));

/** @param {string} hash @param {Uint8Array<ArrayBuffer>} data */
const digest = async (hash, data) => new Uint8Array(await crypto.subtle.digest(hash, data));

/** @param {Uint8Array<ArrayBuffer>} key @param {Uint8Array<ArrayBuffer>} data */
async function hmac(key, data) {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-512" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, data));
}
