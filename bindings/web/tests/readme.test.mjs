// The programs of the README, run in the browser.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";

import { browser, serve } from "./page.mjs";

const README = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const MANIFEST = JSON.parse(readFileSync(new URL("projects/extension/manifest.json", import.meta.url), "utf8"));

/** The blocks of a kind. */
const blocks = (kind) => [...README.matchAll(new RegExp(`^\`\`\`${kind}\n(.*?)^\`\`\`$`, "gms"))].map(([, block]) => block);

let chromium;
before(async () => {
  chromium = await browser();
});
after(() => chromium?.close());

/** Runs code in a page, and returns its output. */
async function printed(texts, run) {
  const server = await serve({ texts });
  const context = await chromium.newContext();
  try {
    const page = await context.newPage();
    const lines = [];
    page.on("console", (message) => {
      // Messages of the page itself, such as for a missing file.
      if (message.type() === "log") lines.push(message.text());
    });
    await run(page, server);
    return lines;
  } finally {
    await context.close();
    await server.close();
  }
}

/** The output of a program. */
const output = (program) =>
  printed({ "/program.js": program.replaceAll('"libspeech-sdk-web"', '"/lib/index.js"') }, async (page, server) => {
    await page.goto(server.url);
    await page.evaluate(() => import("/program.js"));
  });

for (const [index, program] of blocks("js").entries()) {
  test(`program ${index + 1}`, async () => {
    const promises = [...program.matchAll(/console\.log\(.*\); \/\/ (.+)$/gm)].map(([, promise]) => promise);
    const lines = await output(program);
    assert.deepEqual(promises.filter((promise) => !lines.includes(promise)), [], lines.join("\n"));
  });
}

test("the words of the player are told", async () => {
  const program = blocks("js").find((block) => block.includes("onWord"));
  assert.deepEqual(await output(program), ["First", "this", "Then", "that", "true"]);
});

test("the whole page speaks", async () => {
  const [html] = blocks("html");
  // Its last step closes the player.
  const spy = html.replace("await player.close();", "await player.close(); console.log(player.heard > 1);");
  assert.notEqual(spy, html);
  const lines = await printed({ "/page.html": spy }, async (page, server) => {
    await page.goto(`${server.url}page.html`);
    const said = page.waitForEvent("console", { predicate: (message) => message.type() === "log", timeout: 120_000 });
    await page.click("button");
    await said;
  });
  assert.deepEqual(lines, ["true"]);
});

test("every block is of a kind that is tested", () => {
  const kinds = [...README.matchAll(/^```(.*)$/gm)].map(([, kind]) => kind);
  assert.deepEqual(new Set(kinds.filter((_, index) => index % 2 === 0)), new Set(["console", "js", "html"]));
  assert.deepEqual(new Set(kinds.filter((_, index) => index % 2 === 1)), new Set([""]));
  assert.deepEqual(blocks("console"), ["$ npm install libspeech-sdk-web\n"]);
  assert.equal(blocks("html").length, 1);
});

test("it states what is so", () => {
  assert.ok(README.includes(MANIFEST.content_security_policy.extension_pages));
  const { WEB_VOICES, WEB_VOICES_LIGHT } = process.env;
  for (const [bundle, file] of Object.entries({ compact: WEB_VOICES, light: WEB_VOICES_LIGHT })) {
    const size = Math.round(readFileSync(file).length / 1e6);
    assert.match(README, new RegExp(`libspeech-voices-${bundle}.tar.gz\`, ${size} MB`));
  }
});
