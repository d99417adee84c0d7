// Measures the web package and kokoro-js in headless Chromium, alternately, each time in a fresh
// browser.
//
//     node measure.mjs PACKAGE VOICES KOKORO TEXTS OUT [--rounds 3] [--runs 2]
//
// PACKAGE is the folder of the web package, VOICES its voice file, KOKORO the output of `python -m
// compare browser`, and TEXTS texts.json. The results go to OUT as JSON and are printed as a table.
// CHROMIUM is the path of the browser.

import { createReadStream, existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { parseArgs } from "node:util";

import { chromium } from "playwright-core";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "3" }, runs: { type: "string", default: "2" } },
});
const [packageFolder, voices, kokoro, textsFile, out] = positionals;
const [rounds, runs] = [Number(values.rounds), Number(values.runs)];
const texts = JSON.parse(readFileSync(textsFile, "utf8"));
const modules = join(import.meta.dirname, "node_modules");

/** URL prefixes and their folders. */
const FOLDERS = {
  "/package/": packageFolder,
  "/kokoro-js/": join(modules, "kokoro-js/dist"),
  "/transformers/": join(modules, "@huggingface/transformers/dist"),
  "/onnx-community/Kokoro-82M-v1.0-ONNX/resolve/main/": kokoro,
};
const TYPES = { ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm", ".json": "application/json" };

/**
 * The engines. With two threads, ONNX Runtime takes half of four processors, so it is told that
 * there are four.
 */
const ENGINES = { libspeech: loadOurs, "kokoro-js": loadKokoro };
const THREADS = [1, 2];

const seconds = (milliseconds) => milliseconds / 1000;
const median = (numbers) => {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

/** Serves all files, and counts the bytes. */
async function serve(isolated) {
  const sent = {};
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const headers = isolated
      ? { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" }
      : {};
    if (pathname === "/") {
      return response.writeHead(200, { ...headers, "Content-Type": "text/html" }).end("<!doctype html><title>compare</title>");
    }
    const folder = Object.keys(FOLDERS).find((start) => pathname.startsWith(start));
    const file = pathname === "/voices.tar.gz" ? voices : folder && join(FOLDERS[folder], normalize(pathname.slice(folder.length)));
    if (!file || !existsSync(file) || !statSync(file).isFile()) return response.writeHead(404, headers).end();
    const { size } = statSync(file);
    sent[pathname] = size;
    response.writeHead(200, {
      ...headers,
      "Content-Length": size,
      "Content-Type": TYPES[extname(file)] ?? "application/octet-stream",
    });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const bytes = () => Object.values(sent).reduce((sum, size) => sum + size, 0);
  return { url: `http://localhost:${server.address().port}/`, bytes, close: () => server.close() };
}

/**
 * In the page: loads the web package. `speak` yields the duration of each chunk of a text, in
 * seconds.
 */
async function loadOurs(threads) {
  const { Engine } = await import("/package/lib/index.js");
  const engine = await Engine.load({ voices: "/voices.tar.gz", threads });
  globalThis.speak = async function* (text, early) {
    for await (const chunk of engine.stream(text, { latency: early ? "low" : "standard" })) {
      yield chunk.duration;
    }
  };
  return { kernels: engine.kernels, precision: engine.precision, threads: engine.threads };
}

/** In the page: loads kokoro-js, whose files come from this server. */
async function loadKokoro(threads) {
  const { fetch } = globalThis;
  globalThis.fetch = (address, options) =>
    fetch(String(address.url ?? address).replace("https://huggingface.co/", "/"), options);
  Object.defineProperty(navigator, "hardwareConcurrency", { get: () => 2 * threads });
  const { KokoroTTS, TextSplitterStream, env } = await import("/kokoro-js/kokoro.web.js");
  env.wasmPaths = "/transformers/";
  const tts = await KokoroTTS.from_pretrained("onnx-community/Kokoro-82M-v1.0-ONNX", { dtype: "q8", device: "wasm" });
  globalThis.speak = async function* (text) {
    const parts = new TextSplitterStream();
    parts.push(text);
    parts.close();
    for await (const { audio } of tts.stream(parts, { voice: "af_heart" })) yield audio.audio.length / audio.sampling_rate;
  };
  return { threads };
}

/**
 * In the page: speaks a text; returns the times of the first and the last audio, and the duration.
 */
async function speakTimed({ text, early }) {
  const begin = performance.now();
  let first;
  let sound = 0;
  for await (const length of speak(text, early)) {
    first ??= performance.now() - begin;
    sound += length;
  }
  return { first, whole: performance.now() - begin, sound };
}

/** The peak memory of the browser process with the largest peak, the page's, in bytes. */
function peakMemory() {
  const peaks = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--type=renderer")) return 0;
        return 1024 * Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]);
      } catch {
        return 0;
      }
    });
  return Math.max(...peaks);
}

/** Measures one engine in one browser. */
async function measure(name, threads) {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
  const server = await serve(threads > 1);
  try {
    const page = await browser.newPage();
    page.on("pageerror", (error) => console.error(`${name}: ${error.message}`));
    await page.goto(server.url);
    if ((await page.evaluate(() => crossOriginIsolated)) !== threads > 1) throw new Error("the page is not isolated as asked");
    const begin = performance.now();
    const backend = await page.evaluate(ENGINES[name], threads);
    const load = seconds(performance.now() - begin);
    if (backend.threads !== threads) throw new Error(`${name} has ${backend.threads} threads`);
    const spoken = [];
    for (const { name: text, text: words } of texts) {
      await page.evaluate(speakTimed, { text: words });
      for (let run = 0; run < runs; run++) {
        const { first, whole, sound } = await page.evaluate(speakTimed, { text: words });
        spoken.push({ text, first: seconds(first), rtf: seconds(whole) / sound });
        if (name !== "libspeech") continue;
        const low = await page.evaluate(speakTimed, { text: words, early: true });
        spoken.at(-1).firstLow = seconds(low.first);
      }
    }
    return { name, threads, ...backend, load, spoken, download: server.bytes(), memory: peakMemory() };
  } finally {
    await browser.close();
    server.close();
  }
}

const measured = [];
for (let round = 0; round < rounds; round++) {
  for (const threads of THREADS) {
    const names = Object.keys(ENGINES);
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      console.error(`round ${round + 1}: ${name}, ${threads} threads`);
      measured.push({ round, ...(await measure(name, threads)) });
      writeFileSync(out, `${JSON.stringify(measured, null, 1)}\n`);
    }
  }
}

/** The median over rounds of the median over runs. */
function figure(name, threads, of) {
  const same = measured.filter((one) => one.name === name && one.threads === threads);
  return median(same.map(of));
}
const rtf = (text) => (one) => median(one.spoken.filter((run) => run.text === text).map((run) => run.rtf));
const first = (text, key) => (one) => median(one.spoken.filter((run) => run.text === text).map((run) => run[key] ?? NaN));
const two = (number) => number.toFixed(2);

console.log("| threads | engine | real-time factor: " + texts.map(({ name }) => name).join(" | ") + " | first audio, s: long (low) | load, s | memory, MB | download, MB |");
console.log(`|${"---|".repeat(texts.length + 6)}`);
for (const threads of THREADS) {
  for (const name of Object.keys(ENGINES)) {
    const cells = texts.map(({ name: text }) => two(figure(name, threads, rtf(text))));
    const low = figure(name, threads, first("long", "firstLow"));
    cells.push(two(figure(name, threads, first("long", "first"))) + (Number.isNaN(low) ? "" : ` (${two(low)})`));
    cells.push(two(figure(name, threads, (one) => one.load)));
    for (const key of ["memory", "download"]) cells.push((figure(name, threads, (one) => one[key]) / 1e6).toFixed(0));
    console.log(`| ${threads} | ${name} | ${cells.join(" | ")} |`);
  }
  for (const { name: text } of texts) {
    const ratios = Array.from({ length: rounds }, (_, round) => {
      const [ours, theirs] = Object.keys(ENGINES).map((name) =>
        measured.find((one) => one.round === round && one.name === name && one.threads === threads),
      );
      return rtf(text)(theirs) / rtf(text)(ours);
    });
    console.log(`${threads} threads, ${text}: ${ratios.map(two).join(", ")} times faster`);
  }
}
