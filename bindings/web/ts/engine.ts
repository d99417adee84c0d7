import { Audio, type RawAudio } from "./audio.js";
import * as checks from "./checks.js";
import { Client } from "./client.js";
import { SpeechError, abortError, cancelledError, invalidRequest, throwIfAborted } from "./errors.js";
import { LiveStream, type Pieces, checkedPieces } from "./live.js";
import type { LoadOptions, LoadProgress, ModuleKind, RawEngine, RawLive, RawStream } from "./protocol.js";
import {
  type Language,
  type LongRequest,
  type Quality,
  type RawRequest,
  type SpeechRequest,
  type SpeechSettings,
  type VoiceId,
  rawRequest,
  rawSettings,
} from "./request.js";
import { Stream } from "./stream.js";
import { VOICES } from "./release.js";
import type { VoicesBundle } from "./voices-file.js";

/** The upper limit of `threads`. */
const MAX_THREADS = 16;

/** How to load an engine. Other names, and `null`, are refused. */
export interface EngineOptions {
  /**
   * The voices: the address of `libspeech-voices-compact.tar.gz` on your server, or of another `bundle`, which is fetched once and
   * kept on the device; or the file itself, as a `Blob` or its bytes.
   */
  voices: string | URL | Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;
  /** Which file of the release `voices` is. By default `compact`; without meaning if `checkVersion` is `false`. */
  bundle?: VoicesBundle | undefined;
  /**
   * Whether the voices must be those of this version, which are checked by their SHA-256. By default they must; `false` for a bundle
   * of your own.
   */
  checkVersion?: boolean | undefined;
  /** Whether voices that were fetched are kept on the device for the next visit. By default they are. */
  store?: boolean | undefined;
  /** Called while the voices are fetched and prepared. */
  onProgress?: ((progress: LoadProgress) => void) | undefined;
  /**
   * The threads that one sentence is computed with, 1 to 16. More than one only in a page that is cross-origin isolated: there by
   * default the processor's, but 4 at most.
   */
  threads?: number | undefined;
  /** Words, and how to read them: IPA between slashes (`{Siobhan: "/ʃɪˈvɔːn/"}`) or other words. */
  pronunciations?: Readonly<Record<string, string>> | ReadonlyMap<string, string> | undefined;
  /** Stops loading. */
  signal?: AbortSignal | undefined;
}

/** Options of one request. */
export interface CallOptions {
  /**
   * Cancels it: it is rejected at once with an `AbortError`, a `SpeechError` with `cancelled`. In a page that is cross-origin
   * isolated the computation stops within milliseconds, else at the end of its sentence.
   */
  signal?: AbortSignal | undefined;
}

/**
 * Loaded voices, ready to speak, in a worker of their own: the page never waits. They hold some 250 MB: load one engine, and share it.
 *
 * ```ts
 * const engine = await Engine.load({ voices: "/libspeech-voices-compact.tar.gz" });
 * const audio = await engine.synthesize("Hello, world.");
 * document.querySelector("audio").src = URL.createObjectURL(audio.toBlob());
 * ```
 */
export class Engine {
  readonly #client: Client;
  readonly #raw: RawEngine;
  #closed = false;

  private constructor(client: Client, raw: RawEngine) {
    this.#client = client;
    this.#raw = raw;
  }

  /**
   * Loads an engine.
   *
   * @throws {SpeechError} `model_error` if the voices cannot be fetched (its `detail` is `download_failed`), are damaged or of
   * another version or bundle, or if the browser has no WebAssembly with SIMD (`unsupported_browser`); `invalid_request` for an
   * option of the wrong type or value; `cancelled`.
   */
  static async load(options: EngineOptions): Promise<Engine> {
    const { signal, onProgress, ...load } = checkedOptions(options);
    throwIfAborted(signal);
    const client = new Client(onProgress);
    const abort = () => client.fail(abortError(signal!));
    signal?.addEventListener("abort", abort, { once: true });
    try {
      const raw = await client.ask<RawEngine>({ ask: "load", options: { ...load, cancelled: client.cancelled } });
      return new Engine(client, raw);
    } catch (error) {
      client.fail(error instanceof SpeechError ? error : cancelledError());
      throw error;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  /** The threads that one sentence is computed with. */
  get threads(): number {
    return this.#raw.threads;
  }

  /** The kernels that speech is computed with: `simd128`. */
  get kernels(): string {
    return this.#raw.kernels;
  }

  /** The precision that the matrix products are computed in: `int16`. */
  get precision(): string {
    return this.#raw.precision;
  }

  /** The build of the module: `simd`, `relaxed` (relaxed SIMD) or `threads` (that, and threads). */
  get module(): ModuleKind {
    return this.#raw.module;
  }

  /** Whether the voices are kept on the device for the next visit. */
  get stored(): boolean {
    return this.#raw.stored;
  }

  /** Whether it was closed, or has failed. */
  get closed(): boolean {
    return this.#closed || this.#client.failure !== undefined;
  }

  /**
   * Speaks a whole text.
   *
   * @throws {SpeechError} `empty_text`, `text_too_long` or `invalid_request` for a request that is refused, such as one with
   * `latency: "low"` (its `detail` is `latency_needs_stream`); `cancelled`.
   */
  async synthesize(request: string | SpeechRequest, options?: CallOptions): Promise<Audio> {
    const raw = rawRequest(request);
    const signal = this.#begin(options);
    return new Promise<Audio>((resolve, reject) => {
      let requestId: string | undefined;
      const abort = () => {
        this.#client.close(number);
        reject(abortError(signal!, requestId));
      };
      const settled = () => signal?.removeEventListener("abort", abort);
      const number = this.#client.number({
        chunk: (chunk, pcm) => resolve(new Audio(chunk as RawAudio, pcm)),
        live: () => undefined,
        ended: (error) => {
          settled();
          if (error !== undefined) reject(error);
        },
      });
      signal?.addEventListener("abort", abort, { once: true });
      this.#client.ask<{ requestId: string }>({ ask: "synthesize", number, request: raw }).then(
        (begun) => {
          requestId = begun.requestId;
        },
        (error: unknown) => {
          settled();
          this.#client.close(number);
          reject(error);
        },
      );
    });
  }

  /**
   * Speaks a text a sentence at a time.
   *
   * @throws {SpeechError} for a request that is refused.
   */
  async stream(request: string | SpeechRequest, options?: CallOptions): Promise<Stream> {
    const raw = rawRequest(request);
    const signal = this.#begin(options);
    return Stream.of(this.#client, signal, (number) =>
      this.#client.ask<RawStream>({ ask: "stream", number, request: raw }),
    );
  }

  /**
   * Speaks a text that arrives in pieces, such as the tokens of a language model, while it arrives.
   *
   * @throws {SpeechError} `invalid_request` for settings that are refused.
   */
  async live(settings?: SpeechSettings, options?: CallOptions): Promise<LiveStream> {
    return this.#live("live", rawSettings(settings), options);
  }

  /**
   * Speaks the text that an iterable gives, while it arrives. What it throws stops the speech, and is thrown to the reader of the
   * chunks; the end of the speech closes it.
   *
   * @throws {SpeechError} `invalid_request` for settings that are refused.
   */
  async speakLive(pieces: Pieces, settings?: SpeechSettings, options?: CallOptions): Promise<LiveStream> {
    return this.#live("live", rawSettings(settings), options, checkedPieces(pieces));
  }

  /**
   * Speaks a text of any length, a sentence at a time. The spans of its chunks are in the whole text:
   * `chunk.span.end / text.length` is the progress.
   *
   * @throws {SpeechError} `empty_text` or `invalid_request` for a request that is refused.
   */
  async streamLong(request: string | LongRequest, options?: CallOptions): Promise<LiveStream> {
    return this.#live("streamLong", rawRequest(request), options);
  }

  /**
   * Splits a text into parts of at most so many characters, at the ends of sentences as far as that is possible.
   *
   * @throws {SpeechError} `invalid_request`.
   */
  async splitText(text: string, maxCharacters = 1000): Promise<string[]> {
    this.#begin(undefined);
    checks.string("text", text);
    checks.integer("maxCharacters", maxCharacters, 1, 0x7fff_ffff);
    return this.#client.ask<string[]>({ ask: "splitText", text, maxCharacters });
  }

  /**
   * The qualities that the voice bundle has for a voice in a language, the best first: what `quality` may be, beside `auto`. None if
   * it lacks the voice in this language.
   *
   * @throws {SpeechError} `invalid_request` for an unsupported voice or language.
   */
  async qualities(voice: VoiceId | (string & {}), language: Language | (string & {})): Promise<Quality[]> {
    this.#begin(undefined);
    checks.string("voice", voice);
    checks.string("language", language);
    return this.#client.ask<Quality[]>({ ask: "qualities", voice, language });
  }

  /** Synthesizes a few words and discards them, so that the first request is as fast as the others. */
  async warmUp(): Promise<void> {
    this.#begin(undefined);
    await this.#client.ask({ ask: "warmUp" });
  }

  /** Cancels every request, and ends the worker with all that it holds. Later requests are refused. */
  close(): void {
    this.#closed = true;
    this.#client.fail(cancelledError());
  }

  async #live(
    ask: "live" | "streamLong",
    request: RawRequest,
    options: CallOptions | undefined,
    pieces?: Pieces,
  ): Promise<LiveStream> {
    const signal = this.#begin(options);
    const begin = (number: number) => this.#client.ask<RawLive>({ ask, number, request });
    return LiveStream.of(this.#client, signal, begin, pieces);
  }

  /** The signal of a request, unless nothing can be asked for. */
  #begin(options: CallOptions | undefined): AbortSignal | undefined {
    const signal = checks.signal(checks.options("options", options, ["signal"])["signal"]);
    throwIfAborted(signal);
    if (this.#closed) throw invalidRequest("the engine is closed");
    return signal;
  }
}

/** The names of all options of an engine. */
const OPTIONS = ["voices", "bundle", "checkVersion", "store", "onProgress", "threads", "pronunciations", "signal"];

interface Checked extends Omit<LoadOptions, "cancelled"> {
  signal: AbortSignal | undefined;
  onProgress: (progress: LoadProgress) => void;
}

function checkedOptions(options: EngineOptions): Checked {
  const values = checks.fields("options", options, OPTIONS);
  const checksVersion = checks.optional(values["checkVersion"], (value) => checks.boolean("checkVersion", value)) ?? true;
  const bundle = checkedBundle(values["bundle"]);
  const onProgress = values["onProgress"] ?? (() => undefined);
  if (typeof onProgress !== "function") throw invalidRequest("onProgress must be a function");
  return {
    voices: checkedVoices(values["voices"]),
    file: checksVersion ? VOICES?.[bundle] : undefined,
    store: checks.optional(values["store"], (value) => checks.boolean("store", value)) ?? true,
    threads: checks.optional(values["threads"], (value) => checks.integer("threads", value, 1, MAX_THREADS)) ?? 0,
    kernels: "auto",
    pronunciations: pronunciations(values["pronunciations"]),
    // Written so that bundlers see the files.
    modules: {
      simd: new URL("./speech.wasm", import.meta.url).href,
      relaxed: new URL("./speech-relaxed.wasm", import.meta.url).href,
      threads: new URL("./speech-threads.wasm", import.meta.url).href,
    },
    onProgress: onProgress as (progress: LoadProgress) => void,
    signal: checks.signal(values["signal"]),
  };
}

function checkedVoices(value: unknown): string | Blob {
  if (typeof value === "string" || value instanceof URL) {
    try {
      return new URL(value, document.baseURI).href;
    } catch {
      throw invalidRequest("voices is no address");
    }
  }
  if (value instanceof Blob) return value;
  if (value instanceof ArrayBuffer || value instanceof Uint8Array) return new Blob([value as BlobPart]);
  throw invalidRequest("voices must be an address, or a file of the voices: a Blob or its bytes");
}

function checkedBundle(value: unknown): VoicesBundle {
  if (value === undefined) return "compact";
  if (value !== "compact" && value !== "light") throw invalidRequest("bundle must be compact or light");
  return value;
}

/** Words and their readings. */
function pronunciations(value: unknown): [string, string][] {
  const isRecord = Object.prototype.toString.call(value) === "[object Object]";
  if (value !== undefined && !(value instanceof Map) && !isRecord) {
    throw invalidRequest("pronunciations must be an object or a Map of strings");
  }
  const entries: Iterable<[unknown, unknown]> = value instanceof Map ? value : Object.entries(value ?? {});
  return [...entries].map(([words, reading]) => [
    checks.string("the words of a pronunciation", words),
    checks.string("a pronunciation", reading),
  ]);
}
