/** Lets this device keep the house's worker (worker.js), where its browser has such a thing: over a safe line only. */

if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register("/worker.js").catch(() => null); // a private window may refuse: all goes on without it
}
