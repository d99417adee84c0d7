/** The page's connection to its worker. */

import type { RawAudio, RawChunk } from "./audio.js";
import { cancel, cancelFlags } from "./cancellation.js";
import { SpeechError, errorOf } from "./errors.js";
import { unsupportedBrowser } from "./features.js";
import type { RawLexicon } from "./platform.js";
import type { Ask, FromWorker, Known, LoadProgress, ToWorker } from "./protocol.js";

/** Receives the results of a request. */
export interface Receiver {
  /** The identifier of the request. The worker's own identifier is never exposed. */
  readonly requestId: string;
  chunk(chunk: RawChunk | RawAudio): void;
  live(known: Known): void;
  ended(error: SpeechError | undefined): void;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  /** The identifier of the request that the error is about. */
  requestId: string | undefined;
}

/** A connection to a worker of its own. */
export class Client {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #receivers = new Map<number, Receiver>();
  /** The flags that cancel running computations, if the page may share memory with its workers. */
  readonly cancelled = cancelFlags();
  readonly #progress: (progress: LoadProgress) => void;
  #last = 0;
  #failure: SpeechError | undefined;

  constructor(progress: (progress: LoadProgress) => void) {
    if (typeof Worker !== "function") throw unsupportedBrowser("there are no workers here, and the engine needs one");
    this.#progress = progress;
    this.#worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: "libspeech" });
    this.#worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#take(data);
    this.#worker.onerror = (event) => {
      const cause = event.message || "its script could not be loaded";
      this.fail(new SpeechError("internal", "the worker of the library failed", { cause }));
    };
  }

  /** A number for a request. */
  number(receiver: Receiver): number {
    this.#last += 1;
    this.#receivers.set(this.#last, receiver);
    return this.#last;
  }

  /** Sends a call to the worker and returns its answer. */
  ask<T>(ask: Ask): Promise<T> {
    const requestId = "number" in ask ? this.#receivers.get(ask.number)?.requestId : undefined;
    if (this.#failure !== undefined) return Promise.reject(ofRequest(this.#failure, requestId));
    this.#last += 1;
    const id = this.#last;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject, requestId });
      this.#send({ id, ask });
    });
  }

  /** Lets a request compute `credit` more chunks. */
  credit(number: number, credit: number): void {
    this.#send({ number, credit });
  }

  /** Ends a request. A running computation is stopped where possible; does not wait for that. */
  close(number: number): void {
    if (!this.#receivers.delete(number)) return;
    cancel(this.cancelled, number);
    this.#send({ close: number });
  }

  /** Frees a lexicon. */
  free(lexicon: RawLexicon): void {
    this.#send({ free: lexicon });
  }

  /** Ends the worker, and fails everything that waits for it. */
  fail(error: SpeechError): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.#worker.terminate();
    for (const { reject, requestId } of this.#waiting.values()) reject(ofRequest(error, requestId));
    const receivers = [...this.#receivers.values()];
    this.#waiting.clear();
    this.#receivers.clear();
    for (const receiver of receivers) receiver.ended(ofRequest(error, receiver.requestId));
  }

  /** The error that ended the worker. */
  get failure(): SpeechError | undefined {
    return this.#failure;
  }

  #send(message: ToWorker): void {
    if (this.#failure === undefined) this.#worker.postMessage(message);
  }

  #take(message: FromWorker): void {
    if ("progress" in message) return this.#progress(message.progress);
    if ("failed" in message) return this.fail(errorOf(message.failed));
    if ("id" in message) {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if ("error" in message) waiting?.reject(ofRequest(errorOf(message.error), waiting.requestId));
      else waiting?.resolve(message.value);
      return;
    }
    const receiver = this.#receivers.get(message.number);
    if ("chunk" in message) return receiver?.chunk({ ...message.chunk, pcm: message.pcm } as RawChunk | RawAudio);
    if ("live" in message) return receiver?.live(message.live);
    this.#receivers.delete(message.number);
    receiver?.ended(message.error === undefined ? undefined : ofRequest(errorOf(message.error), receiver.requestId));
  }
}

/** The same error with the identifier of a request, if it is about one. */
function ofRequest(error: SpeechError, requestId: string | undefined): SpeechError {
  if (requestId === undefined) return error;
  const cause = "cause" in error ? { cause: error.cause } : {};
  return new SpeechError(error.code, error.message, { ...error, ...cause, requestId });
}
