/** What the server sends: the scene's structs (src/brelan/scene.py) and the table around them. */

export interface Card {
  key: string;
  face: string | null;
  alt: string;
  state: "" | "bright" | "dim" | "marked";
  why: string | null;
  rule: string | null;
  group: number;
}

export interface Zone {
  id: string;
  kind: "fan" | "pile" | "heap" | "row" | "trick";
  owner: number | null;
  caption: string;
  count: number;
  cards: Card[];
  badge: string;
}

export interface Choice {
  move: string;
  words: string;
  cards: string[];
  target: string | null;
  confirm: boolean;
  why: string | null;
  rule: string | null;
  brief: string;
  blind: boolean;
  together: string; // what it is called to make several such moves, one after the other; "" of those that go alone
  rest?: string[]; // of several that were made one here: the moves after the first
}

export interface Call {
  word: string;
  words: string;
}

export interface Note {
  words: string;
  rule: string | null;
  seat: number | null;
  zone: string | null;
}

export interface Scene {
  game: string;
  seat: number;
  turn: number[];
  prompt: string;
  zones: Zone[];
  choices: Choice[];
  notes: Note[];
  scores: number[];
  leaders: number[];
  over: boolean;
  between: boolean;
  call: Call | null;
  rule: string | null; // the paragraph in force
}

export interface Moved {
  key: string;
  source: string;
  target: string;
}

export interface News {
  seat: number | null;
  words: string;
  rule: string | null;
  kind: "move" | "table" | "said" | "round" | "over";
  text: string | null; // of what was said: nothing but that
  aloud: boolean; // a move with which something is called out
  led: string; // of its words, those that tell what the move led to: they are the last
  follows: boolean; // a move that the table made for its seat, right after the one before it
  number: number; // of the event that it tells of
  who: number; // of what was said: who of the seats' persons said it, wherever they sit now
}

export interface Seat {
  seat: number;
  name: string;
  kind: "open" | "person" | "bot";
  level: string | null;
  online: boolean;
  /** Who plays the match from there, or played the one that is over, with the bot that kept it at the end. */
  player: string;
  score: number;
  kept: string | null; // the level of the bot that keeps the seat while its person is away
  since: number | null; // when it began to, in seconds since 1970
  who: number; // its person is the same under any name; 0 for a bot, or nobody
}

export interface Clock {
  left: number; // seconds
  runs: boolean;
}

export interface Undo {
  may: boolean; // the viewer may take a move back, or ask for it
  free: boolean; // and nobody needs to agree
  asked: number | null; // the seat that would take its move back
  move: string | null; // what it did, as the viewer heard it
  after: number; // so many moves that came after it would be taken back, too
  waits_for: number[];
}

export interface Customs {
  pace: "none" | "live" | "days";
  bank: number; // seconds of a seat for a match, at a live pace
  increment: number; // seconds for each of its moves
  days: number; // for each move, in a match by turns
  watch: boolean;
  listed: boolean;
  talk: boolean; // in one's own words
  hints: boolean;
  keeper: string;
  grace: number;
  tempo: "fast" | "usual" | "slow" | "step"; // of bots
}

export interface Round {
  round: number;
  points: number[];
  reason: string;
  rule: string | null;
  best: number[]; // the seats that did best in it, none where all did alike
}

export interface Table {
  code: string;
  game: string;
  title: string;
  preset: string;
  options: Record<string, unknown>;
  customs: Customs;
  clocks: Clock[] | null;
  now: number; // by the house's clock, in seconds
  undo: Undo;
  hints: boolean; // what a strong bot would do may be asked
  hidden: boolean; // the viewer holds no seat, and may not watch
  manner: "friendly" | "claim" | "turns" | null;
  differs: string[];
  status: "open" | "playing" | "over";
  host: boolean;
  seat: number | null;
  seats: Seat[];
  commit: string | null;
  first: number | null; // the seat that begins, settled with the promise
  match: string | null;
  wants_nonce: boolean;
  nonces: (string | null)[];
  waits_for: number[]; // who has still to say "next", or "again" once somebody has
  held: boolean; // a bot waits until somebody who plays says "next"
  wishes: number[]; // who would like to play again, and waits for the others
  wish: boolean; // whether the viewer would
  deadline: number | null;
  sheet: Round[];
  scores: number[];
  winners: number[];
  evening: { name: string; won: number }[]; // after a match that was not the table's first: whoever has won there, most first
  shuffles: number; // of the match, until now
  root: string | null; // of the last one's leaves
  origin: { match: string; line: number } | null; // of a table that asks what if
  secret: string | null;
  record: string | null;
  link: string | null;
}

export interface View {
  type: "view";
  number: number;
  table: Table;
  scene: Scene | null;
  last: Moved[];
  news: News[];
}

export interface Refused {
  type: "refused";
  key: string;
  error: string;
  rule: string | null;
  words: string;
  number: number;
  wait?: number; // seconds, where it was asked too often
}

/** Why a hint is what it is: the imagined deals it was tried in, and the moves that did about as well there. */
export type Why = { worlds: number; close: string[] };

export type FromServer = View | Refused | { type: "ack"; key: string; number: number } | { type: "hint"; key: string; move: string; why: Why | null } | { type: "pong" } | { type: "probe"; at: number };

/** Something the page says in place: a reason, with the rule that gives it. */
export interface Remark {
  words: string;
  rule: string | null;
  number?: number; // the last view of which it is true; without one, as long as the choices are the same
}

export interface Settings {
  theme: "auto" | "light" | "dark" | "contrast";
  sort: "laid" | "colour" | "value" | "hand";
  letters: boolean;
  keys: Record<string, string>; // of the letters that were exchanged, each with its new key
  four: boolean;
  count: boolean; // of one's own hand, where there is something to count
  motion: boolean;
  sound: boolean;
  volume: number; // 0-100
  notices: boolean; // of the device, when it is the reader's turn
}

/** All that the page draws from: the server's last view, and what its reader is about to do. */
export interface Page {
  view: View;
  settings: Settings;
  log: News[];
  order: string[]; // the hand as its owner arranged it
  selected: string[]; // keys of the cards that stand raised
  touched: string | null; // the key of the card that was tapped last
  aim: string | null; // a zone that was tapped and may be reached in several ways
  armed: string | null; // a move that waits to be confirmed
  asking: boolean; // the raised cards can go to several places, and the page asks which
  calling: boolean; // the word of `scene.call` goes with the next move that takes it
  sent: boolean; // a move is on its way
  rest: string[]; // the move that was made last, and those that were chosen together with it and are still to be made
  remark: Remark | null;
  sheet: string | null; // the sheet that lies open
  lost: number; // tries since the connection was cut
  still?: boolean; // there is only something to look at: a match that is over
  lesson?: boolean; // there is nobody to talk to, nothing to take back and no match to leave
  fresh: Set<string>; // keys of the cards that moved last
  since: number; // when the view came, by this device's own clock, in milliseconds
  missed: number; // moves that came while nobody looked
  called: string; // why who looks elsewhere is called, besides their turn; "" once they look
  unheard: number; // things said since the reader last looked at the talk
  bubbles: { seat: number; text: string }[]; // what people have just said
  filter: "all" | "scores"; // of the log
  leaving: boolean; // the reader is asked whether to leave the match
  found: boolean; // the connection has just come back
  left: string; // the way back for a browser that the house does not know any more
}

/** What a part of the page may ask for. */
export interface Acts {
  card(key: string): void;
  zone(id: string): void;
  choose(choice: Choice): void;
  play(choice: Choice): void;
  raise(key: string): void;
  drop(key: string, zone: string): void;
  arrange(order: string[]): void;
  shift(key: string, step: number): void;
  clear(): void;
  call(): void;
  say(remark: Remark): void;
  send(type: string, fields?: object): void;
  open(sheet: string | null): void;
  set(change: Partial<Settings>): void;
  undo(): void;
  hint(): void;
  filter(name: "all" | "scores"): void;
  leave(asked: boolean): void;
}
