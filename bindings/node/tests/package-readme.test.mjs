/** Runs the programs and commands of the package's README with the fake model. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe } from "node:test";

import { ERROR_CODES } from "libspeech-sdk";

import { PACKAGE, folder, project, test, variable } from "./support.mjs";

const README = readFileSync(join(PACKAGE, "README.md"), "utf8");
const MANIFEST = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));

/** The blocks of a kind. */
function blocks(kind) {
  return [...README.matchAll(new RegExp(`^\`\`\`${kind}\n(.*?)^\`\`\`$`, "gms"))].map(([, block]) => block);
}

/** The standard output of a program that must have succeeded without error output. */
function output({ status, stdout, stderr }) {
  assert.deepEqual({ status, stderr: stderr.toString() }, { status: 0, stderr: "" });
  return stdout.toString();
}

/** The expected output, from the comments beside `console.log`. */
function promises(block) {
  const found = [...block.matchAll(/console\.log\(.*\); \/\/ (.+)$/gm)].map(([, promise]) => promise);
  return found.filter((promise) => promise !== "seconds, and a UUID");
}

/** Runs a program of the README, and checks its output and its files. */
function run(t, name, block) {
  const cwd = project(t);
  writeFileSync(join(cwd, name), block);
  // Node 18 warns about `fetch`.
  const env = { ...process.env, SPEECH_BUNDLE: variable("SPEECH_FAKE_MODEL"), NODE_NO_WARNINGS: "1" };
  const printed = output(spawnSync(process.execPath, [join(cwd, name)], { cwd, env, timeout: 60_000 })).split("\n");
  assert.deepEqual(promises(block).filter((promise) => !printed.includes(promise)), [], printed.join("\n"));
  for (const [, file] of block.matchAll(/save\("(.*?)"\)/g)) {
    assert.equal(readFileSync(join(cwd, file)).toString("latin1", 0, 4), "RIFF");
  }
}

describe("every program works", () => {
  for (const [kind, extension] of [["js", "mjs"], ["cjs", "cjs"]]) {
    for (const [index, block] of blocks(kind).entries()) {
      test(`${kind} ${index + 1}`, (t) => run(t, `program.${extension}`, block));
    }
  }
});

test("the commands work", (t) => {
  const cwd = folder(t);
  writeFileSync(join(cwd, "book.txt"), "A short book. It has two sentences.\n");
  const program = join(PACKAGE, MANIFEST.bin["libspeech-sdk"]);
  const commands = {
    npx: `test "$1" = libspeech-sdk && shift && exec "${process.execPath}" "${program}" "$@"`,
    aplay: "exec cat > played.pcm",
  };
  for (const [name, source] of Object.entries(commands)) {
    writeFileSync(join(cwd, name), `#!/bin/sh\n${source}\n`, { mode: 0o755 });
  }
  const PATH = [cwd, dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH, SPEECH_BUNDLE: variable("SPEECH_FAKE_MODEL") };
  const [block] = blocks("sh");
  assert.match(output(spawnSync("sh", ["-eu", "-c", block], { cwd, env, timeout: 60_000 })), /aria/);
  assert.ok(existsSync(join(cwd, "morning.wav")));
  assert.ok(readFileSync(join(cwd, "played.pcm")).length > 22_050);
});

test("every block is of a kind that is tested", () => {
  const kinds = [...README.matchAll(/^```(.*)$/gm)].map(([, kind]) => kind);
  assert.deepEqual(new Set(kinds.filter((_, index) => index % 2 === 0)), new Set(["console", "js", "cjs", "sh"]));
  assert.deepEqual(new Set(kinds.filter((_, index) => index % 2 === 1)), new Set([""]));
  assert.deepEqual(blocks("console"), ["$ npm install libspeech-sdk libspeech-sdk-voices\n"]);
  assert.equal(blocks("sh").length, 1);
});

test("it names what there is", () => {
  const rows = [...README.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell]) => [...cell.matchAll(/`(.*?)`/g)]);
  const codes = rows.map(([, code]) => code).filter((code) => code !== "code");
  assert.deepEqual(codes.filter((code) => !ERROR_CODES.includes(code)), []);
  assert.ok(codes.length >= 8);
  const { node } = MANIFEST.engines;
  assert.ok(README.includes(`Node.js ${/\d+/.exec(node)[0]} and newer`));
});
