import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import * as checks from "./checks.js";
import { invalidRequest } from "./errors.js";
import { INTERNAL, checkInternal } from "./internal.js";
import type { LiveSource } from "./live.js";
import { type NativeEngine, type NativeOptions, native, unwrap } from "./native.js";
import type { Language, Quality, RawRequest, VoiceId } from "./request.js";
import { PushedSource, Running, WholeSource } from "./sources.js";
import { type Speaking, SpeechEngine } from "./speech-engine.js";
import type { StreamSource } from "./stream.js";

/** The upper limit of `threads` and of `maxConcurrency`. */
const MAX_THREADS = 256;

/**
 * The options of an engine. `undefined` stands for the default of an option; unknown names and
 * `null` are rejected.
 */
export interface EngineOptions {
  /**
   * The voice bundle: the path or `file:` URL of its directory or of a tar file of it, or the bytes
   * of a tar file. By default `SPEECH_BUNDLE`, then the package `libspeech-sdk-voices`, then the
   * bundle in the user's cache.
   */
  bundle?: string | URL | Uint8Array | undefined;
  /**
   * Whether the bundle's large files (86 MB) are mapped into memory; otherwise they are read.
   * Processes share mapped files; but if one is truncated, or its disk fails, while the engine is
   * in use, the process dies (SIGBUS). Files that are read are memory of the process, and later
   * changes to them do not matter. By default they are mapped on Windows, which refuses to truncate
   * a mapped file, and read elsewhere.
   */
  mapBundle?: boolean | undefined;
  /**
   * The number of threads that compute one sentence, 1 to 256. By default `SPEECH_THREADS`, or the
   * number of processors, but at most 4.
   */
  threads?: number | undefined;
  /**
   * The number of sentences computed at the same time, 1 to 256; others wait in a queue. By default
   * 1.
   */
  maxConcurrency?: number | undefined;
  /** The kernels, such as `avx2`. By default the fastest that the processor supports. */
  kernels?: "auto" | (string & {}) | undefined;
  /**
   * The precision: `fp32`, `int16` or `bf16`. By default the fastest that the processor supports;
   * the difference is inaudible.
   */
  precision?: "auto" | "fp32" | "bf16" | "int16" | (string & {}) | undefined;
  /** Words and their reading: IPA between slashes (`{Siobhan: "/ʃɪˈvɔːn/"}`) or other words. */
  pronunciations?: Readonly<Record<string, string>> | ReadonlyMap<string, string> | undefined;
  /**
   * The size in bytes of the cache of sentence audio, for requests that repeat sentences: 256 MiB
   * hold 46 minutes. A cached sentence has the same bytes as a computed one. By default 0, which
   * disables the cache.
   */
  cache?: number | undefined;
}

/**
 * A loaded voice bundle, ready to speak. It uses up to 190 MB: load one and share it.
 *
 * All work runs on the library's own threads: none on the event loop, and none in its thread pool.
 * The speech of a request does not depend on requests computed at the same time.
 *
 * ```ts
 * const engine = await Engine.load();
 * const audio = await engine.synthesize("Hello, world.");
 * await audio.save("hello.wav");
 * ```
 */
export class Engine extends SpeechEngine {
  readonly #native: NativeEngine;
  readonly #running = new Running();
  #closed = false;

  private constructor(key: symbol, engine: NativeEngine) {
    checkInternal(key, "use `await Engine.load()`");
    super();
    this.#native = engine;
  }

  /**
   * Loads an engine.
   *
   * @throws {SpeechError} `model_error` if the voice bundle is missing, damaged or of the wrong
   * version;
   * `invalid_request` for an option out of range.
   */
  static async load(options?: EngineOptions): Promise<Engine> {
    return new Engine(INTERNAL, unwrap(await native.Engine.load(nativeOptions(options))));
  }

  /** The number of threads that compute one sentence. */
  get threads(): number {
    return this.#native.threads;
  }

  /** The kernels in use, such as `avx512`. */
  get kernels(): string {
    return this.#native.kernels;
  }

  /** The precision of the matrix products: `fp32`, `int16` or `bf16`. */
  get precision(): string {
    return this.#native.precision;
  }

  /** Whether the engine is closed. */
  get closed(): boolean {
    return this.#closed;
  }

  /** @internal */
  protected override beginSpeech(request: RawRequest): Speaking {
    const cancel = this.#native.cancel();
    const result = this.#running.result(this.#native.synthesize(request, cancel));
    return { result, cancel: () => cancel.cancel() };
  }

  /** @internal */
  protected override beginStream(request: RawRequest): StreamSource {
    return new WholeSource(unwrap(this.#native.stream(request)), this.#running);
  }

  /** @internal */
  protected override beginLive(request: RawRequest, kind: "live" | "streamLong"): LiveSource {
    return new PushedSource(unwrap(this.#native[kind](request)), this.#running);
  }

  /**
   * The quality levels that the voice bundle has for a voice in a language, the best first: the
   * values of `quality` besides `auto`. Empty if the bundle lacks the voice in this language.
   *
   * @throws {SpeechError} `invalid_request` for an unsupported voice or language.
   */
  qualities(voice: VoiceId | (string & {}), language: Language | (string & {})): Quality[] {
    const names = this.#native.qualities(checks.string("voice", voice), checks.string("language", language));
    return unwrap(names) as Quality[];
  }

  /**
   * Synthesizes a few words and discards them, so that the first request is as fast as the others.
   * Computes nothing if the engine's cache has these words.
   */
  async warmUp(): Promise<void> {
    await this.#running.result(this.#native.warmUp());
  }

  /**
   * Frees the scratch memory kept for the next request (up to about 64 MB), and empties the cache:
   * for when the application will not speak for a while, or memory is short. The voices stay
   * loaded. Running requests are not affected.
   *
   * @throws {SpeechError} `invalid_request` if the engine is closed.
   */
  trim(): void {
    unwrap(this.#native.trim());
  }

  override async close(): Promise<void> {
    this.#closed = true;
    this.#native.close();
    await this.#running.ended();
  }
}

/** The names of all options of an engine. */
const OPTIONS = ["bundle", "mapBundle", "threads", "maxConcurrency", "kernels", "precision", "pronunciations", "cache"];

/** Checks the types and ranges of the options, and converts them for the native module. */
function nativeOptions(options: EngineOptions | undefined): NativeOptions {
  const values = checks.options("options", options, OPTIONS);
  const string = (option: string) =>
    checks.optional(values[option], (value) => checks.string(option, value));
  const threads = (option: string) =>
    checks.optional(values[option], (value) => checks.integer(option, value, 1, MAX_THREADS));
  const checked = {
    bundle: checks.optional(values["bundle"], bundle) ?? installedBundle(),
    mapBundle: checks.optional(values["mapBundle"], (value) => checks.boolean("mapBundle", value)),
    threads: threads("threads"),
    maxConcurrency: threads("maxConcurrency"),
    kernels: string("kernels"),
    precision: string("precision"),
  };
  const present = Object.entries(checked).filter(([, value]) => value !== undefined);
  const pronunciations = checks.pronunciations(values["pronunciations"]).flat();
  const cache = checks.optional(values["cache"], (value) => checks.integer("cache", value, 0, Number.MAX_SAFE_INTEGER));
  return { ...Object.fromEntries(present), pronunciations, cache: cache ?? 0 };
}

function bundle(value: unknown): string | Buffer {
  if (value instanceof Uint8Array) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
  if (value instanceof URL || (typeof value === "string" && /^file:\/\//i.test(value))) return pathOf(value);
  if (typeof value === "string") return checks.string("bundle", value);
  throw invalidRequest("bundle must be a path or a file URL, or the bytes of a tar file");
}

function pathOf(url: string | URL): string {
  try {
    return fileURLToPath(url);
  } catch {
    throw invalidRequest("bundle is a URL, but none of a file on this machine");
  }
}

/** The bundle in the package `libspeech-sdk-voices`, unless the environment names another. */
function installedBundle(): string | undefined {
  if (process.env["SPEECH_BUNDLE"]) return undefined;
  try {
    const manifest = createRequire(__filename).resolve("libspeech-sdk-voices/package.json");
    // Native code reads the voices and cannot look into an asar archive of Electron, which unpacks
    // them beside the archive.
    const directory = dirname(manifest).replace(/app\.asar(?=[\\/])/, "app.asar.unpacked");
    const bundle = join(directory, "bundle");
    return existsSync(bundle) ? bundle : undefined;
  } catch {
    return undefined;
  }
}
