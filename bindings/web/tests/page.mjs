// A page with the package, served and opened in Chromium as a browser of a user would.

import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, normalize } from "node:path";

const { WEB_PACKAGE: PACKAGE, WEB_VOICES: VOICES, WEB_TOOLS: TOOLS } = process.env;
const { chromium } = createRequire(join(TOOLS, "package.json"))("playwright-core");

const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" };

/** Where Debian, Ubuntu and others put it. */
const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Serves the package and the voices. `change` may answer a request for the voices itself. */
export async function serve({ isolated = false, change } = {}) {
  const requests = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    requests.push({ path, range: request.headers.range });
    const headers = isolated
      ? { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" }
      : {};
    if (path === "/") {
      // What a page has to allow: its own scripts, and WebAssembly.
      headers["Content-Security-Policy"] = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
      response.writeHead(200, { ...headers, "Content-Type": "text/html" });
      return response.end("<!doctype html><title>libspeech</title>");
    }
    if (path === "/voices.tar.gz") {
      if (change?.(request, response) === true) return;
      return send(response, request, VOICES, { ...headers, "Content-Type": "application/gzip" });
    }
    if (path === "/favicon.ico") return response.writeHead(204).end();
    const file = join(PACKAGE, normalize(path));
    if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    return send(response, request, file, { ...headers, "Content-Type": TYPES[extname(file)] ?? "text/plain" });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://localhost:${server.address().port}/`, requests, close };
}

function send(response, request, file, headers) {
  const size = statSync(file).size;
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
  const partial = from > 0 ? { "Content-Range": `bytes ${from}-${size - 1}/${size}` } : {};
  response.writeHead(from > 0 ? 206 : 200, { ...headers, ...partial, "Content-Length": size - from });
  createReadStream(file, { start: from }).pipe(response);
}

/** Starts the browser; fails where there is none. */
export async function browser() {
  const executablePath = process.env.CHROMIUM ?? BROWSERS.find((path) => existsSync(path));
  if (executablePath === undefined) {
    throw new Error("Chromium is needed: install it (Debian: apt-get install chromium), or set CHROMIUM to its path");
  }
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--autoplay-policy=no-user-gesture-required"] });
}

/** Opens a page in which `load(options)` loads an engine from the server. */
export async function open(context, server) {
  const page = await context.newPage();
  page.on("pageerror", (error) => console.error("page:", error.message));
  page.on("console", (message) => message.type() === "error" && console.error("console:", message.text()));
  await page.goto(server.url);
  await page.evaluate(async () => {
    globalThis.speech = await import("/lib/index.js");
    globalThis.load = (options) => speech.Engine.load({ voices: "/voices.tar.gz", ...options });
    /** What a promise was rejected with, as plain values. */
    globalThis.failure = (promise) =>
      promise.then(
        () => undefined,
        ({ name, code, detail, message, advice }) => ({ name, code, detail, message, advice }),
      );
  });
  return page;
}
