/** Times that the house wrote by its own clock, as the clock here has them: it may stand in another country. */

const written = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
for (const time of document.querySelectorAll("time")) time.textContent = written.format(new Date(time.dateTime));
