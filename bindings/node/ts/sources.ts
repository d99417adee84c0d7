/** Adapts the streams of the native module to those of the package. */

import { setTimeout as delay } from "node:timers/promises";

import type { Diagnostic, RawChunk } from "./audio.js";
import type { RawError } from "./errors.js";
import type { LiveSource } from "./live.js";
import { type NativeChunks, type NativeLiveStream, type NativeStream, unwrap } from "./native.js";
import type { ChunkSource, StreamSource } from "./stream.js";

/** The time between two checks whether a live stream accepts more text, in milliseconds. */
const FULL_MS = 20;

/** The running calls of an engine, for which its `close` waits. */
export class Running {
  readonly #calls = new Set<Promise<unknown>>();

  /** The value of a call of the native module. Throws its error. */
  async result<T>(call: Promise<T | RawError>): Promise<T> {
    this.#calls.add(call);
    try {
      return unwrap(await call);
    } finally {
      this.#calls.delete(call);
    }
  }

  /** Waits until every running call has ended. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#calls);
  }
}

class NativeSource<Native extends NativeChunks> implements ChunkSource {
  protected isClosed = false;

  constructor(
    protected readonly native: Native,
    private readonly running: Running,
  ) {}

  get requestId(): string {
    return this.native.requestId;
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.native.diagnostics;
  }

  async next(): Promise<RawChunk | null> {
    return this.running.result(this.native.next());
  }

  close(): void {
    this.isClosed = true;
    this.native.close();
  }
}

/** The source of a whole text. */
export class WholeSource extends NativeSource<NativeStream> implements StreamSource {
  get sentences(): number {
    return this.native.sentences;
  }
}

/** The source of a text that arrives in pieces. */
export class PushedSource extends NativeSource<NativeLiveStream> implements LiveSource {
  push(piece: string): void {
    unwrap(this.native.push(piece));
  }

  flush(): void {
    this.native.flush();
  }

  finish(): void {
    this.native.finish();
  }

  heardAt(seconds: number): number {
    return this.native.heardAt(seconds);
  }

  async room(): Promise<void> {
    // Yields, as pieces that are all available would block the event loop.
    await new Promise(setImmediate);
    while (this.native.isFull && !this.isClosed) await delay(FULL_MS);
  }
}
