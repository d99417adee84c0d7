/** The WebAssembly module: calls as JSON, answers as JSON and samples. */

import { type RawError, SpeechError, errorOf } from "./errors.js";
import { type ThreadPool, threadImports } from "./pool.js";
import { wasi } from "./wasi.js";

/** The exports of the module. */
interface Exports extends WebAssembly.Exports {
  memory: WebAssembly.Memory;
  _initialize?: () => void;
  speech_allocate(length: number): number;
  speech_call(call: number, length: number): number;
}

/** The callbacks of an instance to its worker during a computation. */
export interface Host {
  /** Receives a chunk. Must copy it, as the memory belongs to the module. */
  takeChunk(number: number, chunk: unknown, pcm: Int16Array<ArrayBuffer>): void;
  /** Whether a request was cancelled. */
  isCancelled(number: number): boolean;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The imports of every instance of a module, including those of its threads. */
export function imports(
  memory: () => ArrayBufferLike,
  cancelled: (number: number) => boolean,
  takeChunk: (number: number, chunk: number) => void,
): WebAssembly.Imports {
  return {
    // The clock of a worker starts with the worker; adding `timeOrigin` gives all threads the same
    // clock.
    wasi_snapshot_preview1: wasi(memory, () => performance.timeOrigin + performance.now()),
    libspeech: {
      take_chunk: takeChunk,
      is_cancelled: (number: number) => (cancelled(number) ? 1 : 0),
    },
  };
}

/** An instance of the module. */
export class Module {
  readonly #exports: Exports;

  private constructor(exports: Exports) {
    this.#exports = exports;
  }

  /** Makes an instance, with threads if there is a pool of them. */
  static async of(module: WebAssembly.Module, host: Host, pool?: ThreadPool): Promise<Module> {
    const holder: { module?: Module } = {};
    const memory = () => (pool?.memory ?? holder.module!.#exports.memory).buffer;
    const take = (number: number, chunk: number) => {
      const { json, pcm } = readAnswer(memory(), chunk);
      host.takeChunk(number, json, pcm);
    };
    const imported = imports(memory, (number) => host.isCancelled(number), take);
    if (pool !== undefined) Object.assign(imported, threadImports(pool.memory, (argument) => pool.spawn(argument)));
    const instance = await WebAssembly.instantiate(module, imported);
    holder.module = new Module(instance.exports as Exports);
    holder.module.#exports._initialize?.();
    return holder.module;
  }

  /** Allocates memory of the module for the next call, which frees it. */
  allocate(length: number): { place: number; bytes: Uint8Array } {
    const place = this.#exports.speech_allocate(length);
    return { place, bytes: new Uint8Array(this.#exports.memory.buffer, place, length) };
  }

  /** Makes a call and returns its value. Throws its error. */
  call(call: { call: string; [field: string]: unknown }): unknown {
    const bytes = encoder.encode(JSON.stringify(call));
    const { place, bytes: target } = this.allocate(bytes.length);
    target.set(bytes);
    const answer = this.#exports.speech_call(place, bytes.length);
    const { json } = readAnswer(this.#exports.memory.buffer, answer);
    const { value, error } = json as { value?: unknown; error?: RawError };
    if (error !== undefined) throw errorOf(error);
    return value;
  }
}

/** Reads an answer: the address and length of the JSON, and those of the samples. */
function readAnswer(memory: ArrayBufferLike, answer: number): { json: unknown; pcm: Int16Array<ArrayBuffer> } {
  const [json, jsonLength, samples, samplesLength] = new Uint32Array(memory, answer, 4) as unknown as [
    number,
    number,
    number,
    number,
  ];
  // `TextDecoder` rejects shared memory.
  const text = decoder.decode(new Uint8Array(memory, json, jsonLength).slice());
  // Without samples, the address may be invalid.
  const pcm = samplesLength === 0 ? new Int16Array(0) : new Int16Array(memory, samples, samplesLength).slice();
  return { json: JSON.parse(text), pcm: pcm as Int16Array<ArrayBuffer> };
}

/** Fetches and compiles a module. */
export async function compile(url: string): Promise<WebAssembly.Module> {
  let response: Response;
  try {
    response = await fetch(url);
  } catch (cause) {
    throw failedDownload("the module of the library could not be fetched", cause);
  }
  if (!response.ok) throw failedDownload(`the module of the library could not be fetched: HTTP ${response.status}`);
  // Some servers do not know the media type of WebAssembly.
  const streams = response.headers.get("Content-Type") === "application/wasm";
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/** The error of a failed download. */
export function failedDownload(message: string, cause?: unknown): SpeechError {
  const options = { detail: "download_failed", advice: "check_connection" };
  return new SpeechError("model_error", message, cause === undefined ? options : { ...options, cause });
}
