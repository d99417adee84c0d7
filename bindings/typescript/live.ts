import type { Chunk } from "./audio.js";
import * as checks from "./checks.js";
import type { Output } from "./encoding.js";
import { cancelledError, invalidRequest } from "./errors.js";
import { INTERNAL, checkInternal } from "./internal.js";
import { Pairs } from "./pairs.js";
import { type ChunkSource, ChunkStream, countCharacters } from "./stream.js";

/** The pieces of a text, such as the tokens of a language model. */
export type Pieces = AsyncIterable<string> | Iterable<string>;

/** Where the chunks of a text come from that is pushed in pieces. */
export interface LiveSource extends ChunkSource {
  push(piece: string): void;
  flush(): void;
  finish(): void;
  heardAt(seconds: number): number;
  /** Waits while so much text waits to be spoken that no more is to be pushed. */
  room(): Promise<void>;
}

/**
 * The speech of a text that is pushed in pieces.
 *
 * It is an `AsyncIterable` of {@link Chunk}, as a {@link Stream} is. A sentence is spoken when it is certain that it has
 * ended, so nothing is spoken that later text would have changed. With `latency: "low"` the beginning of a sentence is spoken
 * before its end is known, while nothing else is left to be heard. One chunk is computed ahead, and no more than that. Of an
 * iterable, `speakLive` takes 16 KiB of text ahead of the speech.
 *
 * When the user begins to talk, `close` stops the speech at once, and `heardAt` tells what was heard by then.
 *
 * ```ts
 * const live = engine.live({ voice: "leo" });
 * model.on("token", (token) => live.push(token));
 * model.on("end", () => live.finish());
 * for await (const chunk of live) play(chunk.samples);
 * ```
 */
export class LiveStream extends ChunkStream {
  readonly #source: LiveSource;
  readonly #pairs = new Pairs();
  #characters: number;
  #isFinished: boolean;
  /** What gives the text, until it is asked for. */
  #pieces: Pieces | undefined;
  /** Where the text comes from, until it has ended. */
  #iterator: AsyncIterator<string> | Iterator<string> | undefined;

  private constructor(
    key: symbol,
    source: LiveSource,
    output: Output,
    signal: AbortSignal | undefined,
    text: string | undefined,
    pieces: Pieces | undefined,
  ) {
    checkInternal(key, "Engine.live gives streams");
    super(source, output, signal);
    this.#source = source;
    this.#characters = countCharacters(text ?? "");
    this.#isFinished = text !== undefined;
    this.#pieces = pieces;
  }

  /**
   * The stream of a text that is pushed, that an iterable gives, or that is there as a whole.
   *
   * @internal
   */
  static of(
    source: LiveSource,
    output: Output,
    signal: AbortSignal | undefined,
    from: { text?: string; pieces?: Pieces } = {},
  ): LiveStream {
    return new LiveStream(INTERNAL, source, output, signal, from.text, from.pieces);
  }

  /** The metered quantity: the characters (Unicode scalar values) that were pushed so far. */
  get characters(): number {
    return this.#characters;
  }

  /**
   * Adds a piece of text of any length: a token, half a word, a page.
   *
   * @throws {SpeechError} `cancelled` if the speech was stopped or has failed; `invalid_request` after `finish`, and for what
   * is no string or has a NUL character: then nothing is added.
   */
  push(piece: string): void {
    if (this.#isFinished) throw invalidRequest("the text is finished: nothing can be added to it");
    this.#pairs.push(piece, (text) => {
      if (this.closed) throw cancelledError({ requestId: this.requestId });
      this.#source.push(text);
      this.#characters += countCharacters(text);
    });
  }

  /** Has everything spoken that was pushed, as if a sentence ended there. */
  flush(): void {
    if (!this.closed) this.#source.flush();
  }

  /**
   * Ends the text: what is left is spoken, and then the stream ends. Calling it again does nothing.
   *
   * @throws {SpeechError} `invalid_request` if half a surrogate pair is at the end of the text; it is ended all the same.
   */
  finish(): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    if (!this.closed) this.#source.finish();
    this.#pairs.finish();
  }

  /**
   * How much of the text has been said when playback is at so many seconds from the start of the stream: the end of the last
   * word that was heard to its end, in UTF-16 code units of all that was pushed, or 0.
   */
  heardAt(seconds: number): number {
    return this.#source.heardAt(checks.number("seconds", seconds));
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
      const iterator = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
      this.#iterator = iterator;
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
        if (this.closed) return;
        this.push(next.value);
        await this.#source.room();
      }
      this.#iterator = undefined;
      this.finish();
    } catch (error) {
      this.fail(error);
    }
  }

  /** @internal */
  protected override ended(): void {
    const iterator = this.#iterator;
    this.#iterator = undefined;
    // What a source does at its end is not the reader's concern.
    if (iterator !== undefined) void (async () => iterator.return?.())().catch(() => undefined);
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
