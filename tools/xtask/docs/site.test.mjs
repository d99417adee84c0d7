// Tests the site in Chromium. DOCS_SITE is its folder, DOCS_PICTURES the folder for screenshots,
// and CHROMIUM the path of the browser.

import assert from "node:assert/strict";
import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, normalize } from "node:path";
import { after, before, test } from "node:test";

import { chromium } from "playwright-core";

const { DOCS_SITE: SITE, DOCS_PICTURES: PICTURES } = process.env;
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const PAGES = [
  "index.html",
  "hear.html",
  "start/python.html",
  "start/node.html",
  "start/jvm.html",
  "start/rust.html",
  "start/c.html",
  "start/cpp.html",
  "start/swift.html",
  "start/web.html",
  "start/service.html",
  "start/command-line.html",
  "reading.html",
  "streaming.html",
  "how/words.html",
  "how/sounds.html",
  "how/vocoder.html",
  "benchmarks.html",
  "comparison.html",
  "licences.html",
  "reference.html",
  "reference/c.html",
];

/** The pages for screenshots. */
const PICTURED = ["index.html", "hear.html", "start/python.html", "benchmarks.html", "comparison.html", "how/vocoder.html", "reference/c.html"];

/** The pages whose screenshots show only the beginning. */
const LONG = ["start/python.html", "reference/c.html"];

/** The links of the first page. */
const LANGUAGES = ["python", "node", "jvm", "rust", "c", "cpp", "swift", "web", "service", "command-line"];

const TYPES = {
  ".html": "text/html",
  ".css": "text/css",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".mp3": "audio/mpeg",
  ".txt": "text/plain",
};

/** Serves the site, including byte ranges, which audio players request. */
const server = createServer((request, response) => {
  let path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
  if (path.endsWith("/")) path += "index.html";
  const file = join(SITE, normalize(path));
  if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
  const headers = { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream", "Accept-Ranges": "bytes" };
  const size = statSync(file).size;
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
  if (from === undefined) {
    response.writeHead(200, { ...headers, "Content-Length": size });
    return createReadStream(file).pipe(response);
  }
  const end = Math.min(to ? Number(to) : size - 1, size - 1);
  headers["Content-Range"] = `bytes ${from}-${end}/${size}`;
  response.writeHead(206, { ...headers, "Content-Length": end - from + 1 });
  createReadStream(file, { start: Number(from), end }).pipe(response);
});

let browser;
let url;

before(async () => {
  // Chromium's sandbox does not work for root; the browser opens only our own site.
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://localhost:${server.address().port}/`;
});

after(async () => {
  await browser?.close();
  server.closeAllConnections();
  server.close();
});

/** Opens a page of the site and records its errors. */
async function open(width, colorScheme) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("response", (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith("data:")) faults.push(`it asks for ${request.url()}`);
  });
  return { context, page, faults };
}

for (const width of [360, 1280]) {
  for (const scheme of ["light", "dark"]) {
    test(`${width} pixels, ${scheme}`, { timeout: 600_000 }, async () => {
      const { context, page, faults } = await open(width, scheme);
      const found = [];
      for (const path of PAGES) {
        await page.goto(url + path);
        await page.evaluate(AXE);
        const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
        for (const { id, nodes } of violations) {
          found.push(`${path}: ${id}: ${nodes.length}: ${nodes.slice(0, 3).map(({ html, any }) => `${html.slice(0, 160)} ${any[0]?.message ?? ""}`).join(" | ")}`);
        }
        const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        if (over > 0) found.push(`${path}: it is ${over} pixels wider than the window`);
        const dark = await page.evaluate(() => {
          const [red, green, blue] = getComputedStyle(document.documentElement).backgroundColor.match(/[\d.]+/g).map(Number);
          return red + green + blue < 384;
        });
        if (dark !== (scheme === "dark")) found.push(`${path}: it is ${dark ? "dark" : "light"}`);
        if (PICTURED.includes(path)) {
          const name = path.replace(/\.html$/, "").replaceAll("/", "-");
          await page.screenshot({ path: join(PICTURES, `${name}-${width}-${scheme}.png`), fullPage: !LONG.includes(path) });
        }
      }
      await context.close();
      assert.deepEqual([...found, ...faults], []);
    });
  }
}

test("every language is one click away", { timeout: 120_000 }, async () => {
  for (const width of [360, 1280]) {
    const { context, page, faults } = await open(width, "light");
    for (const language of LANGUAGES) {
      await page.goto(url);
      const link = page.locator(`main a[href="start/${language}.html"]`).first();
      assert.ok(await link.isVisible(), `${language} at ${width}`);
      await link.click();
      await page.waitForURL(`**/start/${language}.html`);
      assert.ok((await page.locator("main h1").first().innerText()).length > 0);
    }
    assert.deepEqual(faults, []);
    await context.close();
  }
});

test("the contents are opened by the keyboard", { timeout: 120_000 }, async () => {
  const { context, page, faults } = await open(360, "light");
  await page.goto(url);
  const link = page.locator("#mdbook-sidebar a", { hasText: "Text normalization" });
  assert.equal(await link.isVisible(), false);
  await page.locator("#mdbook-sidebar-toggle").press("Enter");
  await link.waitFor({ state: "visible" });
  await link.click();
  await page.waitForURL("**/reading.html");
  assert.deepEqual(faults, []);
  await context.close();
});

test("the samples can be played", { timeout: 300_000 }, async () => {
  const { context, page, faults } = await open(1280, "light");
  let count = 0;
  for (const path of ["index.html", "hear.html"]) {
    await page.goto(url + path);
    const samples = await page.locator("audio").evaluateAll((all) =>
      Promise.all(
        all.map(
          (audio) =>
            new Promise((resolve) => {
              const done = () => resolve({ src: audio.src, duration: audio.duration, error: audio.error?.message ?? null });
              audio.addEventListener("loadedmetadata", done);
              audio.addEventListener("error", done);
              audio.preload = "metadata";
              audio.load();
            }),
        ),
      ),
    );
    count += samples.length;
    const silent = samples.filter(({ duration, error }) => error !== null || !(duration > 0.5 && duration < 60));
    assert.deepEqual(silent, []);
  }
  assert.ok(count > 30, `${count} samples`);
  // Playing a sample stops the previous one.
  await page.locator("audio").nth(0).evaluate((audio) => audio.play());
  await page.locator("audio").nth(1).evaluate((audio) => audio.play());
  await page.waitForFunction(() => document.querySelector("audio").paused);
  assert.deepEqual(faults, []);
  await context.close();
});
