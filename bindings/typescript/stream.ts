import { onAbort } from "./abort.js";
import { Chunk, type Diagnostic, type RawChunk } from "./audio.js";
import type { Encoding, Output } from "./encoding.js";
import { abortError, cancelledError } from "./errors.js";
import { INTERNAL, checkInternal, collected } from "./internal.js";
import { type Bytes, PlatformStream } from "./platform.js";
import type { RawRequest } from "./request.js";

/** The source of a request's chunks. */
export interface ChunkSource {
  readonly requestId: string;
  readonly diagnostics: readonly Diagnostic[];
  /** The next chunk; null after the last. Called only when the previous call is settled. */
  next(): Promise<RawChunk | null>;
  /** Stops the computation shortly, and settles a pending call of `next`. */
  close(): void;
}

/** The source of a whole text's chunks. */
export interface StreamSource extends ChunkSource {
  readonly sentences: number;
}

/**
 * The common part of all streams: they yield chunks, once, in a loop or as another kind of stream.
 */
export abstract class ChunkStream extends PlatformStream implements AsyncIterableIterator<Chunk>, Disposable, AsyncDisposable {
  readonly #source: ChunkSource;
  readonly #output: Output;
  /** Closes the source, and unsubscribes from the signal. */
  readonly #release: () => void;
  /** Settles with the last call of `next`: calls are answered in order. */
  #lastCall: Promise<unknown> = Promise.resolve();
  #closed = false;
  /** Whether the stream was closed before its last chunk. */
  #interrupted = false;
  /** The error for the next call of `next`, after an aborted signal or a failure of the text. */
  #failure: { readonly error: unknown } | undefined;

  /** The identifier of the request, a UUID. */
  readonly requestId: string;

  /** @internal */
  protected constructor(source: ChunkSource, output: Output, signal: AbortSignal | undefined) {
    super();
    this.#source = source;
    this.#output = output;
    this.requestId = source.requestId;
    // Neither the signal nor the registry may keep the stream alive: these functions do not refer
    // to it.
    const stream = new WeakRef<ChunkStream>(this);
    const abort = (): void => {
      const open = stream.deref();
      if (signal !== undefined) open?.fail(abortError(signal, open));
    };
    const removeListener = signal && onAbort(signal, abort);
    this.#release = () => {
      source.close();
      removeListener?.();
    };
    collected.register(this, this.#release, this);
  }

  /** The sample rate, in hertz. */
  get sampleRate(): number {
    return this.#output.sampleRate;
  }

  /** The encoding of the bytes. */
  get encoding(): Encoding {
    return this.#output.encoding;
  }

  /** Whether the stream has ended, or was closed. */
  get closed(): boolean {
    return this.#closed;
  }

  /**
   * Notes on how the text is read: skipped text. For a live text those so far, up to 10,000. In a
   * browser they are empty before the first chunk.
   */
  get diagnostics(): readonly Diagnostic[] {
    return this.#source.diagnostics;
  }

  /**
   * The next sentence as soon as it is computed; concurrent calls are answered in order. An error
   * ends the stream, and so does an aborted signal.
   */
  next(): Promise<IteratorResult<Chunk, undefined>> {
    const open = !this.#closed;
    const result = this.#lastCall.then(() => this.#next(open));
    this.#lastCall = result.catch(() => undefined);
    return result;
  }

  /** Answers a call of `next`; `open` is whether the stream was open when the call was made. */
  async #next(open: boolean): Promise<IteratorResult<Chunk, undefined>> {
    const given = this.#closed ? null : await this.#source.next().catch((error: unknown) => ({ error }));
    try {
      this.#throwFailure();
      // A call that was pending when the stream was closed must not look like the end of the
      // speech.
      if (open && this.#interrupted) throw cancelledError({ requestId: this.requestId });
      if (given !== null) {
        if ("error" in given) throw given.error;
        return { done: false, value: Chunk.of(given, this.#output) };
      }
    } catch (error) {
      this.#end();
      throw error;
    }
    this.#end();
    return { done: true, value: undefined };
  }

  /** Throws the error of an aborted signal or of the text, once. */
  #throwFailure(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure.error;
  }

  /**
   * Closes the stream, and rejects the next call of `next` with an error.
   *
   * @internal
   */
  protected fail(error: unknown): void {
    if (this.#closed) return;
    this.#failure = { error };
    this.close();
  }

  /** Closes the stream; leaving a loop calls this. */
  async return(): Promise<IteratorResult<Chunk, undefined>> {
    this.close();
    return { done: true, value: undefined };
  }

  /** Stops the speech at once. A pending `next` is rejected with `cancelled`. */
  close(): void {
    this.#interrupted ||= !this.#closed;
    this.#end();
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    collected.unregister(this);
    this.#release();
    this.ended();
  }

  /**
   * Called once, when the stream ends for any reason.
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

  /**
   * The bytes, in the encoding of the request, as a web stream, which requests a sentence when it
   * has room for it.
   */
  toReadableStream(): ReadableStream<Bytes> {
    return new ReadableStream<Bytes>(
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
 * Speech, one sentence at a time: the first can be played while the next is computed.
 *
 * It is an `AsyncIterable` of {@link Chunk}, and can be read once. At most one sentence is computed
 * ahead, however slow the reader is. Leaving a `for await` loop closes it.
 *
 * ```ts
 * for await (const chunk of engine.stream("First this. Then that.")) play(chunk.samples);
 * ```
 */
export class Stream extends ChunkStream {
  readonly #source: StreamSource;
  /**
   * The metered quantity: the number of characters (Unicode scalar values) of the text as given.
   */
  readonly characters: number;

  private constructor(key: symbol, source: StreamSource, request: RawRequest, signal: AbortSignal | undefined) {
    checkInternal(key, "Engine.stream gives streams");
    super(source, request, signal);
    this.#source = source;
    this.characters = countCharacters(request.text);
  }

  /** @internal */
  static of(source: StreamSource, request: RawRequest, signal: AbortSignal | undefined): Stream {
    return new Stream(INTERNAL, source, request, signal);
  }

  /**
   * The number of sentences of the text; 1 if it contains nothing speakable. In a browser 0 before
   * the first chunk.
   */
  get sentences(): number {
    return this.#source.sentences;
  }
}

/** The number of Unicode scalar values. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
