// What is amiss in a picture of a page, as sentences: run in the page, it looks at where everything came to stand.
() => {
  const found = [];
  const felt = document.querySelector(".felt");
  const all = (chosen, within = document) => [...within.querySelectorAll(chosen)];
  const box = (thing) => thing.getBoundingClientRect();
  const name = (thing) =>
    (thing.closest("[data-zone]")?.dataset.zone ?? "") + "." + String(thing.className.baseVal ?? thing.className).split(" ")[0] +
    ` “${(thing.ariaLabel || thing.innerText || "").trim().slice(0, 28)}”`;
  /** Drawn at all: not what only a reader hears. */
  const seen = (thing) => {
    const { width, height } = box(thing);
    return width > 2 && height > 2 && !thing.closest(".spoken, dialog") && getComputedStyle(thing).clipPath === "none" &&
      thing.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  };
  const ended = Boolean(document.querySelector(".result"));
  /** All hands open: they are as many as they are, and the felt scrolls. */
  const open = Boolean(document.querySelector(".felt.open"));
  const bottom = (thing) => Math.min(box(thing).bottom, open && felt.contains(thing) ? box(felt).bottom : Infinity);

  // nothing scrolls that should not
  if (document.documentElement.scrollWidth > innerWidth) found.push(`scrolls sideways by ${document.documentElement.scrollWidth - innerWidth}`);
  if (felt && felt.scrollWidth > felt.clientWidth + 1) found.push(`felt scrolls sideways by ${felt.scrollWidth - felt.clientWidth}`);
  if (felt && !ended && !open && felt.scrollHeight > felt.clientHeight + 1) found.push(`felt scrolls by ${felt.scrollHeight - felt.clientHeight}`);
  if (felt && !ended && document.documentElement.scrollHeight > innerHeight + 1) found.push(`page scrolls by ${document.documentElement.scrollHeight - innerHeight}`);
  for (const part of all(".choices, .bar")) {
    if (seen(part) && part.scrollHeight > part.clientHeight + 2 && /auto|scroll/.test(getComputedStyle(part).overflowY)) found.push(`${name(part)} scrolls by ${part.scrollHeight - part.clientHeight}`);
  }

  // the own hand and the bar are on the screen
  for (const thing of all("[data-hand] .card, .bar .plate, .bar .button, .heading button, .heading h1")) {
    const { left, right, top, bottom } = box(thing);
    const most = thing.matches("[data-hand] .card") ? 9 : 1; // a card at the end of the fan is turned a little
    if (seen(thing) && (left < -most || right > innerWidth + most || top < -1 || bottom > innerHeight + most)) found.push(`off the screen: ${name(thing)}`);
  }

  // no words are cut: neither by dots nor by an edge
  for (const thing of all("h1, h2, h3, p, span, button, a, li, dt, dd, th, td, label, small, b, code, summary, legend")) {
    if (!seen(thing) || !thing.innerText?.trim() || thing.matches(".card, .card *")) continue;
    const { overflowX, overflowY } = getComputedStyle(thing);
    const cut = (overflowX !== "visible" && thing.scrollWidth > thing.clientWidth + 1) || (/hidden|clip/.test(overflowY) && thing.scrollHeight > thing.clientHeight + 3);
    if (cut && thing.clientWidth && getComputedStyle(thing).display !== "inline" && !thing.closest(".scroll")) found.push(`cut: ${name(thing)}`);
  }

  // one sees of each card the corner with what it is
  for (const card of all("[data-hand] .card, .felt .zone .card")) {
    if (!seen(card) || !card.querySelector(".corner")) continue;
    const { left, top, width, height } = box(card);
    const [x, y] = [left + width * .13, top + height * .13];
    if (x < 0 || y < 0 || x > innerWidth || y > innerHeight || y > bottom(card)) continue; // where the felt may scroll, that is said above
    const there = document.elementFromPoint(x, y);
    if (there && !card.contains(there) && !there.closest(".aim, .notices, .card") && !ended) found.push(`covered: ${name(card)} by ${name(there)}`);
    if (there?.closest(".card") && there.closest(".card") !== card) found.push(`covered by a card: ${name(card)}`);
  }

  // nothing lies on anything else, but a badge on its own cards
  const badge = (one, other) => getComputedStyle(one).position === "absolute" && one.matches(".caption") && one.parentElement === other.parentElement;
  const parts = all(".hand .fan, .felt .plate, .felt .lie, .felt .caption, .felt .notes, .bar .plate, .bar .prompt, .bar .button, .heading h1, .heading nav, .heading .last, .laid h3, .laid .note")
    .filter(seen)
    .map((thing) => [thing, box(thing)]);
  parts.forEach(([one, a], i) => {
    for (const [other, b] of parts.slice(i + 1)) {
      if (one.contains(other) || other.contains(one) || badge(one, other) || badge(other, one)) continue;
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(bottom(one), bottom(other)) - Math.max(a.top, b.top);
      if (wide > 3 && high > 3) found.push(`overlap ${Math.round(wide)}×${Math.round(high)}: ${name(one)} and ${name(other)}`);
    }
  });

  // what is tapped is large enough, unless it stands in a sentence
  for (const thing of all("button, a, summary, input, select")) {
    if (!seen(thing) || (thing.matches("a") && getComputedStyle(thing).display === "inline")) continue;
    const { width, height } = box(thing);
    if (width < 23.5 || height < 23.5) found.push(`small: ${name(thing)} ${Math.round(width)}×${Math.round(height)}`);
  }
  return [...new Set(found)];
}
