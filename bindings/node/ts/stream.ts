import { Readable } from "node:stream";

import { type Diagnostic, Chunk, SAMPLE_RATE } from "./audio.js";
import { abortError, cancelledError, unwrap } from "./errors.js";
import { onAbort } from "./abort.js";
import { INTERNAL, checkInternal } from "./internal.js";
import type { NativeCancel, NativeChunks, NativeStream } from "./native.js";

/** What all streams have in common: they give chunks, once, in a loop or as another kind of stream. */
export abstract class ChunkStream implements AsyncIterableIterator<Chunk>, Disposable, AsyncDisposable {
  readonly #native: NativeChunks;
  readonly #cancel: NativeCancel;
  readonly #signal: AbortSignal | undefined;
  readonly #removeListener: (() => void) | undefined;
  /** Settled when the last call of `next` is: calls are answered in their order. */
  #lastCall: Promise<unknown> = Promise.resolve();
  #closed = false;
  /** Whether it was closed before its last chunk. */
  #interrupted = false;
  /** The error of the next call of `next`, after its signal was aborted or its text has failed. */
  #failure: { readonly error: unknown } | undefined;

  /** The identifier of the request, a UUID. */
  readonly requestId: string;

  /** @internal */
  protected constructor(native: NativeChunks, cancel: NativeCancel, signal: AbortSignal | undefined) {
    this.#native = native;
    this.#cancel = cancel;
    this.#signal = signal;
    this.#removeListener = signal && onAbort(signal, this.#abort);
    this.requestId = native.requestId;
  }

  /** Samples a second, in hertz: always 22050. */
  get sampleRate(): number {
    return SAMPLE_RATE;
  }

  /** Whether it has ended, or was closed. */
  get closed(): boolean {
    return this.#closed;
  }

  /**
   * The next sentence as soon as it is computed; calls at once are answered in their order. An error ends the stream, and so
   * does a signal that is aborted.
   */
  next(): Promise<IteratorResult<Chunk, undefined>> {
    const open = !this.#closed;
    const result = this.#lastCall.then(() => this.#next(open));
    this.#lastCall = result.catch(() => undefined);
    return result;
  }

  /** Answers a call of `next`; `open` is whether the stream was open when it was made. */
  async #next(open: boolean): Promise<IteratorResult<Chunk, undefined>> {
    try {
      const result = this.#closed ? null : await this.#native.next();
      this.#throwFailure();
      // A call that was waiting when the stream was closed must not look like the end of the speech.
      if (open && this.#interrupted) throw cancelledError({ requestId: this.requestId });
      const raw = unwrap(result);
      if (raw !== null) return { done: false, value: Chunk.of(raw) };
    } catch (error) {
      this.#end();
      throw error;
    }
    this.#end();
    return { done: true, value: undefined };
  }

  /** Throws the error of an aborted signal or of its text, once. */
  #throwFailure(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure.error;
  }

  readonly #abort = (): void => {
    if (this.#signal !== undefined) this.fail(abortError(this.#signal, this));
  };

  /**
   * Closes it with the error that the next call of `next` is rejected with.
   *
   * @internal
   */
  protected fail(error: unknown): void {
    if (this.#closed) return;
    this.#failure = { error };
    this.close();
  }

  /** Closes it; a loop that is left does. */
  async return(): Promise<IteratorResult<Chunk, undefined>> {
    this.close();
    return { done: true, value: undefined };
  }

  /** Stops what runs. A `next` that waits is rejected with `cancelled`. */
  close(): void {
    this.#interrupted ||= !this.#closed;
    this.#end();
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#cancel.cancel();
    this.#native.close();
    this.#removeListener?.();
    this.ended();
  }

  /**
   * Called once, at the end of whatever kind.
   *
   * @internal
   */
  protected ended(): void {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  [Symbol.dispose](): void {
    this.close();
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
export class Stream extends ChunkStream {
  /** The metered quantity: the characters of the text as it was given. */
  readonly characters: number;
  /** The number of sentences of the text; 1 if there is nothing to say. */
  readonly sentences: number;
  /** Notes on how the whole text is read: what is not spoken. */
  readonly diagnostics: readonly Diagnostic[];

  private constructor(
    key: symbol,
    native: NativeStream,
    cancel: NativeCancel,
    signal: AbortSignal | undefined,
  ) {
    checkInternal(key, "Engine.stream gives streams");
    super(native, cancel, signal);
    this.characters = native.characters;
    this.sentences = native.sentences;
    this.diagnostics = native.diagnostics;
  }

  /** @internal */
  static of(native: NativeStream, cancel: NativeCancel, signal: AbortSignal | undefined): Stream {
    return new Stream(INTERNAL, native, cancel, signal);
  }
}
