/** `npx libspeech-sdk` with the real voices: its bytes, and Ctrl-C. */

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe } from "node:test";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";

import { LONG, PACKAGE, folder, pause, reference, test, until, variable } from "./support.mjs";

const manifest = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
const PROGRAM = join(PACKAGE, manifest.bin["libspeech-sdk"]);

/** Texts, languages and voices: both languages, and every voice. */
const SPOKEN = [
  ["It is 10:30.", "en-US", "aria"],
  ["I paid $5.", "en-US", "john"],
  ["Read this.", "en-US", "jason"],
  ["₹5 और 12.5%।", "hi-IN", "sofia"],
  ["files upload करो।", "hi-IN", "leo"],
];

/** The standard output of a program. */
function outputOf(program, args) {
  const { status, stdout, stderr } = spawnSync(program, args, { maxBuffer: 2 ** 26, timeout: 90_000 });
  assert.equal(status, 0, stderr?.toString());
  return stdout;
}

describe("the bytes are those of the program in Rust", () => {
  for (const [text, language, voice] of SPOKEN) {
    test(voice, () => {
      const args = ["say", text, "--language", language, "--voice", voice, "--threads", "1"];
      const bundle = ["--bundle", variable("SPEECH_REFERENCE_BUNDLE")];
      const wav = outputOf(variable("SPEECH_PROGRAM"), [...args, ...bundle]);
      assert.ok(wav.length > 22_050);
      assert.deepEqual(outputOf(process.execPath, [PROGRAM, ...args]), wav);
      const pcm = outputOf(process.execPath, [PROGRAM, ...args, "--format", "pcm"]);
      assert.deepEqual(pcm, wav.subarray(44));
    });
  }
});

describe("Ctrl-C", () => {
  /**
   * Interrupts `say` with SIGINT once `begun` resolves. It must exit before it could have finished
   * the text.
   */
  async function interrupted(t, cwd, format, begun) {
    const args = ["say", LONG, "--threads", "1", "--format", format, "-o", "a"];
    const child = spawn(process.execPath, [PROGRAM, ...args], { cwd, stdio: ["ignore", "inherit", "pipe"] });
    const [ended, errors] = [once(child, "close"), buffer(child.stderr)];
    await begun();
    assert.equal(child.exitCode, null);
    const isRunning = await reference(t, LONG);
    child.kill("SIGINT");
    assert.deepEqual(await ended, [130, null]);
    assert.equal((await errors).toString(), "");
    assert.ok(isRunning(), "the text was computed to its end");
  }

  test("leaves no part of a wav file", async (t) => {
    const cwd = folder(t);
    await interrupted(t, cwd, "wav", () => pause(1500));
    assert.deepEqual(readdirSync(cwd), []);
  });

  test("leaves no part of a pcm file", async (t) => {
    const cwd = folder(t);
    const size = () => Math.max(0, ...readdirSync(cwd).map((name) => statSync(join(cwd, name)).size));
    await interrupted(t, cwd, "pcm", () => until(() => size() > 0, "nothing is written"));
    assert.deepEqual(readdirSync(cwd), []);
  });
});
