/** The Node snippets of the repository's README and documentation, run as a new user types them. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { project, test, variable } from "./support.mjs";

const PAGES = readFileSync(variable("SPEECH_PAGES"), "utf8");

/** The blocks of a kind. */
function blocks(kind) {
  return [...PAGES.matchAll(new RegExp(`^\`\`\`${kind}\n(.*?)^\`\`\`$`, "gms"))].map(([, block]) => block);
}

test("how it is installed", () => {
  assert.ok(PAGES.includes("| `cargo xtask npm` | in your project: `npm install LIBSPEECH/target/npm/*.tgz` |"));
  assert.ok(blocks("js").length > 0);
});

for (const [index, block] of blocks("js").entries()) {
  test(`program ${index + 1} works`, (t) => {
    const cwd = project(t);
    writeFileSync(join(cwd, "program.mjs"), block);
    const args = { cwd, timeout: 60_000, encoding: "utf8" };
    const { status, stdout, stderr } = spawnSync(process.execPath, ["program.mjs"], args);
    assert.deepEqual({ status, stderr }, { status: 0, stderr: "" });
    const promises = [...block.matchAll(/console\.log\(.*\); \/\/ (.+)$/gm)].map(([, promise]) => promise);
    const printed = stdout.split("\n");
    assert.deepEqual(promises.filter((promise) => !printed.includes(promise)), [], stdout);
    const written = readdirSync(cwd).filter((name) => /\.(wav|pcm)$/.test(name));
    assert.ok(written.length > 0 || printed.length > 1, "it does nothing");
    for (const name of written) assert.ok(sounds(readFileSync(join(cwd, name))), name);
  });
}

/** Whether a file contains at least 0.5 s of audio. */
function sounds(file) {
  const samples = file.toString("latin1", 0, 4) === "RIFF" ? file.subarray(44) : file;
  return samples.length > 22_050 && samples.some((byte) => byte !== 0);
}
