/** Adapts the streams of the worker to those of the package. */

import type { Diagnostic, RawChunk } from "./audio.js";
import type { Client, Receiver } from "./client.js";
import { type SpeechError, cancelledError, invalidRequest } from "./errors.js";
import type { LiveSource } from "./live.js";
import { requestId } from "./platform.js";
import type { Known } from "./protocol.js";
import type { RawRequest } from "./request.js";
import type { StreamSource } from "./stream.js";

/**
 * The amount of text pushed, in code units, after which the source asks the worker whether to
 * pause.
 */
const UNANSWERED = 4096;

/**
 * The amount counted for shorter pieces: endless pieces, even empty ones, then leave the page time
 * for other work.
 */
const MIN_PIECE = 64;

/** The number of words kept for `heardAt`, the most recent ones. */
const MAX_WORDS = 32_768;

/** The promise of a call of `next`. */
interface Reader {
  resolve(chunk: RawChunk | null): void;
  reject(error: unknown): void;
}

/** The source of every kind of stream. */
export class WorkerSource implements StreamSource, LiveSource, Receiver {
  readonly requestId = requestId();
  readonly #client: Client;
  readonly #number: number;
  #known: Known = { sentences: 0, isFull: false, diagnostics: [] };
  readonly #chunks: RawChunk[] = [];
  #reader: Reader | undefined;
  /** The chunks that the worker may still compute. */
  #credit = 0;
  #isEnded = false;
  #failure: SpeechError | undefined;
  /** The end of each word in time, and in the text. */
  readonly #heard: { end: number; offset: number }[] = [];
  /** The amount of text pushed since the last answer of the worker was awaited. */
  #unanswered = 0;
  /**
   * The worker's answer to the last piece: whether so much text waits that the source should pause.
   */
  #pushed: Promise<boolean> | undefined;
  #resume: (() => void) | undefined;

  constructor(client: Client, ask: "stream" | "live" | "streamLong", request: RawRequest) {
    this.#client = client;
    this.#number = client.number(this);
    void this.#change<Known>({ ask, number: this.#number, request }).then(
      (known) => this.live(known),
      () => undefined,
    );
  }

  get sentences(): number {
    return this.#known.sentences;
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.#known.diagnostics;
  }

  next(): Promise<RawChunk | null> {
    const next = new Promise<RawChunk | null>((resolve, reject) => {
      this.#reader = { resolve, reject };
    });
    this.#answer();
    return next;
  }

  close(): void {
    this.#client.close(this.#number);
    this.#chunks.length = 0;
    this.ended(undefined);
  }

  push(piece: string): void {
    if (this.#isEnded) throw cancelledError({ requestId: this.requestId });
    if (piece.includes("\0")) throw invalidRequest("text has a NUL character");
    this.#unanswered += Math.max(piece.length, MIN_PIECE);
    this.#pushed = this.#change({ ask: "push", number: this.#number, piece });
  }

  flush(): void {
    void this.#change({ ask: "flush", number: this.#number });
  }

  finish(): void {
    void this.#change({ ask: "finish", number: this.#number });
  }

  heardAt(seconds: number): number {
    let heard = 0;
    for (const { end, offset } of this.#heard) if (end <= seconds) heard = offset;
    return heard;
  }

  async room(): Promise<void> {
    // The worker answers only between two sentences, so most pieces do not wait for its answer.
    if (this.#unanswered < UNANSWERED) return;
    this.#unanswered = 0;
    if (!(await this.#pushed)) return;
    await new Promise<void>((resolve) => (this.#resume = resolve));
  }

  chunk(raw: RawChunk): void {
    this.#credit -= 1;
    this.#chunks.push(raw);
    this.#heard.push(...raw.words.map(({ end, span }) => ({ end, offset: span.end })));
    this.#heard.splice(0, Math.max(0, this.#heard.length - MAX_WORDS));
    this.#answer();
  }

  live(known: Known): void {
    this.#known = known;
    if (!known.isFull) this.#resume?.();
  }

  ended(error: SpeechError | undefined): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#failure = error;
    this.#resume?.();
    this.#answer();
  }

  /** Gives the reader the next chunk if there is one, and requests one chunk in advance. */
  #answer(): void {
    const reader = this.#reader;
    if (reader !== undefined && (this.#chunks.length > 0 || this.#isEnded)) {
      this.#reader = undefined;
      const chunk = this.#chunks.shift();
      if (chunk === undefined && this.#failure !== undefined) reader.reject(this.#failure);
      else reader.resolve(chunk ?? null);
    }
    const wanted = (this.#reader === undefined ? 1 : 2) - this.#chunks.length - this.#credit;
    if (wanted <= 0 || this.#isEnded) return;
    this.#credit += wanted;
    this.#client.credit(this.#number, wanted);
  }

  /** Sends a change to the worker. An error ends the stream, even if nobody awaits the answer. */
  #change<T>(ask: Parameters<Client["ask"]>[0]): Promise<T> {
    const answer = this.#client.ask<T>(ask);
    answer.catch((error: SpeechError) => {
      this.#client.close(this.#number);
      this.ended(error);
    });
    return answer;
  }
}
