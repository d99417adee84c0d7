// An extension of the browser, with the package and the voices inside.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { profiled } from "./page.mjs";

const { WEB_PACKAGE: PACKAGE, WEB_VOICES: VOICES } = process.env;
const SOURCES = fileURLToPath(new URL("./projects/extension/", import.meta.url));

/**
 * The identifier that Chromium gives an extension that is loaded from a folder: a digest of the
 * path, in the letters a to p.
 */
function identifier(folder) {
  const digest = createHash("sha256").update(folder).digest("hex").slice(0, 32);
  return [...digest].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 16))).join("");
}

test("an extension speaks in its page", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "libspeech-web-")));
  const extension = join(folder, "extension");
  cpSync(SOURCES, extension, { recursive: true });
  cpSync(join(PACKAGE, "lib"), join(extension, "libspeech", "lib"), { recursive: true, dereference: true });
  cpSync(VOICES, join(extension, "voices.tar.gz"));
  const args = [`--disable-extensions-except=${extension}`, `--load-extension=${extension}`];
  const context = await profiled(join(folder, "profile"), args, { ignoreDefaultArgs: ["--disable-extensions"] });
  try {
    const page = await context.newPage();
    page.on("pageerror", (error) => console.error("page:", error.message));
    page.on("console", (message) => message.type() === "error" && console.error("console:", message.text()));
    await page.goto(`chrome-extension://${identifier(extension)}/page.html`);
    await page.click("button");
    await page.waitForFunction(() => document.querySelector("output").value !== "", undefined, { timeout: 120_000 });
    const said = JSON.parse(await page.locator("output").textContent());
    assert.deepEqual(said, { words: ["It", "costs", "$4.50", "Then", "she", "left"] });
  } finally {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
