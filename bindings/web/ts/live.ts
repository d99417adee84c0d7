import type { Chunk, Diagnostic } from "./audio.js";
import * as checks from "./checks.js";
import type { Client } from "./client.js";
import { cancelledError, invalidRequest } from "./errors.js";
import type { RawLive } from "./protocol.js";
import { ChunkStream } from "./stream.js";

/** After so many pieces of a source the worker is asked whether it is to wait. */
const UNANSWERED = 64;

/** The pieces of a text, such as the tokens of a language model. */
export type Pieces = AsyncIterable<string> | Iterable<string>;

/**
 * The speech of a text that is pushed in pieces.
 *
 * It is an `AsyncIterable` of {@link Chunk}. A sentence is spoken when it is certain that it has ended, so nothing is spoken that
 * later text would have changed. With `latency: "low"` the beginning of a sentence is spoken before its end is known, while nothing
 * else is left to be heard. One chunk is computed ahead, and no more than that.
 *
 * ```ts
 * const live = await engine.live({ voice: "leo" });
 * model.on("token", (token) => live.push(token));
 * model.on("end", () => live.finish());
 * for await (const chunk of live) play(chunk.float32);
 * ```
 */
export class LiveStream extends ChunkStream {
  readonly #client: Client;
  #raw!: RawLive;
  #isFinished = false;
  /** The high surrogate at the end of the last piece; its pair is in the next piece. */
  #highSurrogate = "";
  /** When each word was heard to its end, and where it ends in the text. */
  readonly #heard: { end: number; offset: number }[] = [];
  /** What gives the text, until it has ended. */
  #source: AsyncIterator<string> | Iterator<string> | undefined;
  /** Takes more of it, after so much text that it had to wait. */
  #resume: (() => void) | undefined;

  private constructor(client: Client, signal: AbortSignal | undefined) {
    super(client, signal);
    this.#client = client;
  }

  /** @internal */
  static async of(
    client: Client,
    signal: AbortSignal | undefined,
    begin: (number: number) => Promise<RawLive>,
    pieces?: Pieces,
  ): Promise<LiveStream> {
    const stream = new LiveStream(client, signal);
    const begun = begin(stream.number);
    stream.begin(begun);
    stream.#raw = await begun;
    if (pieces !== undefined) void stream.#take(pieces);
    return stream;
  }

  /** The identifier of the request, a UUID. */
  get requestId(): string {
    return this.#raw.requestId;
  }

  /** The metered quantity: the characters (Unicode scalar values) that were spoken or are being spoken. */
  get characters(): number {
    return this.#raw.characters;
  }

  /** Notes on how the text was read so far: what was not spoken, in the first 10,000 places. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#raw.diagnostics;
  }

  /**
   * Adds a piece of text of any length: a token, half a word, a page.
   *
   * @throws {SpeechError} `cancelled` if the speech was stopped or has failed; `invalid_request` after `finish`, and for what
   * is no string or has a NUL character: then nothing is added.
   */
  push(piece: string): void {
    void this.#push(piece);
  }

  /** The same. The result is whether so much text waits to be spoken that a source of pieces is to wait too. */
  #push(piece: string): Promise<boolean> {
    if (typeof piece !== "string") checks.string("piece", piece);
    if (this.#isFinished) throw invalidRequest("the text is finished: nothing can be added to it");
    if (this.closed) throw cancelledError({ requestId: this.requestId });
    const text = this.#highSurrogate + piece;
    const end = /[\uD800-\uDBFF]$/.test(text) ? text.length - 1 : text.length;
    const whole = checks.string("piece", text.slice(0, end));
    if (whole.includes("\0")) throw invalidRequest("text must not contain a NUL character");
    const pushed = this.#change<boolean>({ ask: "push", number: this.number, piece: whole });
    this.#highSurrogate = text.slice(end);
    return pushed;
  }

  /** Has everything spoken that was pushed, as if a sentence ended there. */
  flush(): void {
    void this.#change({ ask: "flush", number: this.number });
  }

  /**
   * Ends the text: what is left is spoken, and then the stream ends. Calling it again does nothing.
   *
   * @throws {SpeechError} `invalid_request` if half a surrogate pair is at the end of the text; it is ended all the same.
   */
  finish(): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    const rest = this.#highSurrogate;
    this.#highSurrogate = "";
    void this.#change({ ask: "finish", number: this.number });
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
    checks.number("seconds", seconds);
    let offset = 0;
    for (const word of this.#heard) if (word.end <= seconds) offset = word.offset;
    return offset;
  }

  /** @internal */
  override live(live: RawLive): void {
    this.#raw = live;
    if (!live.isFull) this.#resume?.();
  }

  protected override taken(chunk: Chunk): void {
    this.#heard.push(...chunk.words.map(({ end, span }) => ({ end, offset: span.end })));
  }

  protected override get id(): string | undefined {
    return (this.#raw as RawLive | undefined)?.requestId;
  }

  /** The worker's answer. An error of it ends the stream, whether or not somebody waits for the answer. */
  #change<T>(ask: Parameters<Client["ask"]>[0]): Promise<T> {
    const answer = this.#client.ask<T>(ask);
    answer.catch((error: unknown) => this.fail(error));
    return answer;
  }

  /** Pushes the pieces as they come. */
  async #take(pieces: Pieces): Promise<void> {
    try {
      const source = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
      this.#source = source;
      let count = 0;
      for (let next = await source.next(); next.done !== true; next = await source.next()) {
        if (this.closed) return;
        const pushed = this.#push(next.value);
        count += 1;
        // The worker answers between two sentences: most pieces cannot wait for it.
        if (count % UNANSWERED === 0 && (await pushed)) await new Promise<void>((resolve) => (this.#resume = resolve));
      }
      this.#source = undefined;
      this.finish();
    } catch (error) {
      this.fail(error);
    }
  }

  protected override finished(): void {
    const source = this.#source;
    this.#source = undefined;
    this.#resume?.();
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
