import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

import { Audio } from "./audio.js";
import * as checks from "./checks.js";
import { aborted, invalid, unwrap } from "./errors.js";
import {
  type Failure,
  type NativeCancel,
  type NativeEngine,
  type NativeOptions,
  isFailure,
  native,
} from "./native.js";
import { type SpeechRequest, fields } from "./request.js";
import { Stream } from "./stream.js";

/** The most threads or sessions. */
const MAX_THREADS = 256;

/** How to load an engine. Every option has a default. */
export interface EngineOptions {
  /**
   * The voice bundle: its directory, a tar file of it, or the bytes of one. By default `SPEECH_BUNDLE`, then the package
   * `libspeech-sdk-voices`, then the one in the user's cache.
   */
  bundle?: string | Uint8Array | undefined;
  /** The threads that one sentence is computed with, 1 to 256. By default the processor's, but 4 at most. */
  threads?: number | undefined;
  /** How many sentences may be computed at once, 1 to 256; others wait their turn. By default 1. */
  sessions?: number | undefined;
  /** The instructions to compute with, such as `avx2`. By default the fastest that the processor has. */
  kernels?: string | undefined;
  /** `fp32` or `bf16`. By default bf16 where the processor has fast instructions for it, which cannot be heard. */
  precision?: string | undefined;
  /** Words, and how to read them: IPA between slashes (`{Siobhan: "/ʃɪˈvɔːn/"}`) or other words. */
  pronunciations?: Readonly<Record<string, string>> | undefined;
}

/** What a request can be stopped by. */
export interface CallOptions {
  /** Stops it, even inside a running computation: it is rejected with an `AbortError`, a `SpeechError` with `cancelled`. */
  signal?: AbortSignal | undefined;
}

/**
 * A loaded voice bundle, ready to speak. It holds some 200 MB: load one, and share it.
 *
 * All work is done on threads of the library's own, and none of the event loop or of its pool. What an engine answers does
 * not depend on how much is asked of it at once.
 *
 * ```ts
 * const engine = await Engine.load();
 * const audio = await engine.synthesize("Hello, world.");
 * await audio.save("hello.wav");
 * ```
 */
export class Engine implements Disposable, AsyncDisposable {
  readonly #native: NativeEngine;
  readonly #running = new Set<Promise<unknown>>();
  #closed = false;

  private constructor(engine: NativeEngine) {
    this.#native = engine;
  }

  /**
   * Loads an engine.
   *
   * @throws {SpeechError} `model_error` if the voice bundle is missing, damaged or of the wrong version;
   * `invalid_request` for an option out of range.
   */
  static async load(options?: EngineOptions): Promise<Engine> {
    const given = loading(options);
    return new Engine(unwrap(advised(await native.Engine.load(given))));
  }

  /** The threads that one sentence is computed with. */
  get threads(): number {
    return this.#native.threads;
  }

  /** The instructions that speech is computed with, such as `avx512`. */
  get kernels(): string {
    return this.#native.kernels;
  }

  /** What the products are computed in: `fp32` or `bf16`. */
  get precision(): string {
    return this.#native.precision;
  }

  /** Whether it was closed. */
  get closed(): boolean {
    return this.#closed;
  }

  /**
   * Speaks a whole text.
   *
   * @throws {SpeechError} `empty_text`, `text_too_long` or `invalid_request` for a request that is refused; `cancelled`.
   */
  async synthesize(request: string | SpeechRequest, options?: CallOptions): Promise<Audio> {
    const given = fields(request, "wav");
    const signal = stopping(options);
    const raw = await this.#run(signal, (cancel) => this.#native.synthesize(given, cancel));
    return Audio.of(unwrap(raw));
  }

  /**
   * Speaks a text a sentence at a time.
   *
   * @throws {SpeechError} for a request that is refused, at once.
   */
  stream(request: string | SpeechRequest, options?: CallOptions): Stream {
    const given = fields(request, "pcm");
    const signal = stopping(options);
    refuseAborted(signal);
    const cancel = this.#native.cancel();
    return Stream.of(unwrap(this.#native.stream(given, cancel)), cancel, signal);
  }

  /** Speaks a few words that nobody hears, so that the first request finds everything in memory. */
  async warmUp(): Promise<void> {
    unwrap(await this.#native.warmUp());
  }

  /** Stops all that it does, and forgets what it has loaded. Whatever is asked of it then is refused. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#native.close();
    await Promise.allSettled(this.#running);
  }

  /** Closes it, without waiting until what runs has ended. */
  [Symbol.dispose](): void {
    void this.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #run<T>(
    signal: AbortSignal | undefined,
    begin: (cancel: NativeCancel) => Promise<T>,
  ): Promise<T> {
    refuseAborted(signal);
    const cancel = this.#native.cancel();
    const abort = () => cancel.cancel();
    signal?.addEventListener("abort", abort, { once: true });
    const ended = begin(cancel);
    this.#running.add(ended);
    try {
      const outcome = await ended;
      refuseAborted(signal, isFailure(outcome) ? outcome : undefined);
      return outcome;
    } finally {
      this.#running.delete(ended);
      signal?.removeEventListener("abort", abort);
    }
  }
}

function stopping(options: CallOptions | undefined): AbortSignal | undefined {
  return checks.signal(checks.options("options", options)["signal"]);
}

function refuseAborted(signal: AbortSignal | undefined, request?: { requestId: string }): void {
  if (signal?.aborted === true) throw aborted(signal, request);
}

function loading(options: EngineOptions | undefined): NativeOptions {
  const given = checks.options("options", options);
  const name = (option: string) =>
    checks.optional(given[option], (value) => checks.string(option, value));
  const number = (option: string) =>
    checks.optional(given[option], (value) => checks.count(option, value, 1, MAX_THREADS));
  const chosen = {
    bundle: checks.optional(given["bundle"], bundle) ?? found(),
    threads: number("threads"),
    sessions: number("sessions"),
    kernels: name("kernels"),
    precision: name("precision"),
  };
  const present = Object.entries(chosen).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(present), pronunciations: entries(given["pronunciations"]) };
}

/** A failure of the core, which speaks to programs in every language, in the words of this one. */
function advised<T>(outcome: T | Failure): T | Failure {
  if (!isFailure(outcome) || !outcome.message.startsWith("no voice bundle")) return outcome;
  const message =
    "no voice bundle: `npm install libspeech-sdk-voices` brings one; or give its directory, or set SPEECH_BUNDLE";
  return { ...outcome, message };
}

function bundle(value: unknown): string | Buffer {
  if (value instanceof Uint8Array) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
  if (typeof value === "string") return checks.string("bundle", value);
  throw invalid("bundle must be a path, or the bytes of a tar file");
}

/** The bundle of the package with the voices, unless the environment names another. */
function found(): string | undefined {
  if (process.env["SPEECH_BUNDLE"]) return undefined;
  try {
    const manifest = createRequire(__filename).resolve("libspeech-sdk-voices/package.json");
    // Nothing can be mapped into memory from inside an archive of Electron; its packagers unpack this package.
    const directory = dirname(manifest).replace(/app\.asar(?=[\\/])/, "app.asar.unpacked");
    const bundle = join(directory, "bundle");
    return existsSync(bundle) ? bundle : undefined;
  } catch {
    return undefined;
  }
}

function entries(pronunciations: unknown): string[] {
  const given = checks.options("pronunciations", pronunciations ?? undefined);
  return Object.entries(given).flatMap(([words, reading]) => [
    checks.string("the words of a pronunciation", words),
    checks.string("a pronunciation", reading),
  ]);
}
