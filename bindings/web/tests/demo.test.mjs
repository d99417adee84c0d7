// The page of `examples/web`, as assembled by `cargo xtask web`, served under a path as on a
// documentation site.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { after, before, test } from "node:test";

import { browser, serve, tools, voicesOf } from "./page.mjs";

const { WEB_DEMO: DEMO } = process.env;
const AXE = readFileSync(tools.resolve("axe-core/axe.min.js"), "utf8");
const BASE = "/docs/try/";
/** The time limit on a busy machine. */
const PATIENCE = { timeout: 120_000 };

let chromium;
before(async () => {
  chromium = await browser([]);
});
after(() => chromium?.close());

/** Runs a test with the page open. */
function onPage(name, { change, ...look }, body) {
  test(name, async () => {
    const server = await serve({ folder: DEMO, base: BASE, change });
    const context = await chromium.newContext({ viewport: { width: 1280, height: 800 }, ...look });
    const problems = [];
    context.on("weberror", (error) => problems.push(error.error().message));
    context.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    context.on("request", (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol !== "blob:" && `${origin}/` !== server.url) problems.push(`${origin} was asked`);
    });
    try {
      await body(await visit(context, server), { server, context, problems });
    } finally {
      await context.close();
      await server.close();
    }
  });
}

async function visit(context, server) {
  const page = await context.newPage();
  await page.goto(server.url.slice(0, -1) + BASE);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, PATIENCE);
  return page;
}

const speakButton = (page) => page.locator("#speak");
const status = (page, text) =>
  page.waitForFunction((text) => document.querySelector("#status").textContent.startsWith(text), text, PATIENCE);
async function offered(page, offer) {
  assert.equal(await speakButton(page).textContent(), "Download and speak");
  assert.match(await page.locator("#offer").innerText(), offer);
}
const lit = (page) => page.waitForSelector("mark", { ...PATIENCE, state: "attached" });
const downloads = ({ requests }) =>
  requests.filter(({ path, method }) => path.endsWith(".tar.gz") && method === "GET").map(({ path }) => path.slice(BASE.length));
const LIGHT = "libspeech-voices-light.tar.gz";
const COMPACT = "libspeech-voices-compact.tar.gz";
const size = (name) => `${Math.round(statSync(voicesOf(name)).size / 1e6)} MB`;

/**
 * The accessibility errors that axe finds in the current page, and whether it is wider than its
 * window.
 */
async function faults(page) {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    // During a color transition the contrast is that of neither color.
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
    const { violations } = await axe.run();
    const wide = document.documentElement.scrollWidth > innerWidth ? ["wider than the window"] : [];
    return [...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target)}`), ...wide];
  });
}

onPage("a first visit downloads what it is asked to, speaks and lights words", {}, async (page, { server, problems }) => {
  await offered(page, new RegExp(`^Aria in English.*: ${size(LIGHT)}, downloaded once, with the program, up to 12 MB\\.`));
  const early = server.requests.filter(({ path, method }) => method === "GET" && /\.(wasm|gz)$/.test(path));
  assert.deepEqual(early, []);
  await page.fill("#text", "It costs $4.50. Then she left, at 5 pm.");
  await page.evaluate(() => {
    globalThis.seen = [];
    new MutationObserver(() => {
      const word = document.querySelector("mark")?.textContent;
      if (word !== undefined && seen.at(-1) !== word) seen.push(word);
    }).observe(document.querySelector("#lit"), { childList: true });
  });
  await speakButton(page).click();
  await status(page, "Finished");
  assert.deepEqual(await page.evaluate(() => seen), ["It", "costs", "$4.50", "Then", "she", "left", "at", "5 pm"]);
  assert.equal(await speakButton(page).textContent(), "Speak");
  assert.match(await page.locator("#figures").innerText(), /First sound after\s+\d+\.\d\d s/);
  await page.locator("#offline").waitFor();
  assert.equal(await page.locator("mark").count(), 0);
  const largest = Math.max(
    ...(await page.evaluate(async () => {
      const cache = await caches.open("libspeech-page");
      const kept = (await cache.keys()).filter(({ url }) => url.endsWith(".wasm"));
      return Promise.all(kept.map(async (key) => (await (await cache.match(key)).blob()).size));
    })),
  );
  assert.ok(largest <= 12.5e6, `the page says up to 12 MB of program, and it has ${largest}`);
  assert.deepEqual(downloads(server), [LIGHT]);
  assert.deepEqual(problems, []);
});

onPage("what the light voices lack is offered with the full voices", {}, async (page, { server, problems }) => {
  const quality = page.locator("[name=quality]:checked");
  const choose = (name, value) => page.check(`[name=${name}][value=${value}]`);
  const full = `All voices, in full quality: ${size(COMPACT)}, downloaded once`;
  const settings = [["voice", "leo", "aria"], ["language", "hi-IN", "en-US"], ["quality", "full", "light"]];
  for (const [name, value, usual] of settings) {
    await choose(name, value);
    assert.equal(await quality.inputValue(), "full");
    assert.equal(await page.locator("[name=quality][value=light]").isDisabled(), name !== "quality");
    await offered(page, new RegExp(`^${full}, with the program`));
    await choose(name, usual);
    assert.equal(await quality.inputValue(), "light");
    await offered(page, /^Aria in English/);
  }
  await speakButton(page).click();
  await status(page, "Finished");
  await choose("quality", "full");
  // The program is already downloaded.
  await offered(page, new RegExp(`^${full}\\.`));
  assert.deepEqual(downloads(server), [LIGHT]);
  await speakButton(page).click();
  await status(page, "Finished");
  for (const [name, value] of [["quality", "light"], ["voice", "leo"]]) {
    await choose(name, value);
    assert.equal(await speakButton(page).textContent(), "Speak");
    await speakButton(page).click();
    await status(page, "Finished");
  }
  assert.deepEqual(downloads(server), [LIGHT, COMPACT]);
  assert.deepEqual(problems, []);
});

onPage("a second visit needs no connection", {}, async (page, { server, context }) => {
  await page.click("#examples >> text=हिन्दी");
  await speakButton(page).click();
  await status(page, "Finished");
  await page.close();
  await server.close();
  const again = await visit(context, server);
  // The full voices also speak in light quality.
  assert.equal(await again.locator("[name=quality]:checked").inputValue(), "light");
  assert.equal(await speakButton(again).textContent(), "Speak");
  await speakButton(again).click();
  await status(again, "Finished");
  await again.click("#examples >> text=हिन्दी");
  assert.equal(await again.locator("#text").getAttribute("lang"), "hi-IN");
  await speakButton(again).click();
  await status(again, "Finished");
  assert.deepEqual(downloads(server), [COMPACT]);
});

let begun = 0;
onPage(
  "a download and a speech are stopped, and a word is gone on from",
  {
    change(request, response) {
      begun += 1;
      if (begun > 1) return false;
      response.writeHead(200, { "Content-Type": "application/gzip" });
      response.write(Buffer.alloc(1_000_000));
      return true;
    },
  },
  async (page) => {
    await speakButton(page).click();
    await page.waitForFunction(() => document.querySelector("#amount").textContent.startsWith("1 of"), undefined, PATIENCE);
    await page.keyboard.press("Escape");
    await status(page, "Stopped");
    assert.equal(await speakButton(page).textContent(), "Download and speak");
    await page.fill("#text", "One two three four five six seven eight nine ten, and so on for a while.");
    await speakButton(page).click();
    await lit(page);
    const { x, y } = await page.evaluate(() => {
      // The position of the word, in the copy of the text beneath it.
      const walker = document.createTreeWalker(document.querySelector("#lit"), NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const at = node.data.indexOf("nine");
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 4);
        const { x, y, width, height } = range.getBoundingClientRect();
        return { x: x + width / 2, y: y + height / 2 };
      }
      throw new Error("there is no such word");
    });
    await page.mouse.click(x, y);
    await page.waitForFunction(() => document.querySelector("mark")?.textContent === "nine", undefined, PATIENCE);
    await page.keyboard.press("Escape");
    await status(page, "Stopped");
    assert.equal(await page.locator("mark").count(), 0);
  },
);

onPage(
  "what goes wrong is said in plain words",
  {
    change(request, response) {
      response.writeHead(200, { "Content-Type": "application/gzip" });
      response.end(readFileSync(voicesOf(request.url)).fill(7, 1000, 2000));
      return true;
    },
  },
  async (page) => {
    const error = page.locator("#error");
    await page.fill("#text", " ");
    await speakButton(page).click();
    await error.waitFor(PATIENCE);
    assert.match(await error.textContent(), /nothing to speak/);
    await page.fill("#text", "Hello.");
    await speakButton(page).click();
    await page.waitForFunction(() => /damaged/.test(document.querySelector("#error").textContent), undefined, PATIENCE);
    assert.equal(await error.getAttribute("role"), "alert");
    assert.deepEqual(await faults(page), []);
  },
);

onPage("voices that the browser has cleared are asked for again", {}, async (page, { server, context }) => {
  await speakButton(page).click();
  await status(page, "Finished");
  await page.close();
  const again = await visit(context, server);
  await again.evaluate(async () => (await navigator.storage.getDirectory()).removeEntry("libspeech", { recursive: true }));
  const before = downloads(server).length;
  await speakButton(again).click();
  await again.waitForFunction(() => /removed/.test(document.querySelector("#error").textContent), undefined, PATIENCE);
  assert.equal(await speakButton(again).textContent(), "Download and speak");
  await again.waitForTimeout(500);
  assert.ok(downloads(server).length <= before + 1);
  await speakButton(again).click();
  await status(again, "Finished");
});

onPage("the keyboard does everything, and a file is saved", {}, async (page) => {
  const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.textContent);
  const order = [];
  for (let i = 0; i < 9; i++) {
    await page.keyboard.press("Tab");
    order.push(await focused());
  }
  assert.deepEqual(order, ["theme", "Morning", "Money", "Dates", "Emoji", "हिन्दी", "मिली-जुली", "text", "speak"]);
  await page.keyboard.press("Enter");
  await lit(page);
  await page.keyboard.press("Escape");
  await status(page, "Stopped");
  await page.focus("#text");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("Good evening. Good night.");
  await page.keyboard.press("Control+Enter");
  await status(page, "Finished");
  await page.focus("#rate");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.locator("output[for=rate]").textContent(), "1.05 ×");
  const saved = page.waitForEvent("download", PATIENCE);
  await page.focus("#save");
  await page.keyboard.press("Enter");
  const file = readFileSync(await (await saved).path());
  assert.equal(file.toString("latin1", 0, 4), "RIFF");
  assert.ok(file.length > 44_100, `${file.length}`);
  await page.focus("[name=voice]:checked");
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.locator("[name=voice]:checked").inputValue(), "jason");
  assert.equal(await speakButton(page).textContent(), "Download and speak");
});

test("it is served as its README says", async () => {
  const readme = readFileSync(new URL("../../../examples/web/README.md", import.meta.url), "utf8");
  const [, command] = /^```console$\n\$ cargo xtask web\n\$ (.*)\n^```$/m.exec(readme);
  const [program, ...args] = command.replace("target/web/demo", DEMO).split(" ");
  const options = { stdio: ["ignore", "pipe", "ignore"], env: { ...process.env, PYTHONUNBUFFERED: "1" } };
  const server = spawn(program, [...args, "--bind", "127.0.0.1", "0"], options);
  const context = await chromium.newContext();
  try {
    const port = await new Promise((resolve, reject) => {
      server.on("error", reject);
      server.stdout.on("data", (line) => {
        const [, port] = / port (\d+) /.exec(line) ?? [];
        if (port !== undefined) resolve(port);
      });
    });
    const page = await context.newPage();
    await page.goto(`http://localhost:${port}/`);
    await page.click("#examples >> text=Emoji");
    await speakButton(page).click();
    await status(page, "Finished");
  } finally {
    await context.close();
    server.kill();
  }
});

const LOOKS = {
  "a telephone, light": { viewport: { width: 360, height: 800 }, isMobile: true, hasTouch: true },
  "a telephone, dark": { viewport: { width: 360, height: 800 }, isMobile: true, hasTouch: true, colorScheme: "dark" },
  "a desk, light": {},
  "a desk, dark": { colorScheme: "dark" },
  "forced colours, no motion": { forcedColors: "active", reducedMotion: "reduce" },
};

for (const [name, look] of Object.entries(LOOKS)) {
  onPage(`axe finds nothing: ${name}`, look, async (page) => {
    assert.deepEqual(await faults(page), [], "first visit");
    await page.fill("#text", "This is long, and it goes on. ".repeat(40));
    assert.deepEqual(await faults(page), [], "too long a text");
    await page.click("#examples >> text=मिली-जुली");
    await speakButton(page).click();
    await lit(page);
    assert.deepEqual(await faults(page), [], "speaking");
    if (look.forcedColors !== undefined) return;
    await page.click("#theme");
    assert.deepEqual(await faults(page), [], "the other colours");
  });
}
