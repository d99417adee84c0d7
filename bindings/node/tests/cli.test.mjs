/** `npx libspeech-sdk`: its output and its errors. */

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { after, before, describe } from "node:test";

import { voices } from "libspeech-sdk";

import { LONG, PACKAGE, TEXT, folder, loadFake, test, variable } from "./support.mjs";

const manifest = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
const PROGRAM = join(PACKAGE, manifest.bin["libspeech-sdk"]);

/** @type {import("libspeech-sdk").Engine} */
let engine;
before(async () => (engine = await loadFake()));
after(() => engine.close());

/** The WAV file of a request, from the API. */
async function wav(...request) {
  return (await engine.synthesize(...request)).wav;
}

/** Runs the program until it exits. */
function run(args, { cwd, input = "" } = {}) {
  const ended = spawnSync(process.execPath, [PROGRAM, ...args], { cwd, input, timeout: 60_000 });
  assert.equal(ended.signal, null);
  return { status: ended.status, stdout: ended.stdout, stderr: ended.stderr.toString() };
}

/** Runs `say` with the fake model. */
function say(args, options) {
  return run(["say", "--bundle", variable("SPEECH_FAKE_MODEL"), "--threads", "1", ...args], options);
}

/** The standard output of a program that must have succeeded without error output. */
function output({ status, stdout, stderr }) {
  assert.deepEqual({ status, stderr }, { status: 0, stderr: "" });
  return stdout;
}

describe("say", () => {
  test("into a file", async (t) => {
    const cwd = folder(t);
    const args = [TEXT, "-o", "a.wav", "--voice", "leo", "--language", "hi-IN"];
    assert.equal(output(say(args, { cwd })).length, 0);
    const expected = await wav(TEXT, { voice: "leo", language: "hi-IN" });
    assert.deepEqual(readFileSync(join(cwd, "a.wav")), expected);
  });

  for (const to of [[], ["-o", "-"], ["--output", "-"]]) {
    test(`to standard output: ${to.join(" ") || "by default"}`, async () => {
      assert.deepEqual(output(say([TEXT, ...to])), await wav(TEXT));
    });
  }

  test("as pcm", async (t) => {
    const cwd = folder(t);
    const expected = (await wav(TEXT)).subarray(44);
    assert.deepEqual(output(say([TEXT, "--format", "pcm"])), expected);
    assert.equal(output(say([TEXT, "--format", "pcm", "-o", "a.pcm"], { cwd })).length, 0);
    assert.deepEqual(readFileSync(join(cwd, "a.pcm")), expected);
    assert.ok(output(say([TEXT, "--format", "pcm", "--latency", "low"])).length > 22_050);
  });

  test("at a rate and in an encoding", async () => {
    const options = { sampleRate: 8000, encoding: "mulaw" };
    const args = [TEXT, "--sample-rate", "8000", "--encoding", "mulaw"];
    const audio = await engine.synthesize(TEXT, options);
    assert.deepEqual(output(say(args)), audio.wav);
    assert.deepEqual(output(say([...args, "--format", "pcm"])), audio.bytes);
    const { status, stderr } = say([TEXT, "--sample-rate", "11025"]);
    assert.equal(status, 1);
    assert.match(stderr, /sample_rate is 11025; it must be 8000, 16000, 22050, 24000, 44100 or 48000/);
  });

  test("of a quality", async () => {
    assert.deepEqual(output(say([TEXT, "--quality", "light"])), await wav(TEXT, { quality: "light" }));
  });

  test("what standard input has", async () => {
    assert.deepEqual(output(say([], { input: "नमस्ते 😀.\n" })), await wav("नमस्ते 😀."));
  });

  test("what a file has", async (t) => {
    const cwd = folder(t);
    writeFileSync(join(cwd, "text.txt"), "We won ❤️.\r\n");
    const spoken = output(say(["--file", "text.txt", "--read-emoji"], { cwd }));
    assert.deepEqual(spoken, await wav("We won ❤️.", { readEmoji: true }));
    assert.notDeepEqual(spoken, await wav("We won ❤️."));
  });

  test("what a dash stands for is standard input", async () => {
    assert.deepEqual(output(say(["-f", "-"], { input: "One.\n" })), await wav("One."));
  });

  for (const [text, message] of [
    ["a", "error[text_too_long]: text has more characters than the limit of 1000"],
    ["क", "error[text_too_long]"],
    ["\0", "error[invalid_request]: text has a NUL character at byte 0"],
  ]) {
    test(`as far as one character after the limit: ${JSON.stringify(text)}`, async () => {
      const child = spawn(process.execPath, [PROGRAM, "say"], { stdio: ["pipe", "pipe", "pipe"] });
      // The input stays open.
      child.stdin.write(text.repeat(1001));
      child.stdin.on("error", () => undefined);
      const [errors, ended] = [buffer(child.stderr), once(child, "exit")];
      assert.deepEqual(await ended, [1, null]);
      assert.ok((await errors).toString().startsWith(message), (await errors).toString());
    });
  }

  for (const end of ["", "\n", "\r\n"]) {
    test(`a text of the limit, and ${JSON.stringify(end)}`, () => {
      assert.equal(output(say(["-o", "/dev/null"], { input: "क".repeat(1000) + end })).length, 0);
    });
  }

  test("over what is there, with its permissions, and into a device", async (t) => {
    const cwd = folder(t);
    writeFileSync(join(cwd, "there"), "before", { mode: 0o640 });
    symlinkSync("there", join(cwd, "link"));
    output(say([TEXT, "-o", "link"], { cwd }));
    assert.deepEqual(readFileSync(join(cwd, "there")), await wav(TEXT));
    assert.equal(statSync(join(cwd, "there")).mode & 0o777, 0o640);
    assert.equal(say([TEXT, "-o", "/dev/full"], { cwd }).status, 1);
    output(say([TEXT, "-o", "/dev/null"], { cwd }));
    assert.deepEqual(readdirSync(cwd).sort(), ["link", "there"]);
  });

  test("not over the text", (t) => {
    const cwd = folder(t);
    writeFileSync(join(cwd, "book"), TEXT);
    symlinkSync("book", join(cwd, "link"));
    for (const to of ["book", "./book", "link"]) {
      const { status, stderr } = say(["-f", "book", "-o", to], { cwd });
      assert.deepEqual([status, stderr.includes("is also the text file")], [1, true]);
    }
    assert.equal(readFileSync(join(cwd, "book"), "utf8"), TEXT);
  });

  test("rate, pitch, volume and pauses", async () => {
    const text = "One. [pause 300ms] Two.";
    const spoken = output(say([text, "--rate", "1.5", "--pitch=-2", "--volume=-3.5"]));
    assert.deepEqual(spoken, await wav(text, { rate: 1.5, pitch: -2, volume: -3.5 }));
    assert.deepEqual(output(say([text, "--no-pauses"])), await wav(text, { readPauses: false }));
  });

  test("a text that begins with a dash", async () => {
    assert.deepEqual(output(say(["--", "-5 degrees"])), await wav("-5 degrees"));
  });

  test("as much as a reader takes, and then no more, without a word", async () => {
    const args = ["say", LONG, "--format", "pcm", "--bundle", variable("SPEECH_FAKE_MODEL")];
    const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ["ignore", "pipe", "pipe"] });
    const ended = once(child, "close");
    await once(child.stdout, "data");
    child.stdout.destroy();
    assert.equal((await buffer(child.stderr)).toString(), "");
    assert.deepEqual(await ended, [0, null]);
  });
});

const REFUSALS = [
  ["a voice", ["a", "--voice", "none"], 'error[invalid_request]: unsupported voice "none"'],
  ["a language", ["a", "--language", "en"], 'unsupported language "en"'],
  ["a format", ["a", "--format", "mp3"], 'unsupported format "mp3"'],
  ["a latency", ["a", "--latency", "no"], 'unsupported latency "no"'],
  ["a quality", ["a", "--quality", "no"], 'unsupported quality "no"'],
  ["a quality that the bundle lacks", ["a", "--voice", "leo", "--quality", "fast"], "it has full"],
  ["a rate", ["a", "--rate", "3"], "error[invalid_request]: rate is 3; it must be a number from 0.5 to 2"],
  ["low latency of a file", ["a", "--latency", "low"], "error[invalid_request]: latency low is for streams"],
  ["a text that is empty", [""], "error[empty_text]: text is empty"],
  ["an input that is empty", [], "text is empty", "\n"],
  ["a text that is long", ["a".repeat(1001)], "text has 1001 characters; the limit is 1000"],
  ["an input that is no text", [], "error: standard input: not UTF-8", Buffer.of(0xff, 0xfe)],
  ["a file that is not there", ["--file", "none.txt"], "error: none.txt: no such file or directory"],
  ["a folder that is not there", ["a", "-o", "none/a.wav"], "error: none/a.wav: no such file or directory"],
  ["a folder that is not there, for pcm", ["a", "--format", "pcm", "-o", "none/a"], "none/a"],
  ["a bundle that is not there", ["a", "--bundle", "none"], "error[model_error]: none"],
  ["threads", ["a", "--threads", "0"], "threads must be a whole number from 1 to 256"],
];

describe("a refusal is one line, and nothing is written", () => {
  for (const [name, args, message, input] of REFUSALS) {
    test(name, (t) => {
      const cwd = folder(t);
      const { status, stdout, stderr } = say(args, { cwd, input });
      assert.equal(status, 1, stderr);
      assert.ok(stderr.includes(message), stderr);
      assert.match(stderr, /^error.*\n$/);
      assert.equal(stdout.length, 0);
      assert.deepEqual(readdirSync(cwd), []);
    });
  }
});

const WRONG = [
  [],
  ["sing"],
  ["--voice", "leo"],
  ["say", "a", "--file", "b"],
  ["say", "a", "b"],
  ["say", "--threads", "many", "a"],
  ["say", "--tempo", "2", "a"],
  ["say", "--zqxmarker"],
  ["say", "-zqxmarker it is"],
  ["say", "--rate", "fast", "a"],
  ["say", "a", "--output"],
  ["tiers", "--available", "70"],
  ["tiers", "70,6"],
  ["tiers", "--available", "70,6", "--json", "70,13"],
  ["voices", "aria"],
];

describe("wrong usage", () => {
  for (const args of WRONG) {
    test(args.join(" ") || "nothing", () => {
      const { status, stdout, stderr } = run(args);
      assert.equal(status, 2, stderr);
      assert.equal(stdout.length, 0);
      assert.match(stderr, /^usage: libspeech-sdk/);
      assert.match(stderr, /\nerror: .+\n$/);
      assert.doesNotMatch(stderr, /^ +at |zqxmarker/m);
    });
  }
});

test("help and version", () => {
  const help = output(run(["--help"])).toString();
  for (const command of ["say", "voices", "tiers"]) {
    assert.match(help, new RegExp(`^  ${command} `, "m"));
    const own = output(run([command, "-h"])).toString();
    assert.ok(own.startsWith(`usage: libspeech-sdk ${command} `), own);
  }
  const options = ["--output", "--voice", "--language", "--file", "--format", "--latency", "--quality", "--rate", "--pitch", "--volume", "--ssml", "--no-pauses", "--read-emoji", "--no-romanized-hindi", "--threads"];
  const say = output(run(["say", "--help"])).toString();
  assert.deepEqual(options.filter((option) => !say.includes(option)), []);
  assert.equal(output(run(["--version"])).toString(), `libspeech ${manifest.version}\n`);
});

/** The standard output of this project's Rust program. */
function rust(...args) {
  const { status, stdout } = spawnSync(variable("SPEECH_PROGRAM"), args);
  assert.equal(status, 0);
  return stdout.toString();
}

describe("the listings", () => {
  test("are those of the other program", () => {
    for (const args of [["voices"], ["voices", "--json"], ["tiers"], ["tiers", "--json"]]) {
      assert.equal(output(run(args)).toString(), rust(...args));
    }
    const some = ["tiers", "--json", "--contexts", "70,6", "--contexts", "70,13"];
    for (const args of [["70,6", "70,13"], ["70,6", "--available", "70,13"]]) {
      assert.equal(output(run(["tiers", "--json", "--available", ...args])).toString(), rust(...some));
    }
  });

  test("for people", () => {
    const listed = output(run(["voices"])).toString();
    assert.deepEqual(voices().voices.filter(({ id }) => !listed.includes(id)), []);
    const table = output(run(["tiers", "--available", "70,6"])).toString();
    assert.match(table, /^standard +560 ms +0\.000061  yes  \(default\)$/m);
    assert.match(table, /^ultra +80 ms +0\.000139  no$/m);
  });
});

// Runs a program on a terminal of its own, and prints the terminal output.
const TERMINAL = `
import os, pty, sys
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))
`;

/** The output of the program on a terminal. */
function seen(args, options) {
  const program = [process.execPath, PROGRAM, ...args];
  const limited = { timeout: 60_000, ...options };
  const { status, stdout, stderr } = spawnSync("python3", ["-c", TERMINAL, ...program], limited);
  return { status, text: `${stdout}${stderr}` };
}

describe("on a terminal", () => {
  test("there is a bar, which is gone at the end", (t) => {
    const cwd = folder(t);
    const args = ["say", TEXT, "-o", "a.wav", "--bundle", variable("SPEECH_FAKE_MODEL")];
    const { status, text } = seen(args, { cwd });
    assert.equal(status, 0, text);
    for (const count of ["0/3", "1/3", "2/3", "3/3"]) assert.ok(text.includes(`${count} sentences`), text);
    assert.equal(text.split("\r").at(-1).trim(), "");
    assert.equal(readFileSync(join(cwd, "a.wav")).toString("latin1", 0, 4), "RIFF");
  });

  test("audio is refused", () => {
    const { status, text } = seen(["say", TEXT, "--bundle", variable("SPEECH_FAKE_MODEL")]);
    assert.equal(status, 1);
    assert.match(text, /^error: standard output is a terminal, [^\n]*\n$/);
  });

  test("a text is not waited for", () => {
    const { status, text } = seen(["say", "-o", "a.wav"]);
    assert.equal(status, 1);
    assert.match(text, /^error: no text: [^\n]*\n$/);
  });
});
