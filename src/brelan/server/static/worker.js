/**
 * Stands between the pages and the network. It keeps the house's own files by the build they are of, so that a page
 * opens at once, and a page that says what is so while there is no line. Tables, records, whatever is personal and
 * whatever the API answers go straight to the house and are never kept.
 */

const BUILD = ""; // the house writes its own here
const KEPT = `brelan ${BUILD}`;
const OFFLINE = "/offline";
const FIRST = [OFFLINE, "/static/offline.js", "/static/theme.js", "/static/brelan.css", "/static/linen.svg", "/static/icon.svg"];
const SLOW = 15000; // milliseconds for a page: some networks take what is asked and never answer
const NOBODY = [502, 503, 504, 520, 521, 522, 523, 524, 530]; // what a proxy answers for a house that is not there; from 520, Cloudflare's

const worker = /** @type {any} */ (self); // a ServiceWorkerGlobalScope, which the types of pages do not know

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(begin()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(clear()));
worker.addEventListener("message", (/** @type {any} */ event) => event.waitUntil(call(event.data)));
worker.addEventListener("notificationclick", (/** @type {any} */ event) => event.waitUntil(come(event.notification)));

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  /** @type {Request} */
  const request = event.request;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(event));
  else if (pathname.startsWith("/static/")) event.respondWith(file(event));
});

/**
 * Keep what is needed without a line, and take over from the worker of an older build. While a house is renewed its old
 * processes answer too: then this fails, and the browser tries again with a later page.
 */
async function begin() {
  const cache = await caches.open(KEPT);
  for (const path of FIRST) {
    const request = new Request(path, { cache: "no-cache" }); // the page has just fetched most of it: the house says that it is the same
    const answer = await fetch(request);
    if (!isOwn(answer)) throw new Error(`${path} is of another build`);
    await cache.put(request, answer);
  }
  await worker.skipWaiting();
}

/** Whether a file came, and is of this build. @param {Response} answer */
const isOwn = (answer) => answer.status === 200 && answer.headers.get("brelan-build") === BUILD;

/** Nothing of another build stays; and no page waits, where the browser can ask for it meanwhile, until the worker is awake. */
async function clear() {
  for (const name of await caches.keys()) if (name !== KEPT) await caches.delete(name);
  await worker.registration.navigationPreload?.enable();
  await worker.clients.claim();
}

/** A page comes from the house, or says that there is no line. @param {any} event */
async function page({ request, preloadResponse }) {
  const early = Promise.resolve(preloadResponse); // what the browser asked for itself
  const asked = early.then((answer) => answer ?? fetch(request)).catch(() => null);
  const answer = await soon(asked);
  const build = answer?.headers.get("brelan-build"); // the house's own answers have one, those of a proxy have none
  if (!answer || (!build && NOBODY.includes(answer.status))) return (await caches.match(OFFLINE).catch(() => null)) ?? (await asked) ?? Response.error();
  if (answer.status === 401 && !build) return direct();
  if (build && build !== BUILD) await caches.delete(KEPT).catch(() => false); // a page of another build is never mixed with these files
  return answer;
}

/** What comes of it, null where nothing has for so long. @param {Promise<any>} asked */
function soon(asked) {
  let late = 0;
  const pause = new Promise((done) => (late = setTimeout(done, SLOW, null)));
  return Promise.race([asked, pause]).finally(() => clearTimeout(late));
}

/**
 * A proxy asks for its password: browsers ask their reader for it only where no worker stands between. The page is asked
 * for once more without one, and the house's next page brings it back (install.js).
 */
async function direct() {
  await worker.registration.unregister();
  return new Response('<!doctype html><meta http-equiv="refresh" content="0">', { headers: { "content-type": "text/html" } });
}

/**
 * A file of this build is fetched once; one of another is never kept for it. The page does not wait until it is written;
 * a device's store that does not work keeps nothing, and takes nothing away. @param {any} event
 */
async function file(event) {
  /** @type {Request} */
  const request = event.request;
  const cache = await caches.open(KEPT).catch(() => null);
  const kept = await cache?.match(request, { ignoreVary: true }).catch(() => null);
  if (kept) return kept;
  const answer = await fetch(request);
  if (cache && isOwn(answer)) event.waitUntil(cache.put(request, answer.clone()).catch(() => null)); // where there is no room, it comes from the house each time
  return answer;
}

/** The pages at a table, that on the wall left out: it is nobody's own. @param {string} table its address @returns {Promise<any[]>} */
async function pagesAt(table) {
  const pages = await worker.clients.matchAll({ type: "window" });
  return pages.filter((/** @type {{ url: string }} */ { url }) => url.startsWith(table) && !new URL(url).searchParams.has("screen"));
}

/**
 * A page calls its reader, who may have the table before their eyes in another. What is new takes the place of the
 * table's last notice aloud; what several pages say, only once. @param {{ title: string, body: string, tag: string, data: string }} said
 */
async function call({ title, ...notice }) {
  const pages = await pagesAt(notice.data);
  if (pages.some(({ visibilityState }) => visibilityState === "visible")) return;
  const there = await worker.registration.getNotifications({ tag: notice.tag });
  const renotify = there.every((/** @type {Notification} */ { body }) => body !== notice.body);
  await worker.registration.showNotification(title, { ...notice, renotify });
}

/** Whoever touches a notice comes to its table. @param {{ data: string, close(): void }} notice */
async function come(notice) {
  notice.close();
  const [there] = await pagesAt(notice.data);
  return there ? there.focus() : worker.clients.openWindow(notice.data);
}
