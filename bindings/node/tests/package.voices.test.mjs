/** Installed voices are found without an option. */

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { folder, packages, run, test } from "./support.mjs";

const VOICES = packages().filter((path) => path.includes("libspeech-sdk-voices"));

test("what is in the package of voices", () => {
  assert.ok(VOICES.length > 0, "libspeech-sdk-voices is installed");
  const bundle = join(VOICES[0], "bundle");
  assert.deepEqual(readdirSync(bundle).sort(), [
    "bundle.json",
    "prosody.safetensors",
    "small_decoder.safetensors",
    "small_prosody.safetensors",
    "vocoder.safetensors",
    "voices.safetensors",
  ]);
  const { dependencies, scripts, license } = JSON.parse(readFileSync(join(VOICES[0], "package.json"), "utf8"));
  assert.deepEqual([dependencies, scripts], [undefined, undefined]);
  assert.match(license, /\bApache-2\.0\b/);
  assert.doesNotMatch(license, /GPL/);
});

test("they are found, and nothing is written", async (t) => {
  const home = join(folder(t), "home");
  const environment = { HOME: home, USERPROFILE: home };
  const source = `
    for (const name of ["SPEECH_BUNDLE", "SPEECH_CACHE", "XDG_CACHE_HOME"]) delete process.env[name];
    const engine = await Engine.load();
    const { duration } = await engine.synthesize("Hello, world.");
    console.log(duration > 0.7 && duration < 3);
  `;
  assert.equal(await run(t, source, { environment }), "true\n");
  assert.ok(!existsSync(home));
});

test("another bundle comes first", async (t) => {
  const source = `
    const fake = await (await Engine.load({ bundle: FAKE_BUNDLE })).synthesize(TEXT);
    process.env.SPEECH_BUNDLE = FAKE_BUNDLE;
    const named = await (await Engine.load()).synthesize(TEXT);
    process.env.SPEECH_BUNDLE = "/nowhere/at all";
    const error = await Engine.load().catch((error) => error);
    console.log(named.bytes.equals(fake.bytes), error.code, error.message.includes("/nowhere/at all"));
  `;
  assert.equal(await run(t, source), "true model_error true\n");
});

test("they are of every voice", async (t) => {
  const source = `
    const engine = await Engine.load({ threads: 2 });
    const spoken = new Set();
    for (const voice of ["aria", "jason", "john", "leo", "sofia"]) {
      spoken.add((await engine.synthesize("नमस्ते।", { language: "hi-IN", voice })).bytes.toString("base64"));
    }
    console.log(spoken.size);
  `;
  assert.equal(await run(t, source), "5\n");
});
