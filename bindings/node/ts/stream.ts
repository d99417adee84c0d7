import { Readable } from "node:stream";
import { ReadableStream } from "node:stream/web";

import { type Diagnostic, Chunk, SAMPLE_RATE } from "./audio.js";
import { aborted, unwrap } from "./errors.js";
import type { NativeCancel, NativeStream } from "./native.js";

/**
 * Speech a sentence at a time: the first can be played while the next is computed.
 *
 * It is an `AsyncIterable` of {@link Chunk}, and can be read once: as that, as a web stream, or as a stream of Node. One
 * sentence is computed ahead, and no more than that however slow the reader is. Leaving a `for await` loop closes it.
 *
 * ```ts
 * for await (const chunk of engine.stream("First this. Then that.")) play(chunk.pcm);
 * ```
 */
export class Stream implements AsyncIterableIterator<Chunk>, AsyncDisposable {
  readonly #native: NativeStream;
  readonly #cancel: NativeCancel;
  readonly #signal: AbortSignal | undefined;
  readonly #ended: () => void;
  #closed = false;

  /** The identifier of the request, a UUID. */
  readonly requestId: string;
  /** The metered quantity: the characters of the text as it was given. */
  readonly characters: number;
  /** The sentences of the text; one if there is nothing to say. */
  readonly sentences: number;
  /** What is not said, of the whole text. */
  readonly diagnostics: readonly Diagnostic[];

  /** @internal */
  constructor(
    native: NativeStream,
    cancel: NativeCancel,
    signal: AbortSignal | undefined,
    ended: () => void,
  ) {
    this.#native = native;
    this.#cancel = cancel;
    this.#signal = signal;
    this.#ended = ended;
    this.requestId = native.requestId;
    this.characters = native.characters;
    this.sentences = native.sentences;
    this.diagnostics = native.diagnostics;
  }

  /** Samples a second, in hertz: always 22050. */
  get sampleRate(): number {
    return SAMPLE_RATE;
  }

  /** Whether it has ended, or was closed. */
  get closed(): boolean {
    return this.#closed;
  }

  /** The next sentence as soon as it is computed. An error ends the stream. */
  async next(): Promise<IteratorResult<Chunk, undefined>> {
    if (this.#closed) return { done: true, value: undefined };
    try {
      const raw = unwrap(await this.#native.next());
      if (raw !== null) return { done: false, value: new Chunk(raw) };
    } catch (error) {
      this.close();
      throw this.#signal?.aborted === true ? aborted(this.#signal) : error;
    }
    this.close();
    return { done: true, value: undefined };
  }

  /** Closes it; a loop that is left does. */
  async return(): Promise<IteratorResult<Chunk, undefined>> {
    this.close();
    return { done: true, value: undefined };
  }

  /** Stops what runs. A `next` that waits is rejected with `cancelled`. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#cancel.cancel();
    this.#native.close();
    this.#ended();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  /** The bytes (16-bit little-endian) as a web stream, of which a sentence is asked for when there is room for it. */
  toReadableStream(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
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

  /** The bytes (16-bit little-endian) as a stream of Node, of which a sentence is asked for when there is room for it. */
  toReadable(): Readable {
    const readable = new Readable({
      read: () => {
        this.next().then(
          ({ done, value }) => readable.push(done === true ? null : value.bytes),
          (error: unknown) => readable.destroy(error as Error),
        );
      },
      destroy: (error, done) => {
        this.close();
        done(error);
      },
    });
    return readable;
  }
}
