// A page with the package, served and opened in Chromium like in a user's browser. CHROMIUM is the
// path of the browser.

import { EventEmitter } from "node:events";
import { createReadStream, existsSync, statSync } from "node:fs";
import { test } from "node:test";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, normalize } from "node:path";

const { WEB_PACKAGE: PACKAGE, WEB_VOICES, WEB_VOICES_LIGHT, WEB_TOOLS: TOOLS } = process.env;
/** The packages installed for the tests. */
export const tools = createRequire(join(TOOLS, "package.json"));
const { chromium } = tools("playwright-core");

const TYPES = {
  ".css": "text/css",
  ".gz": "application/gzip",
  ".html": "text/html",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

const VOICES_PATH = /\/(voices|libspeech-voices-compact|libspeech-voices-light)\.tar\.gz$/;
/** The voice files by path. */
export const voicesOf = (path) => (path.includes("light") ? WEB_VOICES_LIGHT : WEB_VOICES);

/**
 * Serves the package, the voices and an empty page; or another folder, under a path. `change` may
 * answer requests for the voices itself, `instead` replaces files, and `texts` contains scripts and
 * pages by path. Data posted by a page is an event of `posted`.
 */
export async function serve({ isolated = false, change, folder, base = "/", instead = {}, texts = {} } = {}) {
  const requests = [];
  const posted = new EventEmitter();
  const server = createServer((request, response) => {
    if (request.method === "POST") {
      request.toArray().then((parts) => posted.emit("posted", Buffer.concat(parts).toString()));
      return response.writeHead(204).end();
    }
    const asked = new URL(request.url, "http://localhost").pathname;
    const path = instead[asked] ?? asked;
    requests.push({ path, method: request.method, range: request.headers.range });
    const headers = isolated
      ? { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" }
      : {};
    if (VOICES_PATH.test(path) && request.method === "GET" && change?.(request, response) === true) return;
    // The minimum that a page must allow: its own scripts, and WebAssembly.
    headers["Content-Security-Policy"] = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
    if (path === "/" && folder === undefined) {
      response.writeHead(200, { ...headers, "Content-Type": "text/html" });
      return response.end("<!doctype html><title>libspeech</title>");
    }
    if (texts[path] !== undefined) {
      if (path.endsWith(".html")) delete headers["Content-Security-Policy"];
      response.writeHead(200, { ...headers, "Content-Type": TYPES[extname(path)] });
      return response.end(texts[path]);
    }
    if (VOICES_PATH.test(path) && folder === undefined) {
      return send(response, request, voicesOf(path), { ...headers, "Content-Type": "application/gzip" });
    }
    if (path === "/favicon.ico") return response.writeHead(204).end();
    const inside = path.startsWith(base) ? path.slice(base.length) || "index.html" : "none";
    const file = join(folder ?? PACKAGE, normalize(folder === undefined ? inside.replace(/^libspeech\//, "") : inside));
    if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    return send(response, request, file, { ...headers, "Content-Type": TYPES[extname(file)] ?? "text/plain" });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://localhost:${server.address().port}/`, requests, posted, close };
}

function send(response, request, file, headers) {
  const size = statSync(file).size;
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
  const partial = from > 0 ? { "Content-Range": `bytes ${from}-${size - 1}/${size}` } : {};
  response.writeHead(from > 0 ? 206 : 200, { ...headers, ...partial, "Content-Length": size - from });
  if (request.method === "HEAD") return response.end();
  createReadStream(file, { start: from }).pipe(response);
}

/** Lets a page play audio without a click. */
export const AUTOPLAY = "--autoplay-policy=no-user-gesture-required";

const program = (args) => ({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", ...args] });

/** Starts the browser. */
export function browser(args = [AUTOPLAY]) {
  return chromium.launch(program(args));
}

/** Starts the browser with a profile in a folder. */
export function profiled(folder, args = [AUTOPLAY], options = {}) {
  return chromium.launchPersistentContext(folder, { ...program(args), ...options });
}

/** Runs a test in a page of its own. */
export function inPage(name, started, options, body) {
  test(name, async () => {
    const server = await serve(options);
    const context = await started().newContext();
    try {
      await body(await open(context, server), server, context);
    } finally {
      await context.close();
      await server.close();
    }
  });
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
    globalThis.loadLight = (options) => load({ voices: "/libspeech-voices-light.tar.gz", bundle: "light", ...options });
    /** The rejection of a promise, as plain values. */
    globalThis.failure = (promise) =>
      promise.then(
        () => undefined,
        ({ name, code, detail, message, advice }) => ({ name, code, detail, message, advice }),
      );
  });
  return page;
}
