// Keeps the page and the package for visits without a connection. The voices are kept by the package itself.

const CACHE = "libspeech-page";
const PAGE = ["./", "style.css", "theme.js", "page.js", "icon.svg", "manifest.webmanifest"];

addEventListener("install", (event) => {
  skipWaiting();
  // The package's files are kept when the page asks for them: which of its modules that is depends on the browser.
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(PAGE)));
});

addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method === "GET" && origin === location.origin && !pathname.endsWith(".tar.gz")) event.respondWith(answer(event));
});

/** From the network, so that all files are of one version; without a connection, what came from there last. */
async function answer(event) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(event.request);
    // A device that is full keeps less.
    if (response.ok) event.waitUntil(cache.put(event.request, response.clone()).catch(() => undefined));
    return response;
  } catch (error) {
    const kept = await cache.match(event.request, { ignoreSearch: true });
    if (kept === undefined) throw error;
    return kept;
  }
}
