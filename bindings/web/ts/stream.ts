import { Chunk, type Diagnostic, type RawChunk, SAMPLE_RATE } from "./audio.js";
import type { Client, Receiver } from "./client.js";
import { type SpeechError, abortError, cancelledError } from "./errors.js";
import type { RawLive, RawStream } from "./protocol.js";

/** What a call of `next` waits for. */
interface Reader {
  resolve(result: IteratorResult<Chunk, undefined>): void;
  reject(error: unknown): void;
}

/** What all streams have in common: they give chunks, once, in a loop or as a `ReadableStream`. */
export abstract class ChunkStream implements AsyncIterableIterator<Chunk>, Receiver {
  readonly #client: Client;
  readonly #signal: AbortSignal | undefined;
  /** @internal */
  protected readonly number: number;
  /** Settled when the worker has begun it. */
  #begun: Promise<unknown> | undefined;
  readonly #chunks: Chunk[] = [];
  readonly #readers: Reader[] = [];
  /** Chunks that the worker may compute and has not. */
  #credit = 0;
  #ended = false;
  #failure: unknown;

  /** @internal */
  protected constructor(client: Client, signal: AbortSignal | undefined) {
    this.#client = client;
    this.#signal = signal;
    this.number = client.number(this);
    signal?.addEventListener("abort", this.#abort, { once: true });
  }

  /** @internal */
  protected begin(begun: Promise<unknown>): void {
    this.#begun = begun;
    begun.catch((error: unknown) => this.#fail(error));
  }

  /** Samples a second, in hertz: always 22050. */
  get sampleRate(): number {
    return SAMPLE_RATE;
  }

  /** Whether it has ended, or was closed. */
  get closed(): boolean {
    return this.#ended && this.#chunks.length === 0;
  }

  /**
   * The next sentence as soon as it is computed; calls at once are answered in their order. An error ends the stream, and so
   * does a signal that is aborted.
   */
  next(): Promise<IteratorResult<Chunk, undefined>> {
    const chunk = this.#chunks.shift();
    if (chunk !== undefined) {
      this.#computeAhead();
      return Promise.resolve({ done: false, value: chunk });
    }
    if (this.#failure !== undefined) {
      const error = this.#failure;
      this.#failure = undefined;
      return Promise.reject(error);
    }
    if (this.#ended) return Promise.resolve({ done: true, value: undefined });
    const next = new Promise<IteratorResult<Chunk, undefined>>((resolve, reject) => {
      this.#readers.push({ resolve, reject });
    });
    this.#computeAhead();
    return next;
  }

  /** Has one chunk computed that nobody has asked for yet. */
  #computeAhead(): void {
    const wanted = this.#readers.length + 1 - this.#chunks.length - this.#credit;
    if (wanted <= 0 || this.#ended) return;
    this.#credit += wanted;
    // The worker must know the stream first.
    void this.#begun?.then(
      () => this.#client.credit(this.number, wanted),
      () => undefined,
    );
  }

  /** @internal */
  chunk(raw: RawChunk, pcm: Int16Array<ArrayBuffer>): void {
    this.#credit -= 1;
    const chunk = new Chunk(raw, pcm);
    this.taken(chunk);
    const reader = this.#readers.shift();
    if (reader === undefined) this.#chunks.push(chunk);
    else reader.resolve({ done: false, value: chunk });
    this.#computeAhead();
  }

  /** @internal */
  live(_live: RawLive): void {}

  /** @internal */
  ended(error: SpeechError | undefined): void {
    if (error === undefined) this.#end();
    else this.#fail(error);
  }

  /** @internal */
  protected taken(_chunk: Chunk): void {}

  /** Ends it with an error, which the next call of `next` gives.
   *
   * @internal
   */
  protected fail(error: unknown): void {
    this.#client.close(this.number);
    this.#fail(error);
  }

  readonly #abort = (): void => {
    if (this.#signal !== undefined && !this.#ended) {
      this.#chunks.length = 0;
      this.fail(abortError(this.#signal, this.id));
    }
  };

  /** @internal */
  protected get id(): string | undefined {
    return undefined;
  }

  #fail(error: unknown): void {
    if (this.#ended) return;
    const reader = this.#readers.shift();
    if (reader === undefined) this.#failure = error;
    else reader.reject(error);
    this.#end();
  }

  #end(): void {
    this.#ended = true;
    this.#signal?.removeEventListener("abort", this.#abort);
    for (const reader of this.#readers.splice(0)) reader.resolve({ done: true, value: undefined });
    this.finished();
  }

  /** @internal */
  protected finished(): void {}

  /** Stops what runs. A `next` that waits is rejected with `cancelled`. */
  close(): void {
    this.#chunks.length = 0;
    if (this.#ended) return;
    this.#client.close(this.number);
    for (const reader of this.#readers.splice(0)) reader.reject(cancelledError({ requestId: this.id }));
    this.#end();
  }

  /** Closes it; a loop that is left does. */
  async return(): Promise<IteratorResult<Chunk, undefined>> {
    this.close();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The bytes (16-bit little-endian) as a web stream, of which a sentence is asked for when there is room for it. */
  toReadableStream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        pull: async (controller) => {
          const { done, value } = await this.next();
          if (done === true) controller.close();
          else controller.enqueue(value.bytes);
        },
        cancel: () => this.close(),
      },
      { highWaterMark: 0 },
    );
  }
}

/**
 * Speech a sentence at a time: the first can be played while the next is computed.
 *
 * It is an `AsyncIterable` of {@link Chunk}, and can be read once. One sentence is computed ahead, and no more than that however
 * slow the reader is. Leaving a `for await` loop closes it.
 *
 * ```ts
 * for await (const chunk of await engine.stream("First this. Then that.")) play(chunk.float32);
 * ```
 */
export class Stream extends ChunkStream {
  #raw!: RawStream;

  private constructor(client: Client, signal: AbortSignal | undefined) {
    super(client, signal);
  }

  /** @internal */
  static async of(
    client: Client,
    signal: AbortSignal | undefined,
    begin: (number: number) => Promise<RawStream>,
  ): Promise<Stream> {
    const stream = new Stream(client, signal);
    const begun = begin(stream.number);
    stream.begin(begun);
    stream.#raw = await begun;
    return stream;
  }

  /** The identifier of the request, a UUID. */
  get requestId(): string {
    return this.#raw.requestId;
  }

  /** The metered quantity: the characters of the text as it was given. */
  get characters(): number {
    return this.#raw.characters;
  }

  /** The number of sentences of the text; 1 if there is nothing to say. */
  get sentences(): number {
    return this.#raw.sentences;
  }

  /** Notes on how the whole text is read: what is not spoken. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#raw.diagnostics;
  }

  protected override get id(): string | undefined {
    return (this.#raw as RawStream | undefined)?.requestId;
  }
}
