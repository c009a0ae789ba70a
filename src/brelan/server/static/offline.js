/** The page without a line: it looks whether the house is there again, and then gives way to the page that was asked for. */

const PAUSE = 3000; // milliseconds between two looks

async function look() {
  const answer = await fetch("/health", { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return;
  if (location.pathname === "/offline") location.replace("/");
  else location.reload();
}

setInterval(look, PAUSE);
addEventListener("online", look);
