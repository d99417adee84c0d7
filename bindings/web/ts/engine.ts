import type { RawAudio } from "./audio.js";
import * as checks from "./checks.js";
import { Client } from "./client.js";
import { SpeechError, abortError, cancelledError, invalidRequest, throwIfAborted } from "./errors.js";
import { INTERNAL, checkInternal, collected } from "./internal.js";
import { Lexicon } from "./lexicon.js";
import type { LiveSource } from "./live.js";
import { requestId } from "./platform.js";
import type { LoadOptions, LoadProgress, ModuleKind, RawEngine } from "./protocol.js";
import { VOICES } from "./release.js";
import type { Language, Quality, RawRequest, VoiceId } from "./request.js";
import { WorkerSource } from "./source.js";
import { type Speaking, SpeechEngine } from "./speech-engine.js";
import type { StreamSource } from "./stream.js";
import type { VoicesBundle } from "./voices-file.js";

/** The upper limit of `threads`. */
const MAX_THREADS = 16;

/** The number of the last lexicon of the page. */
let lastLexicon = 0;

/** The options of an engine. Unknown names and `null` are rejected. */
export interface EngineOptions {
  /**
   * The voices: the address of `libspeech-voices-compact.tar.gz` on your server, or of another
   * `bundle`, fetched once and stored on the device; or the file itself, as a `Blob` or its bytes.
   */
  voices: string | URL | Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;
  /** The release file in `voices`. By default `compact`; ignored if `checkVersion` is `false`. */
  bundle?: VoicesBundle | undefined;
  /**
   * Whether the voices must be those of this version, checked by SHA-256. By default `true`; set
   * `false` for a bundle of your own.
   */
  checkVersion?: boolean | undefined;
  /** Whether fetched voices are stored on the device for the next visit. By default `true`. */
  store?: boolean | undefined;
  /** Called while the voices are fetched and prepared. */
  onProgress?: ((progress: LoadProgress) => void) | undefined;
  /**
   * The number of threads that compute one sentence, 1 to 16. More than one needs a cross-origin
   * isolated page; there the default is the number of processors, but at most 4.
   */
  threads?: number | undefined;
  /** Words and their reading: IPA between slashes (`{Siobhan: "/ʃɪˈvɔːn/"}`) or other words. */
  pronunciations?: Readonly<Record<string, string>> | ReadonlyMap<string, string> | undefined;
  /**
   * The size in bytes of the cache of sentence audio, for requests that repeat sentences: 16 MB
   * hold almost 3 minutes. A cached sentence has the same bytes as a computed one. By default 0,
   * which disables the cache; at most 2^29, half of the module's maximum memory.
   */
  cache?: number | undefined;
  /** Stops loading. */
  signal?: AbortSignal | undefined;
}

/**
 * Loaded voices, ready to speak, in a worker of their own: the page never blocks. They use about
 * 250 MB: load one engine and share it.
 *
 * ```ts
 * const engine = await Engine.load({ voices: "/libspeech-voices-compact.tar.gz" });
 * const audio = await engine.synthesize("Hello, world.");
 * document.querySelector("audio").src = URL.createObjectURL(audio.toBlob());
 * ```
 */
export class Engine extends SpeechEngine {
  readonly #client: Client;
  readonly #raw: RawEngine;
  #closed = false;

  private constructor(key: symbol, client: Client, raw: RawEngine) {
    checkInternal(key, "use `await Engine.load()`");
    super();
    this.#client = client;
    this.#raw = raw;
  }

  /**
   * Loads an engine.
   *
   * @throws {SpeechError} `model_error` if the voices cannot be fetched (its `detail` is
   * `download_failed`), are damaged or of another version or bundle, or if the browser has no
   * workers or no WebAssembly with SIMD (`unsupported_browser`);
   * `invalid_request` for an option of the wrong type or value; `cancelled`.
   */
  static async load(options: EngineOptions): Promise<Engine> {
    const { signal, onProgress, ...load } = checkedOptions(options);
    throwIfAborted(signal);
    const client = new Client(onProgress);
    const abort = () => client.fail(abortError(signal!));
    signal?.addEventListener("abort", abort, { once: true });
    try {
      const raw = await client.ask<RawEngine>({ ask: "load", options: { ...load, cancelled: client.cancelled } });
      return new Engine(INTERNAL, client, raw);
    } catch (error) {
      client.fail(error instanceof SpeechError ? error : cancelledError());
      throw error;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  /** The number of threads that compute one sentence. */
  get threads(): number {
    return this.#raw.threads;
  }

  /** The kernels in use: `simd128`. */
  get kernels(): string {
    return this.#raw.kernels;
  }

  /** The precision of the matrix products: `int16`. */
  get precision(): string {
    return this.#raw.precision;
  }

  /**
   * The build of the module: `simd`, `relaxed` (relaxed SIMD) or `threads` (relaxed SIMD and
   * threads).
   */
  get module(): ModuleKind {
    return this.#raw.module;
  }

  /** Whether the voices are stored on the device for the next visit. */
  get stored(): boolean {
    return this.#raw.stored;
  }

  /** Whether the engine is closed or has failed. */
  get closed(): boolean {
    return this.#closed || this.#client.failure !== undefined;
  }

  /** @internal */
  protected override beginSpeech(request: RawRequest): Speaking {
    const client = this.#open();
    const id = requestId();
    let cancel!: () => void;
    const result = new Promise<RawAudio>((resolve, reject) => {
      const number = client.number({
        requestId: id,
        chunk: (raw) => resolve({ ...(raw as RawAudio), requestId: id }),
        live: () => undefined,
        ended: reject,
      });
      const fail = (error: unknown) => {
        client.close(number);
        reject(error);
      };
      client.ask({ ask: "synthesize", number, request }).catch(fail);
      cancel = () => fail(cancelledError({ requestId: id }));
    });
    return { result, cancel };
  }

  /** @internal */
  protected override beginStream(request: RawRequest): StreamSource {
    return new WorkerSource(this.#open(), "stream", request);
  }

  /** @internal */
  protected override beginLive(request: RawRequest, kind: "live" | "streamLong"): LiveSource {
    return new WorkerSource(this.#open(), kind, request);
  }

  /**
   * Splits a text into parts of at most `maxCharacters` each, at the ends of sentences where
   * possible.
   *
   * @throws {SpeechError} `invalid_request`.
   */
  async splitText(text: string, maxCharacters = 1000): Promise<string[]> {
    checks.string("text", text);
    checks.integer("maxCharacters", maxCharacters, 1, 0x7fff_ffff);
    return this.#open().ask<string[]>({ ask: "splitText", text, maxCharacters });
  }

  /**
   * Reads a lexicon for requests of this engine: at most 5,000 entries, one per line, the words and
   * their reading separated by a tab. Empty lines and lines that begin with `#` are comments; of
   * two entries for the same words the later one counts.
   *
   * ```ts
   * const names = await engine.parseLexicon("Siobhan\t/ʃɪˈvɔːn/\nkubectl\tcube control\n");
   * const audio = await engine.synthesize("Siobhan runs kubectl.", { lexicons: [names] });
   * ```
   *
   * @throws {SpeechError} `invalid_request`; the message names the line.
   */
  async parseLexicon(text: string): Promise<Lexicon> {
    return this.#lexicon("parseLexicon", checks.string("text", text));
  }

  /**
   * Reads a lexicon in the Pronunciation Lexicon Specification 1.0 for requests of this engine. It
   * applies to texts in the language of its `xml:lang`, and has at most 5,000 graphemes, with
   * phonemes in the alphabet `ipa` or `cmu-arpabet`.
   *
   * @throws {SpeechError} `invalid_request` for unsupported content; the message names its line and
   * column.
   */
  async parsePls(document: string): Promise<Lexicon> {
    return this.#lexicon("parsePls", checks.string("document", document));
  }

  async #lexicon(ask: "parseLexicon" | "parsePls", text: string): Promise<Lexicon> {
    const client = this.#open();
    const number = ++lastLexicon;
    const lexicon = Lexicon.of(number, await client.ask<number>({ ask, lexicon: number, text }));
    collected.register(lexicon, () => client.free(number));
    return lexicon;
  }

  /**
   * The quality levels that the voice bundle has for a voice in a language, the best first: the
   * values of `quality` besides `auto`. Empty if the bundle lacks the voice in this language.
   *
   * @throws {SpeechError} `invalid_request` for an unsupported voice or language.
   */
  async qualities(voice: VoiceId | (string & {}), language: Language | (string & {})): Promise<Quality[]> {
    checks.string("voice", voice);
    checks.string("language", language);
    return this.#open().ask<Quality[]>({ ask: "qualities", voice, language });
  }

  /**
   * Synthesizes a few words and discards them, so that the first request is as fast as the others.
   */
  async warmUp(): Promise<void> {
    await this.#open().ask({ ask: "warmUp" });
  }

  /**
   * Cancels every request, and ends the worker, which frees its memory. Later requests are rejected.
   */
  override async close(): Promise<void> {
    this.#closed = true;
    this.#client.fail(cancelledError());
  }

  /** The worker, unless the engine is closed. */
  #open(): Client {
    if (this.#closed) throw invalidRequest("the engine is closed");
    return this.#client;
  }
}

/** The names of all options of an engine. */
const OPTIONS = ["voices", "bundle", "checkVersion", "store", "onProgress", "threads", "pronunciations", "cache", "signal"];

interface Checked extends Omit<LoadOptions, "cancelled"> {
  signal: AbortSignal | undefined;
  onProgress: (progress: LoadProgress) => void;
}

function checkedOptions(options: EngineOptions): Checked {
  const values = checks.options("options", options, OPTIONS);
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
    pronunciations: checks.pronunciations(values["pronunciations"]),
    cache: checks.optional(values["cache"], (value) => checks.integer("cache", value, 0, 2 ** 29)) ?? 0,
    // Bundlers recognize this form and include the files.
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
      return new URL(value, globalThis.document?.baseURI ?? location.href).href;
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
