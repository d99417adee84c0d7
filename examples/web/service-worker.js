// Caches the page and the package for offline use. The package itself stores the voices.

const CACHE = "libspeech-page";
const PAGE = ["./", "style.css", "theme.js", "page.js", "icon.svg", "manifest.webmanifest"];

addEventListener("install", (event) => {
  skipWaiting();
  // The package's files are cached on request, because the browser determines which modules are used.
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(PAGE)));
});

addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method === "GET" && origin === location.origin && !pathname.endsWith(".tar.gz")) event.respondWith(answer(event));
});

/** The response of the network, so that all files have one version. Without a connection, the last cached response. */
async function answer(event) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(event.request);
    // A full device caches less.
    if (response.ok) event.waitUntil(cache.put(event.request, response.clone()).catch(() => undefined));
    return response;
  } catch (error) {
    const kept = await cache.match(event.request, { ignoreSearch: true });
    if (kept === undefined) throw error;
    return kept;
  }
}
