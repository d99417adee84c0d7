// Applications that Vite and webpack build with the package as npm installs it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

import { browser, serve, tools } from "./page.mjs";

const { WEB_PACKED: PACKED, WEB_VOICES: VOICES } = process.env;
const PROJECTS = fileURLToPath(new URL("./projects/", import.meta.url));

let chromium;
let projects;
before(async () => {
  chromium = await browser([]);
  projects = mkdtempSync(join(tmpdir(), "libspeech-web-"));
  cpSync(PROJECTS, projects, { recursive: true });
  for (const name of ["vite", "webpack"]) cpSync(join(projects, "main.js"), join(projects, name, "main.js"));
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  execFileSync(npm, ["install", "--offline", "--no-audit", "--no-fund", PACKED], { cwd: projects, stdio: "pipe" });
});
after(async () => {
  await chromium?.close();
  if (projects !== undefined) rmSync(projects, { recursive: true, force: true });
});

/** Presses the button of a page, and returns its output. */
async function spoken(url) {
  const context = await chromium.newContext();
  try {
    const page = await context.newPage();
    page.on("pageerror", (error) => console.error("page:", error.message));
    page.on("console", (message) => {
      if (message.type() === "error" && !message.location().url.endsWith("favicon.ico")) console.error("console:", message.text());
    });
    await page.goto(url);
    await page.click("button");
    await page.waitForFunction(() => document.querySelector("output").value !== "", undefined, { timeout: 120_000 });
    return JSON.parse(await page.locator("output").textContent());
  } finally {
    await context.close();
  }
}

async function builtSpeaks(folder, isolated) {
  cpSync(VOICES, join(folder, "voices.bin"));
  const server = await serve({ folder, base: "/app/", isolated });
  try {
    const { words, module, threads, ...failure } = await spoken(`${server.url}app/`);
    assert.deepEqual(failure, {});
    assert.deepEqual(words, ["It", "costs", "$4.50", "Then", "she", "left"]);
    assert.equal(module, isolated ? "threads" : "relaxed");
    assert.equal(threads > 1, isolated);
  } finally {
    await server.close();
  }
}

/** The main module of a tool. */
const tool = async (name, entry) => import(pathToFileURL(join(dirname(tools.resolve(`${name}/package.json`)), entry)));

test("Vite builds it", async () => {
  const { build } = await tool("vite", "dist/node/index.js");
  const root = join(projects, "vite");
  await build({ root, logLevel: "warn" });
  for (const isolated of [false, true]) await builtSpeaks(join(root, "dist"), isolated);
});

test("the development server of Vite gives it", async () => {
  const { createServer } = await tool("vite", "dist/node/index.js");
  const root = join(projects, "vite");
  cpSync(VOICES, join(root, "public", "voices.bin"));
  const server = await createServer({ root, logLevel: "warn", server: { port: 0, host: "127.0.0.1" } });
  try {
    await server.listen();
    const { words, ...rest } = await spoken(`http://localhost:${server.httpServer.address().port}/`);
    assert.equal(words?.length, 6, JSON.stringify(rest));
  } finally {
    await server.close();
  }
});

test("webpack builds it", async () => {
  const { default: webpack } = await tool("webpack", "lib/index.js");
  const root = join(projects, "webpack");
  const config = tools(join(root, "webpack.config.cjs"));
  const stats = await new Promise((resolve, reject) => {
    webpack({ ...config, context: root, output: { path: join(root, "dist") } }, (error, stats) =>
      error ? reject(error) : resolve(stats),
    );
  });
  assert.equal(stats.hasErrors() || stats.hasWarnings(), false, stats.toString());
  cpSync(join(root, "index.html"), join(root, "dist", "index.html"));
  for (const isolated of [false, true]) await builtSpeaks(join(root, "dist"), isolated);
});
