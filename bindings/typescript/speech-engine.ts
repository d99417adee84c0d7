import { onAbort } from "./abort.js";
import { Audio, type RawAudio } from "./audio.js";
import { SpeechError, throwIfAborted } from "./errors.js";
import { LiveStream, type LiveSource, type Pieces, checkedPieces } from "./live.js";
import { type LiveOptions, type RawRequest, type SpeechOptions, rawRequest } from "./request.js";
import { Stream, type StreamSource } from "./stream.js";

/** A whole text that is being spoken. */
export interface Speaking {
  readonly result: Promise<RawAudio>;
  /** Stops the computation shortly, and then rejects the result. */
  cancel(): void;
}

/** The common part of engines in Node and in browsers. */
export abstract class SpeechEngine implements Disposable, AsyncDisposable {
  /** @internal */
  protected abstract beginSpeech(request: RawRequest): Speaking;
  /** @internal */
  protected abstract beginStream(request: RawRequest): StreamSource;
  /** @internal */
  protected abstract beginLive(request: RawRequest, kind: "live" | "streamLong"): LiveSource;

  /**
   * Cancels every request, waits until each has ended, and frees the voices. Later requests are
   * rejected.
   */
  abstract close(): Promise<void>;

  /**
   * Speaks a whole text of 1 to 1,000 characters; `streamLong` takes longer texts.
   *
   * @throws {SpeechError} `empty_text`, `text_too_long` or `invalid_request` for a rejected request,
   * such as one with `latency: "low"` (its `detail` is `latency_needs_stream`); `cancelled`.
   */
  async synthesize(text: string, options?: SpeechOptions): Promise<Audio> {
    const [request, signal] = begin(text, options);
    const speaking = this.beginSpeech(request);
    const removeListener = signal && onAbort(signal, () => speaking.cancel());
    try {
      const raw = await speaking.result;
      throwIfAborted(signal, raw);
      return Audio.of(raw, request);
    } catch (error) {
      throwIfAborted(signal, error instanceof SpeechError ? error : undefined);
      throw error;
    } finally {
      removeListener?.();
    }
  }

  /**
   * Speaks a text of 1 to 1,000 characters, one sentence at a time.
   *
   * @throws {SpeechError} immediately for a rejected request. In a browser, the first call of `next`
   * is rejected with errors that only the worker can detect, such as an unknown voice.
   */
  stream(text: string, options?: SpeechOptions): Stream {
    const [request, signal] = begin(text, options);
    return Stream.of(this.beginStream(request), request, signal);
  }

  /**
   * Speaks a live text, which arrives in pieces, such as the tokens of a language model.
   *
   * @throws {SpeechError} as `stream` does.
   */
  live(options?: LiveOptions): LiveStream {
    const [request, signal] = begin("", options);
    return LiveStream.of(this.beginLive(request, "live"), request, signal);
  }

  /**
   * Speaks the text of an iterable while it arrives. Pieces are taken as they come, once the first
   * chunk is requested. An exception of the iterable stops the speech, and is thrown to the reader
   * of the chunks; the end of the speech closes the iterable.
   *
   * ```ts
   * const stream = engine.speakLive(model.tokens(), { voice: "leo" });
   * for await (const chunk of stream) play(chunk.samples);
   * ```
   *
   * @throws {SpeechError} as `stream` does.
   */
  speakLive(pieces: Pieces, options?: LiveOptions): LiveStream {
    const [request, signal] = begin("", options);
    const from = { pieces: checkedPieces(pieces) };
    return LiveStream.of(this.beginLive(request, "live"), request, signal, from);
  }

  /**
   * Speaks a text of any length, one sentence at a time. The spans of its chunks refer to the whole
   * text: `chunk.span.end / text.length` is the progress.
   *
   * @throws {SpeechError} as `stream` does.
   */
  streamLong(text: string, options?: LiveOptions): LiveStream {
    const [request, signal] = begin(text, options);
    return LiveStream.of(this.beginLive(request, "streamLong"), request, signal, { text });
  }

  /** Closes the engine without waiting until its requests have ended. */
  [Symbol.dispose](): void {
    void this.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** The request, and its signal, which is not aborted yet. */
function begin(text: string, options: SpeechOptions | undefined): [RawRequest, AbortSignal | undefined] {
  const [request, signal] = rawRequest(text, options);
  throwIfAborted(signal);
  return [request, signal];
}
