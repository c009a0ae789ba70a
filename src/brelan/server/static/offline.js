/** The page without a line: it looks whether the house is there again, and then gives way to the page that was asked for. */

const PAUSE = 3000; // milliseconds between two looks
const LOOK = 8000; // for one: a network that takes what is asked and never answers would keep all the lines that a browser opens

let next = setTimeout(look, PAUSE);

async function look() {
  clearTimeout(next);
  const answer = await fetch("/health", { cache: "no-store", signal: AbortSignal.timeout?.(LOOK) }).catch(() => null);
  if (!answer?.ok) return void (next = setTimeout(look, PAUSE));
  if (location.pathname === "/offline") location.replace("/");
  else location.reload();
}

addEventListener("online", look);
