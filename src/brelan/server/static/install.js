/** Lets this device keep the house's worker (worker.js), where its browser has such a thing: over a safe line only. */

/** A private window may refuse: all goes on without it. */
const install = () => navigator.serviceWorker.register("/worker.js").catch(() => null);

if ("serviceWorker" in navigator) addEventListener("load", install); // it fetches files of its own: the page's go first
