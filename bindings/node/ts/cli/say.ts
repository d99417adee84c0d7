/** `libspeech-sdk say`. */

import { createReadStream } from "node:fs";
import { once } from "node:events";

import type { Chunk } from "../audio.js";
import type { Output } from "../encoding.js";
import { Engine, type EngineOptions } from "../engine.js";
import { SpeechError } from "../errors.js";
import { native, unwrap } from "../native.js";
import { wavFile } from "../platform.js";
import { type SpeechOptions, rawRequest } from "../request.js";
import { MAX_CHARACTERS } from "../text.js";
import { type Command, PROGRAM, type Values } from "./arguments.js";
import { CliError, UsageError } from "./errors.js";
import { isSameFile, writeWhole } from "./output.js";
import { withProgress } from "./progress.js";

const USAGE = `usage: ${PROGRAM} say [-h] [TEXT | -f FILE] [-o FILE] [--voice VOICE] [--language LANGUAGE]
       [--format FORMAT] [--latency LATENCY] [--quality QUALITY] [--sample-rate HZ] [--encoding ENCODING]
       [--rate N] [--pitch=N] [--volume=N] [--ssml] [--no-pauses] [--read-emoji] [--no-romanized-hindi]
       [--threads N] [--bundle DIR]`;

/** Speaks a text. */
export const say: Command = {
  name: "say",
  summary: "write the speech of a text to a file or to standard output",
  usage: USAGE,
  help: `${USAGE}

TEXT                   the text [default: standard input]; after \`--\` it may begin with a dash

options:
  -f, --file FILE      read the text from a UTF-8 file; \`-\` is standard input
  -o, --output FILE    the audio file [default: \`-\`, standard output]
  --voice VOICE        aria (the default), jason, john, leo or sofia
  --language LANGUAGE  en-US (the default) or hi-IN
  --format FORMAT      wav (one file, the default) or pcm (raw, by sentence)
  --latency LATENCY    standard (the default), or low, with early first audio, for pcm only
  --quality QUALITY    full, fast or light; auto (the default) is the best that the bundle has
  --sample-rate HZ     8000, 16000, 22050 (the default), 24000, 44100 or 48000
  --encoding ENCODING  pcm16 (the default), float32, mulaw or alaw
  --rate N             speaking rate, 0.5 to 2 [default: 1]
  --pitch=N            pitch change in semitones, -6 to 6 [default: 0]
  --volume=N           volume change in decibels, -40 to 12 [default: 0]
  --ssml               read the text as an SSML 1.1 document
  --no-pauses          read [pause 500ms] as ordinary text
  --read-emoji         read emoji by name instead of skipping them
  --no-romanized-hindi read Hindi in Latin letters as English
  --threads N          threads that compute a sentence
  --bundle DIR         the voice bundle [default: the installed bundle]
  -h, --help           print this help
`,
  options: {
    file: { type: "string", short: "f" },
    output: { type: "string", short: "o" },
    voice: { type: "string" },
    language: { type: "string" },
    format: { type: "string" },
    latency: { type: "string" },
    quality: { type: "string" },
    "sample-rate": { type: "string" },
    encoding: { type: "string" },
    rate: { type: "string" },
    pitch: { type: "string" },
    volume: { type: "string" },
    ssml: { type: "boolean" },
    "no-pauses": { type: "boolean" },
    "read-emoji": { type: "boolean" },
    "no-romanized-hindi": { type: "boolean" },
    threads: { type: "string" },
    bundle: { type: "string" },
  },
  positional: { option: "text", many: false },
  run,
};

async function run(values: Values): Promise<void> {
  const options = engineOptions(values);
  const { text, format, ...speech } = await readRequest(values);
  // Reports a rejected request before the engine is loaded.
  unwrap(native.checkDelivery(rawRequest(text, speech)[0], format));
  const path = values["output"] === "-" ? undefined : string(values, "output");
  if (path === undefined && process.stdout.isTTY) {
    throw new CliError("standard output is a terminal, not a file or a pipe: use -o FILE, or a pipe like `| aplay`");
  }
  const file = string(values, "file");
  if (path !== undefined && file !== undefined && (await isSameFile(path, file))) {
    throw new CliError(`${path} is also the text file: choose another file for -o`);
  }
  const controller = new AbortController();
  process.once("SIGINT", () => controller.abort());
  const engine = await Engine.load(options);
  const stream = engine.stream(text, { ...speech, signal: controller.signal });
  const chunks = withProgress(stream, process.stderr);
  await (format === "pcm" ? writePcm(chunks, path) : writeWav(chunks, stream, path));
}

function engineOptions(values: Values): EngineOptions {
  const threads = string(values, "threads");
  if (threads !== undefined && !/^[+-]?\d+$/.test(threads)) {
    throw new UsageError(`--threads takes a number, not ${JSON.stringify(threads)}`, USAGE);
  }
  return {
    bundle: string(values, "bundle"),
    threads: threads === undefined ? undefined : Number(threads),
  };
}

async function readRequest(values: Values): Promise<SpeechOptions & { text: string; format: string }> {
  const names = ["language", "voice", "latency", "quality", "encoding"].filter((name) => name in values);
  return {
    ...Object.fromEntries(names.map((name) => [name, values[name]])),
    text: await readText(values),
    format: string(values, "format") ?? "wav",
    sampleRate: number(values, "sample-rate"),
    rate: number(values, "rate"),
    pitch: number(values, "pitch"),
    volume: number(values, "volume"),
    ssml: values["ssml"] === true,
    readPauses: values["no-pauses"] !== true,
    readEmoji: values["read-emoji"] === true,
    readRomanizedHindi: values["no-romanized-hindi"] !== true,
  };
}

async function readText(values: Values): Promise<string> {
  const [text, file] = [string(values, "text"), string(values, "file")];
  if (text !== undefined && file !== undefined) {
    throw new UsageError("a text and --file exclude each other", USAGE);
  }
  if (text !== undefined) return text;
  if (file === undefined && process.stdin.isTTY) {
    throw new CliError("no text: pass it as an argument, with --file, or on standard input");
  }
  if (file === undefined || file === "-") return readWithin(process.stdin, "standard input");
  return readWithin(createReadStream(file, { highWaterMark: 4 * MAX_CHARACTERS }), file);
}

/** The text of an input. Reading stops once the text is too long. */
async function readWithin(input: AsyncIterable<Buffer>, source: string): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let text = "";
  for await (const block of input) {
    text += decode(decoder, source, block);
    // A NUL character is rejected regardless of the rest, and so before the length is checked.
    if (text.includes("\0")) return text;
    // The last line end may still be incomplete.
    if ([...text.replace(/\r?\n?$/, "")].length > MAX_CHARACTERS) {
      throw new SpeechError("text_too_long", `text has more characters than the limit of ${MAX_CHARACTERS}`);
    }
  }
  // Strips the last line end of a file: characters are metered.
  return (text + decode(decoder, source)).replace(/\r?\n$/, "");
}

function decode(decoder: InstanceType<typeof TextDecoder>, source: string, block?: Buffer): string {
  try {
    return block === undefined ? decoder.decode() : decoder.decode(block, { stream: true });
  } catch {
    throw new CliError(`${source}: not UTF-8`);
  }
}

function string(values: Values, name: string): string | undefined {
  return values[name] as string | undefined;
}

function number(values: Values, name: string): number | undefined {
  const value = string(values, name);
  if (value === undefined) return undefined;
  if (/^[+-]?(\d+\.?\d*|\.\d+)$/.test(value)) return Number(value);
  throw new UsageError(`--${name} takes a number, not ${JSON.stringify(value)}`, USAGE);
}

async function writePcm(chunks: AsyncIterable<Chunk>, path: string | undefined): Promise<void> {
  if (path !== undefined) {
    return writeWhole(path, async (file) => {
      for await (const chunk of chunks) await file.writeFile(chunk.bytes);
    });
  }
  for await (const chunk of chunks) {
    if (!process.stdout.write(chunk.bytes)) await once(process.stdout, "drain");
  }
}

async function writeWav(chunks: AsyncIterable<Chunk>, output: Output, path: string | undefined): Promise<void> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(chunk.bytes);
  const bytes = wavFile(parts, output);
  if (path === undefined) process.stdout.write(bytes);
  else await writeWhole(path, (file) => file.writeFile(bytes));
}
