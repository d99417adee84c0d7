import { setTimeout as delay } from "node:timers/promises";

import * as checks from "./checks.js";
import type { Chunk, Diagnostic } from "./audio.js";
import { invalidRequest, unwrap } from "./errors.js";
import { INTERNAL, checkInternal } from "./internal.js";
import type { NativeCancel, NativeLiveStream } from "./native.js";
import { ChunkStream } from "./stream.js";

/** How long a source of pieces waits while so much text waits to be spoken that no more is taken, in milliseconds. */
const FULL_MS = 20;

/** The pieces of a text, such as the tokens of a language model. */
export type Pieces = AsyncIterable<string> | Iterable<string>;

/**
 * The speech of a text that is pushed in pieces.
 *
 * It is an `AsyncIterable` of {@link Chunk}, as a {@link Stream} is. A sentence is spoken when it is certain that it has
 * ended, so nothing is spoken that later text would have changed. With `latency: "low"` the beginning of a sentence is spoken
 * before its end is known, while nothing else is left to be heard. One chunk is computed ahead, and no more than that. Of an
 * iterable, `speakLive` takes 16 KiB of text ahead of the speech.
 *
 * ```ts
 * const live = engine.live({ voice: "leo" });
 * model.on("token", (token) => live.push(token));
 * model.on("end", () => live.finish());
 * for await (const chunk of live) play(chunk.pcm);
 * ```
 */
export class LiveStream extends ChunkStream {
  readonly #native: NativeLiveStream;
  /** The high surrogate at the end of the last piece; its pair is in the next piece. */
  #highSurrogate = "";
  /** What gives the text, until it is asked for. */
  #pieces: Pieces | undefined;
  /** Where the text comes from, until it has ended. */
  #source: AsyncIterator<string> | Iterator<string> | undefined;

  private constructor(
    key: symbol,
    native: NativeLiveStream,
    cancel: NativeCancel,
    signal: AbortSignal | undefined,
    pieces: Pieces | undefined,
  ) {
    checkInternal(key, "Engine.live gives streams");
    super(native, cancel, signal);
    this.#native = native;
    this.#pieces = pieces;
  }

  /** @internal */
  static of(
    native: NativeLiveStream,
    cancel: NativeCancel,
    signal: AbortSignal | undefined,
    pieces?: Pieces,
  ): LiveStream {
    return new LiveStream(INTERNAL, native, cancel, signal, pieces);
  }

  /**
   * Adds a piece of text of any length: a token, half a word, a page.
   *
   * @throws {SpeechError} `cancelled` if the speech was stopped or has failed; `invalid_request` after `finish`, and for what
   * is no string or has a NUL character: then nothing is added.
   */
  push(piece: string): void {
    if (typeof piece !== "string") checks.string("piece", piece);
    const text = this.#highSurrogate + piece;
    const end = /[\uD800-\uDBFF]$/.test(text) ? text.length - 1 : text.length;
    unwrap(this.#native.push(checks.string("piece", text.slice(0, end))));
    this.#highSurrogate = text.slice(end);
  }

  /** Has everything spoken that was pushed, as if a sentence ended there. */
  flush(): void {
    this.#native.flush();
  }

  /**
   * Ends the text: what is left is spoken, and then the stream ends. Calling it again does nothing.
   *
   * @throws {SpeechError} `invalid_request` if half a surrogate pair is at the end of the text; it is ended all the same.
   */
  finish(): void {
    const rest = this.#highSurrogate;
    this.#highSurrogate = "";
    this.#native.finish();
    checks.string("the text", rest);
  }

  /** Stops the speech at once, as when the user begins to talk; the same as `close`. `heardAt` tells what was heard by then. */
  cancel(): void {
    this.close();
  }

  /**
   * How much of the text has been said when playback is at so many seconds from the start of the stream: the end of the last
   * word that was heard to its end, in UTF-16 code units of all that was pushed, or 0.
   */
  heardAt(seconds: number): number {
    return this.#native.heardAt(checks.number("seconds", seconds));
  }

  /** The metered quantity: the characters (Unicode scalar values) that were pushed so far. */
  get characters(): number {
    return this.#native.characters;
  }

  /** Notes on how the text was read so far: what was not spoken, in the first 10,000 places. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#native.diagnostics;
  }

  override next(): Promise<IteratorResult<Chunk, undefined>> {
    const pieces = this.#pieces;
    this.#pieces = undefined;
    if (pieces !== undefined && !this.closed) void this.#take(pieces);
    return super.next();
  }

  /** Pushes the pieces as they come. */
  async #take(pieces: Pieces): Promise<void> {
    try {
      const source = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
      this.#source = source;
      for (let next = await source.next(); next.done !== true; next = await source.next()) {
        if (this.closed) return;
        this.push(next.value);
        // Pieces that are all there would keep the event loop from everything else.
        await new Promise(setImmediate);
        while (this.#native.isFull && !this.closed) await delay(FULL_MS);
      }
      this.#source = undefined;
      this.finish();
    } catch (error) {
      this.fail(error);
    }
  }

  /** @internal */
  protected override ended(): void {
    const source = this.#source;
    this.#source = undefined;
    // What a source does at its end is not the reader's concern.
    if (source !== undefined) void (async () => source.return?.())().catch(() => undefined);
  }
}

/**
 * The pieces of a text, of the right type.
 *
 * @internal
 */
export function checkedPieces(value: unknown): Pieces {
  if (typeof value === "object" && value !== null) {
    if (Symbol.asyncIterator in value || Symbol.iterator in value) return value as Pieces;
  }
  throw invalidRequest("pieces must be an iterable or an async iterable of strings");
}
