// A bot for gin in JavaScript: it keeps what lies close together, and throws the dearest card that does not.
//
//     brelan bot-check "node docs/examples/bot.mjs" --game gin
import { createInterface } from "node:readline";

const ORDER = "A23456789TJQK";
const rank = (card) => ORDER.indexOf(card[0]);
const say = (said) => process.stdout.write(JSON.stringify(said) + "\n");

/** How many other cards of the hand a card goes with: the same rank, or its neighbours of the same suit. */
const company = (card, hand) => hand.filter((other) => other !== card &&
  (rank(other) === rank(card) || (other[1] === card[1] && Math.abs(rank(other) - rank(card)) <= 2))).length;

/** Gin if it goes, else a knock, else throw the loneliest and dearest card, else take what has company, else draw. */
function choose({ legal, zones, seat }) {
  const hand = zones[`hand:${seat}`];
  const ends = legal.filter((move) => move.startsWith("gin") || move.startsWith("knock"));
  if (ends.length) return ends.sort()[0];
  const throws = legal.filter((move) => move.startsWith("discard "));
  const worth = (move) => 20 * company(move.slice(8), hand) - rank(move.slice(8));
  if (throws.length) return throws.sort((a, b) => worth(a) - worth(b))[0];
  const up = zones.discards.at(-1);
  if (legal.includes("take") && up && company(up, hand) > 1) return "take";
  return legal.find((move) => move !== "take") ?? legal[0];
}

for await (const line of createInterface({ input: process.stdin })) {
  const said = JSON.parse(line);
  if (said.type === "hello") say({ type: "hello", name: "company", version: "1", games: ["gin"] });
  else if (said.type === "ask") say({ type: "move", id: said.id, move: choose(said) });
  else if (said.type === "bye") process.exit();
}
