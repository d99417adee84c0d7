/** `libspeech-sdk say`. */

import { type FileHandle, open, readFile, writeFile } from "node:fs/promises";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";

import { type Chunk, wavFile } from "../audio.js";
import { Engine, type EngineOptions } from "../engine.js";
import { unwrap } from "../errors.js";
import { native } from "../native.js";
import { type SpeechRequest, rawRequest } from "../request.js";
import { type Command, PROGRAM, type Values } from "./arguments.js";
import { CliError, UsageError } from "./errors.js";
import { withProgress } from "./progress.js";

const USAGE = `usage: ${PROGRAM} say [-h] [TEXT | -f FILE] [-o FILE] [--voice VOICE] [--language LANGUAGE]
       [--format FORMAT] [--latency LATENCY] [--rate N] [--pitch=N] [--volume=N] [--ssml]
       [--no-pauses] [--read-emoji] [--no-romanized-hindi] [--threads N] [--bundle DIR]`;

/** Speaks a text. */
export const say: Command = {
  name: "say",
  summary: "speak a text into a file or to standard output",
  usage: USAGE,
  help: `${USAGE}

TEXT                   without it, standard input is read; after \`--\` it may begin with a dash

options:
  -f, --file FILE      read the text from a file (UTF-8)
  -o, --output FILE    \`-\` or nothing is standard output
  --voice VOICE        aria (the default), jason, john, leo or sofia
  --language LANGUAGE  en-US (the default) or hi-IN
  --format FORMAT      wav (one file, the default) or pcm (raw, by sentence)
  --latency LATENCY    standard (the default), or low: pcm begins sooner; wav has no low latency
  --rate N             how fast, 0.5 to 2 [default: 1]
  --pitch=N            semitones higher, -6 to 6 [default: 0]
  --volume=N           decibels louder, -40 to 12 [default: 0]
  --ssml               the text is a document of SSML 1.1
  --no-pauses          read [pause 500ms] as it stands
  --read-emoji         read emoji by their names, do not skip them
  --no-romanized-hindi read Hindi in Latin letters as English
  --threads N          threads to compute a sentence with
  --bundle DIR         the voice bundle [default: the one that is installed]
  -h, --help           print this
`,
  options: {
    file: { type: "string", short: "f" },
    output: { type: "string", short: "o" },
    voice: { type: "string" },
    language: { type: "string" },
    format: { type: "string" },
    latency: { type: "string" },
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
  const request = await readRequest(values);
  // A request that is refused is reported before anything is loaded.
  unwrap(native.checkDelivery(rawRequest(request)));
  const path = values["output"] === "-" ? undefined : string(values, "output");
  if (path === undefined && process.stdout.isTTY) {
    throw new CliError("audio does not belong on a terminal: give -o FILE, or a pipe like `| aplay`");
  }
  const controller = new AbortController();
  process.once("SIGINT", () => controller.abort());
  const engine = await Engine.load(options);
  const chunks = withProgress(engine.stream(request, { signal: controller.signal }), process.stderr);
  await (request.format === "pcm" ? writePcm(chunks, path) : writeWav(chunks, path));
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

async function readRequest(values: Values): Promise<SpeechRequest> {
  const names = ["language", "voice", "latency"].filter((name) => name in values);
  return {
    ...Object.fromEntries(names.map((name) => [name, values[name]])),
    text: await readText(values),
    format: string(values, "format") ?? "wav",
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
    throw new UsageError("give a text or --file, not both", USAGE);
  }
  if (text !== undefined) return text;
  if (file === undefined && process.stdin.isTTY) {
    throw new CliError("no text: give it as an argument, with --file, or on standard input");
  }
  const data = file === undefined ? await buffer(process.stdin) : await readFile(file);
  return withoutLineEnd(decode(data, file ?? "standard input"));
}

function decode(data: Buffer, source: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    throw new CliError(`${source}: not UTF-8`);
  }
}

/** The last line end of a file is not part of the text: characters are metered. */
function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, "");
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
  const file = path === undefined ? undefined : await open(path, "w");
  try {
    for await (const chunk of chunks) await write(chunk.bytes, file);
  } finally {
    await file?.close();
  }
}

async function write(bytes: Buffer, file: FileHandle | undefined): Promise<void> {
  if (file !== undefined) await file.writeFile(bytes);
  else if (!process.stdout.write(bytes)) await once(process.stdout, "drain");
}

async function writeWav(chunks: AsyncIterable<Chunk>, path: string | undefined): Promise<void> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(chunk.bytes);
  const file = wavFile(parts);
  // The file is written at the end: an error before leaves no incomplete file.
  if (path === undefined) process.stdout.write(file);
  else await writeFile(path, file);
}
