import { onAbort } from "./abort.js";
import { Chunk, type Diagnostic, type RawChunk } from "./audio.js";
import type { Encoding, Output } from "./encoding.js";
import { abortError, cancelledError } from "./errors.js";
import { INTERNAL, checkInternal, collected } from "./internal.js";
import { type Bytes, PlatformStream } from "./platform.js";
import type { RawRequest } from "./request.js";

/** Where the chunks of a request come from. */
export interface ChunkSource {
  readonly requestId: string;
  readonly diagnostics: readonly Diagnostic[];
  /** The next chunk; null after the last. It is called again when the call before is settled. */
  next(): Promise<RawChunk | null>;
  /** Stops the computation soon, and settles a call of `next`. */
  close(): void;
}

/** Where the chunks of a whole text come from. */
export interface StreamSource extends ChunkSource {
  readonly sentences: number;
}

/** What all streams have in common: they give chunks, once, in a loop or as another kind of stream. */
export abstract class ChunkStream extends PlatformStream implements AsyncIterableIterator<Chunk>, Disposable, AsyncDisposable {
  readonly #source: ChunkSource;
  readonly #output: Output;
  /** Closes its source, and leaves its signal. */
  readonly #release: () => void;
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
  protected constructor(source: ChunkSource, output: Output, signal: AbortSignal | undefined) {
    super();
    this.#source = source;
    this.#output = output;
    this.requestId = source.requestId;
    // Neither the signal nor the registry may keep the stream: these functions do not refer to it.
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

  /** Samples a second, in hertz. */
  get sampleRate(): number {
    return this.#output.sampleRate;
  }

  /** What a sample is in the bytes. */
  get encoding(): Encoding {
    return this.#output.encoding;
  }

  /** Whether it has ended, or was closed. */
  get closed(): boolean {
    return this.#closed;
  }

  /**
   * Notes on how the text is read: what is not spoken. Of a live text those so far, in the first 10,000 places. In a browser none
   * are known before the first chunk.
   */
  get diagnostics(): readonly Diagnostic[] {
    return this.#source.diagnostics;
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
    const given = this.#closed ? null : await this.#source.next().catch((error: unknown) => ({ error }));
    try {
      this.#throwFailure();
      // A call that was waiting when the stream was closed must not look like the end of the speech.
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

  /** Throws the error of an aborted signal or of its text, once. */
  #throwFailure(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure.error;
  }

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

  /** Stops the speech at once. A `next` that waits is rejected with `cancelled`. */
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

  /** The bytes, in the encoding of the request, as a web stream, of which a sentence is asked for when there is room for it. */
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
 * Speech a sentence at a time: the first can be played while the next is computed.
 *
 * It is an `AsyncIterable` of {@link Chunk}, and can be read once. One sentence is computed ahead, and no more than that however
 * slow the reader is. Leaving a `for await` loop closes it.
 *
 * ```ts
 * for await (const chunk of engine.stream("First this. Then that.")) play(chunk.samples);
 * ```
 */
export class Stream extends ChunkStream {
  readonly #source: StreamSource;
  /** The metered quantity: the characters (Unicode scalar values) of the text as it was given. */
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

  /** The number of sentences of the text; 1 if there is nothing to say. In a browser 0 before the first chunk. */
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
