/** The page of a table: it holds the last view, draws it, and turns what its reader does into messages. */
import { fly, measure } from "./animate.js";
import { newlyAsked, newlyHeld, passing } from "./asking.js";
import { awake } from "./awake.js";
import { bar } from "./bar.js";
import { blank, IDLE } from "./blank.js";
import { hush, mark, notify } from "./calls.js";
import { keepWords, lasts, unmuted } from "./chat.js";
import { called, isCalled, open, tapCard, tapZone } from "./choose.js";
import { tick } from "./clocks.js";
import { Connection } from "./connection.js";
import { FAR, lineBanner, ofLine, seatLeft, wayBack } from "./cut.js";
import { draggable } from "./drag.js";
import { all, goTo, hand, held, hold } from "./focus.js";
import { moved, shifted, spread } from "./hand.js";
import { heading } from "./heading.js";
import { asked, keyboard, scrollable } from "./keys.js";
import { canHint, hinted, question } from "./hint.js";
import "./install.js";
import { letters } from "./letters.js";
import { socketAt } from "./line.js";
import { missed, saw, unheard } from "./missed.js";
import { result } from "./result.js";
import { arrival, hasParted, poster, room } from "./room.js";
import { rulebook, ruleLinks, turnTo } from "./rulebook.js";
import { table as tableView } from "./scene.js";
import { apply, keepOf, keptOf, moving } from "./settings.js";
import { settle, sheet } from "./sheets.js";
import { finding, liveView } from "./sign.js";
import { heard, listen, ring } from "./sound.js";
import { title } from "./summary.js";
import { byFinger, single } from "./taps.js";
import { came, stay } from "./told.js";
import { isMine, stage } from "./turn.js";
import { wish } from "./undo.js";
import { html, nothing, render } from "./vendor/lit-html.js";
import { regions, speak } from "./voice.js";
import { findings, watch } from "./witness.js";
import { words } from "./words.js";

/** @typedef {import("./protocol.js").Page} Page @typedef {import("./protocol.js").View} View */
/** @typedef {import("./protocol.js").Choice} Choice */

const root = /** @type {HTMLElement} */ (document.getElementById("table"));
const { code = "", language, screen } = root.dataset;
const ORDERS = "brelan.hands";
const LOG = 300; // sentences kept
const GLAD = 3000; // milliseconds for which the page says that the line is back

/** @type {Page | null} */
let page = null;
let pondered = ""; // what a hint was asked for, until it comes
let wished = ""; // what it was asked for last
let unseen = false; // whether more has come than was drawn
const lesson = root.dataset.lesson !== undefined;

// ---------------------------------------------------------------- drawing

/** Whoever is called sees it on the page's tab; the page itself is drawn where somebody looks. @param {import("./protocol.js").Moved[]} [last] */
function draw(last = []) {
  if (!page) return;
  const { view, called } = page;
  const call = isMine(view.scene) ? words("your_turn") : wish(view.table) || called;
  document.title = title(view.table, call);
  mark(Boolean(call));
  if (!lesson) awake(view.table, screen !== undefined);
  if (!document.hidden) paint(page, last);
  unseen = document.hidden;
}

/** @param {Page} shown @param {import("./protocol.js").Moved[]} last */
function paint(shown, last) {
  const before = moving(shown.settings) && !unseen ? measure() : null;
  const [focus, stays] = [held(), stay()];
  if (shown.view.scene) root.dataset.felt = stage(shown.view.scene);
  else delete root.dataset.felt;
  render(whole(shown), root);
  spread();
  scrollable();
  settle(shown.sheet);
  stays();
  if (before) fly(before, last);
  hold(focus);
  numberPlaces(shown);
}

/** Draw what the house has sent: a page from before an upgrade may not understand it. @param {import("./protocol.js").Moved[]} [last] */
function unfold(last) {
  try {
    draw(last);
  } catch (error) {
    alone(words("broken"), location.href, "load_anew");
    throw error;
  }
}

/** @param {Page} page */
function whole(page) {
  const { table, scene } = page.view;
  const ended = scene && stage(scene) === "ended";
  return html`${heading(page, acts, rules)}
    ${lineBanner(page)}
    ${table.status === "open" ? room(page, acts) : nothing}
    ${table.status !== "open" && !scene ? html`<p class="banner">${words(table.hidden ? "hidden" : "shuffling")}</p>` : nothing}
    ${scene && !ended ? tableView(page, scene, acts) : nothing}
    ${scene && !ended ? bar(page, scene, acts) : nothing}
    ${scene && ended ? result(page, scene, acts) : nothing}
    ${screen !== undefined && screen !== "bare" && table.status !== "open" ? poster(table) : nothing}
    ${sheet(page, acts, { seal: () => liveView(table), rules: () => rulebook(table.game, draw) })}`;
}

/** Where several places are left to choose among, they are numbered for keys, here: no counter of CSS counts across a container. @param {Page} page */
function numberPlaces(page) {
  const places = page.asking && !byFinger() ? asked(page) : [];
  const several = places.length > 1 && places[0].matches(".aim");
  root.toggleAttribute("data-asking", several);
  for (const place of all(".aim")) {
    if (several && places.includes(place)) place.dataset.number = String(places.indexOf(place) + 1);
    else delete place.dataset.number;
  }
}

// ---------------------------------------------------------------- what the reader does

/** What answers a view says which one. */
const ANSWERS = new Set(["next", "consent"]);

/** @type {import("./protocol.js").Acts} */
const acts = {
  card: (key) => answer((scene, selected) => ({ ...tapCard(scene, selected, key), touched: key })),
  zone: (id) => answer((scene, selected) => tapZone(scene, selected, id)),
  raise: (key) => answer((scene, selected) => (choosable(scene, key) ? { selected: carried(selected, key) } : {})),
  drop: (key, zone) => answer((scene, selected) => {
    if (!choosable(scene, key)) return tapCard(scene, selected, key); // it says why
    const keys = carried(selected, key);
    return { selected: keys, ...tapZone(scene, keys, zone) };
  }),
  choose(choice) {
    if (choice.why) refuse({ words: choice.why, rule: choice.rule });
    else if (choice.confirm && page) {
      change({ armed: choice.move, selected: choice.cards.length ? choice.cards : page.selected, remark: null });
      goTo(all(".confirm .button")[0]); // what was pressed may still be there, and would ask the same again
    } else acts.play(choice);
  },
  play(choice) {
    if (!page || page.sent) return;
    const said = page.calling && page.view.scene ? called(page.view.scene, choice) : choice;
    connection.send("move", { seen: page.view.number, move: said.move });
    const calling = page.calling && said === choice;
    change({ ...IDLE, sent: true, rest: [said.move, ...(choice.rest ?? [])], calling, missed: 0 });
  },
  arrange: (order) => change({ ...arranged(order), ...IDLE }),
  shift(key, step) {
    const order = shifted(inHand(), key, step);
    change(arranged(order));
    speak("voice", words("place", { at: order.indexOf(key) + 1, n: order.length }));
  },
  call: () => change({ calling: !page?.calling }),
  clear: () => change(IDLE),
  undo() {
    if (!page || page.sent || page.view.table.undo.asked === page.view.table.seat) return;
    connection.send("undo", { seen: page.view.number });
  },
  hint() {
    if (!page?.view.table.hints) return;
    if (!canHint(page)) return refuse({ words: words("not_yet"), rule: null });
    wished = question(page.view);
    pondered ||= wished;
    connection.send("hint", {});
  },
  filter: (name) => change({ filter: name }),
  leave: (asked) => change({ leaving: asked }),
  say(remark) {
    change({ remark, armed: null });
    speak("voice", remark.words);
  },
  send: (type, fields = {}) => connection.send(type, ANSWERS.has(type) ? { seen: page?.view.number, ...fields } : fields),
  open: (name) => change({ sheet: name, leaving: false, ...(name === "log" ? { missed: 0 } : {}), ...(name === "chat" ? { unheard: 0 } : {}) }),
  set(chosen) {
    if (!page) return;
    change({ settings: apply(chosen), order: keptOf(ORDERS, code, page.order), ...IDLE });
  },
};

/** The keys of the hand as it lies there. */
const inHand = () => hand().map((card) => String(card.dataset.key));

/** The hand lies by its owner's own hand, in this order, on this device. @param {string[]} order */
function arranged(order) {
  keepOf(ORDERS, code, order);
  return { settings: apply({ sort: "hand" }), order };
}

/** Say why something does not go. @param {import("./protocol.js").Remark} remark */
function refuse(remark) {
  if (page) ring(["refusal"], page.settings);
  acts.say(remark);
}

/** @param {Partial<Page>} changed */
function change(changed) {
  if (!page) return;
  page = { ...page, ...changed };
  draw();
}

/** @param {import("./protocol.js").Scene} scene @param {string} key */
const choosable = (scene, key) => open(scene).some((choice) => choice.cards.includes(key));

/** What goes with a card that is dragged: all that is raised, if it is. @param {string[]} selected @param {string} key */
const carried = (selected, key) => (selected.includes(key) ? selected : [key]);

/** Do what a tap means. @param {(scene: import("./protocol.js").Scene, selected: string[]) => import("./choose.js").Answer} ask */
function answer(ask) {
  if (!page?.view.scene) return;
  const { selected, touched, aim, asks, play, remark } = ask(page.view.scene, page.selected);
  change({ ...IDLE, touched: touched ?? null, aim: aim ?? null, asking: Boolean(asks), selected: selected ?? page.selected });
  if (asks) whichOf(page, asks);
  if (remark) refuse(remark);
  if (play) acts.choose(play);
}

/** Ask which of several is meant. Keys are told how they choose; who has a finger, or has chosen the place, sees what there is. @param {Page} page @param {string} asks */
function whichOf(page, asks) {
  goTo(asked(page)[0]); // once: a redraw leaves it where its reader has taken it
  const said = words(byFinger() && asks === "ask_where" ? "ask_which" : asks);
  if (byFinger() || page.aim) speak("voice", said);
  else acts.say({ words: said, rule: null });
}

// ---------------------------------------------------------------- what the server says

/** The last of what is heard, and between it muted words too: who said them may be heard again. @param {View["table"]} table @param {import("./protocol.js").News[]} log */
function latest(table, log) {
  const first = unmuted(table, log).at(-LOG);
  return first ? log.slice(log.indexOf(first)) : log;
}

/** The page after a view: what its reader has begun stays where nothing happened. @param {View} view @param {import("./protocol.js").News[]} news @param {string} arrived @returns {Page} */
function after(view, news, arrived) {
  const old = page?.view;
  const before = page ?? { ...blank(), order: keptOf(ORDERS, code, []), lesson };
  return {
    ...before,
    ...(page && old?.number === view.number ? page : { ...IDLE, ...begun(view), ...standing(view.number) }),
    view,
    since: performance.now(),
    fresh: view.last.length ? new Set(view.last.map((move) => move.key)) : before.fresh,
    calling: Boolean(before.calling && view.scene && stage(view.scene) === "play"),
    sent: connection.pending(),
    lost: 0,
    left: seatLeft(view, page),
    called: document.hidden && view.table.status === "open" ? arrived || before.called : "",
    missed: before.missed + missed(view, old),
    unheard: before.sheet === "chat" ? 0 : before.unheard + unheard(view, old, news),
    log: latest(view.table, [...remembered(before.log, view, old), ...view.news]),
  };
}

/** What was told before: of an earlier match only its end, and what was said. @param {import("./protocol.js").News[]} log @param {View} view @param {View | undefined} old */
const remembered = (log, { table }, old) => (old?.table.match === table.match ? log : log.filter(({ kind }) => kind === "over" || kind === "said"));

/** @param {View} view */
function receive(view) {
  const old = page?.view;
  const same = old?.number === view.number;
  if (hasParted(view, old)) return location.reload();
  const news = unmuted(view.table, view.news);
  const arrived = arrival(view, old);
  page = after(view, news, arrived);
  if (old) bubbles(news, view.table);
  unfold(view.last);
  watch(view, old).then((told) => told && sealed(view));
  saw(view);
  if (!old && page.missed) speak("voice", words("missed", { n: page.missed }));
  const told = old ? news : news.slice(-1); // who comes to a table, or loads it anew, need not hear all of its match
  speak("voice", told.map((one) => one.words).join(" "));
  if (old && !same) ring(heard(view, old, news, arrived), page.settings);
  if (arrived) notify(view.table.code, view.table.title, arrived);
  if (isMine(view.scene) && !isMine(old?.scene ?? null)) {
    speak("call", words("your_turn"));
    notify(view.table.code, view.table.title, words("your_turn"));
  }
  speak("voice", [came(view, old), newlyAsked(page, old), newlyHeld(view, old), passing(view, old)].filter(Boolean).join(" "));
  goOn(page);
}

/** Of moves that were chosen together the next is made once the one before it was; where it cannot be, none is. @param {Page} page */
function goOn({ view: { scene }, rest: [made, ...left] }) {
  const choices = scene ? open(scene) : [];
  if (!left.length || choices.some(({ move }) => move === made)) return;
  const next = choices.find(({ move }) => move === left[0]);
  if (next) acts.play({ ...next, rest: left.slice(1) });
  else change({ rest: [] });
}

/** One's cards were checked: a sign tells that they are right; a broken seal is said, and stands until the next tap. @param {View} view */
function sealed({ table }) {
  draw();
  const own = findings(table.match);
  if (!own?.wrong) return;
  change({ remark: { words: finding(own), rule: null, number: Infinity } });
  speak("call", finding(own));
}

/** What people have just said stands beside them for a while; on a wall no words that anybody may choose. @param {import("./protocol.js").News[]} news @param {import("./protocol.js").Table} table */
function bubbles(news, { customs }) {
  if (screen !== undefined && customs.talk) return;
  for (const { kind, seat, text } of news) {
    if (kind !== "said" || seat === null || !text || !page) continue;
    const said = { seat, text };
    page.bubbles = [...page.bubbles.filter((one) => one.seat !== seat), said];
    setTimeout(() => page && change({ bubbles: page.bubbles.filter((one) => one !== said) }), lasts(text));
  }
}

/** A move was made. What it brought comes after its word, and else is there already. @param {number} number of its event */
function acked(number) {
  if (!page || page.view.number < number) return;
  change({ sent: connection.pending() });
  goOn(page);
}

/** The line was cut so many tries ago, or is back. @param {number} lost */
function line(lost) {
  if (!page && lost) alone(ofLine(lost, page));
  if (!page || page.lost === lost) return;
  if (ofLine(lost, page) !== ofLine(page.lost, page)) speak("voice", ofLine(lost, page));
  change({ lost, found: !lost, rest: [] }); // what was chosen together goes no further: nobody knows what has come of it
  if (!lost) setTimeout(() => change({ found: false }), GLAD);
  else if (lost % FAR === 0) wayBack(page.view.table).then((left) => page?.lost && change({ left }));
}

/** All that a page can say where it has no view to show, and a way on. @param {string} text @param {string} [to] @param {string} [name] */
const alone = (text, to = "/", name = "other_game") =>
  render(html`<p class="banner" role="alert">${text} <a href=${to}>${words(name)}</a></p>`, root);

/** What its reader has begun goes on while others move, and what was said of it stands, as long as the choices are the same. @param {View} view */
function begun({ scene }) {
  const old = page?.view.scene;
  if (!page || !old || !scene || stage(scene) !== stage(old) || JSON.stringify(scene.choices) !== JSON.stringify(old.choices)) return {};
  return Object.fromEntries(Object.entries(page).filter(([name]) => name in IDLE));
}

/** What is said of a view stands until a later one comes: a refusal is in sight when that comes which it was about. @param {number} number */
function standing(number) {
  const { remark = null } = page ?? {};
  return remark?.number === undefined ? {} : { remark: remark.number < number ? null : remark };
}

// ---------------------------------------------------------------- begin

/** The rulebook, at a paragraph or at the one in force. @param {string | null} [rule] */
function rules(rule = null) {
  turnTo(rule ?? page?.view.scene?.rule ?? null);
  acts.open("rules");
}

render(regions(), document.body);
listen();
single(() => `${page?.view.number} ${page?.armed}`);
ruleLinks(rules);
apply();
keyboard(() => page, acts, letters(acts, rules));
draggable(root, {
  ...acts,
  arrange: (key, before) => acts.arrange(moved(inHand(), key, before)),
});
document.addEventListener("visibilitychange", () => {
  saw(page?.view);
  if (document.hidden || !page) return draw(); // the screen may go off
  if (page.missed) speak("voice", words("missed", { n: page.missed }));
  hush(page.view.table.code);
  page = { ...page, called: "" };
  unfold();
});
addEventListener("resize", () => (spread(), scrollable()));
tick((n) => speak("call", words("clock_warning", { n })));

const address = socketAt(`/t/${code}/socket`);
address.search = `?lang=${language}${screen === undefined ? "" : "&screen"}`;
/** @type {import("./connection.js").Listener} */
const listener = {
  view: receive,
  refused: (refused, said) => {
    if (!page) alone(refused.words);
    if (said?.text) keepWords(said.text);
    if (said?.type === "hint") pondered = "";
    const calling = page?.calling || isCalled(page?.view.scene, said?.move ?? ""); // the word goes with the next try, too
    change({ sent: connection.pending(), rest: said && said.type !== "move" ? page?.rest ?? [] : [], calling });
    refuse({ words: refused.words, rule: refused.rule, number: refused.number });
  },
  hint(move, why) {
    if (!page) return;
    const now = question(page.view);
    const found = pondered === now && hinted(page.view, move, why);
    const anew = pondered && pondered !== wished && wished === now; // asked while that of an earlier question was thought out
    pondered = "";
    if (!found) return void (anew && acts.hint());
    change({ ...IDLE, selected: found.selected });
    acts.say(found.remark);
  },
  acked,
  lost: line,
};
const connection =
  lesson ? new (await import("./lesson.js")).Lesson({ ...listener, begun: () => void (page = null) }) : new Connection(address.href, listener);
