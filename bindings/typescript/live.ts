import type { Chunk } from "./audio.js";
import * as checks from "./checks.js";
import type { Output } from "./encoding.js";
import { cancelledError, invalidRequest } from "./errors.js";
import { INTERNAL, checkInternal } from "./internal.js";
import { Pairs } from "./pairs.js";
import { type ChunkSource, ChunkStream, countCharacters } from "./stream.js";

/** The pieces of a text, such as the tokens of a language model. */
export type Pieces = AsyncIterable<string> | Iterable<string>;

/** The source of chunks for a text that is pushed in pieces. */
export interface LiveSource extends ChunkSource {
  push(piece: string): void;
  flush(): void;
  finish(): void;
  heardAt(seconds: number): number;
  /** Waits while the source has so much unspoken text that no more should be pushed. */
  room(): Promise<void>;
}

/**
 * The speech of a live text, which is pushed in pieces.
 *
 * It is an `AsyncIterable` of {@link Chunk}, like a {@link Stream}. A sentence is spoken once it is
 * decided: later text never changes how it is read. With `latency: "low"` the beginning of a
 * sentence is spoken before its end is known, if no other audio is left to play. At most one chunk
 * is computed ahead. `speakLive` reads at most 16 KiB of an iterable's text ahead of the speech.
 *
 * When the user starts to talk, `close` stops the speech at once, and `heardAt` returns how much
 * was heard by then.
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
  /** The pieces, until the first chunk is requested. */
  #pieces: Pieces | undefined;
  /** The iterator of the pieces, until the text has ended. */
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
   * The stream of a text that is pushed, that comes from an iterable, or that is complete.
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

  /** The metered quantity: the number of characters (Unicode scalar values) pushed so far. */
  get characters(): number {
    return this.#characters;
  }

  /**
   * Adds a piece of text of any length: a token, half a word, a page.
   *
   * @throws {SpeechError} `cancelled` if the speech was stopped or has failed; `invalid_request`
   * after `finish`, for a value that is not a string, and for a NUL character; the piece is then
   * not added.
   */
  push(piece: string): void {
    if (this.#isFinished) throw invalidRequest("the text is finished: nothing can be added to it");
    this.#pairs.push(piece, (text) => {
      if (this.closed) throw cancelledError({ requestId: this.requestId });
      this.#source.push(text);
      this.#characters += countCharacters(text);
    });
  }

  /** Speaks everything pushed so far, as if a sentence ended there. More text may follow. */
  flush(): void {
    if (!this.closed) this.#source.flush();
  }

  /**
   * Ends the text: the rest is spoken, and then the stream ends. Further calls do nothing.
   *
   * @throws {SpeechError} `invalid_request` if the text ends with half a surrogate pair; it is
   * ended nevertheless.
   */
  finish(): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    if (!this.closed) this.#source.finish();
    this.#pairs.finish();
  }

  /**
   * The position in the text up to which words have been heard when playback is `seconds` from the
   * start of the stream: the end of the last word heard completely, in UTF-16 code units of the
   * pushed text, or 0.
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

  /** Pushes the pieces as they arrive. */
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
    // The reader does not need errors of the source's clean-up.
    if (iterator !== undefined) void (async () => iterator.return?.())().catch(() => undefined);
  }
}

/**
 * The pieces of a text, with their type checked.
 *
 * @internal
 */
export function checkedPieces(value: unknown): Pieces {
  if (typeof value === "object" && value !== null) {
    if (Symbol.asyncIterator in value || Symbol.iterator in value) return value as Pieces;
  }
  throw invalidRequest("pieces must be an iterable or an async iterable of strings");
}
