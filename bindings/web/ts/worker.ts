/**
 * The web worker, which runs the WebAssembly module: it loads the voices, and computes the requests of the page in turns,
 * one sentence at a time.
 */

import { isCancelled } from "./cancellation.js";
import { type RawError, SpeechError } from "./errors.js";
import { choose } from "./features.js";
import { Module, compile } from "./module.js";
import { ThreadPool } from "./pool.js";
import type { Pcm } from "./platform.js";
import type { Ask, FromWorker, Known, LoadOptions, LoadProgress, RawEngine, ToWorker, WithoutPcm } from "./protocol.js";
import { obtain, unpack } from "./voices.js";

/** Threads in addition to those that compute a sentence, for loading in parallel. */
const SPARE_THREADS = 2;

/** A request in progress. */
interface Spoken {
  /** The number of chunks that may be computed ahead of the page. */
  credit: number;
  /** Whether it waits for more text. */
  waits: boolean;
}

let module: Module | undefined;
let cancelled: SharedArrayBuffer | undefined;
/** The requests by number, in the order of their next sentences. */
const spoken = new Map<number, Spoken>();

function send(message: FromWorker, transfer: Transferable[] = []): void {
  self.postMessage(message, { transfer });
}

const host = {
  takeChunk(number: number, chunk: unknown, pcm: Pcm): void {
    const request = spoken.get(number);
    if (request !== undefined) request.credit -= 1;
    send({ number, chunk: chunk as WithoutPcm, pcm }, [pcm.buffer]);
  },
  isCancelled: (number: number) => isCancelled(cancelled, number),
};

async function load(options: LoadOptions): Promise<RawEngine> {
  const { kind, threads } = choose(options.threads);
  const report = (progress: LoadProgress) => send({ progress });
  // Compiles the module while the voices are fetched.
  const compiling = compile(options.modules[kind]);
  compiling.catch(() => undefined);
  const { voices, file } = options;
  const packed =
    typeof voices === "string" ? await obtain(voices, file, options.store, report) : { blob: voices, stored: false };
  const compiled = await compiling;
  cancelled = options.cancelled;
  const pool = kind === "threads" ? new ThreadPool() : undefined;
  const made = await Module.of(compiled, host, pool);
  await pool?.start(compiled, threads + SPARE_THREADS, options.cancelled);
  const allocate = (length: number) => ({ ...made.allocate(length), length });
  const { place, length } = await unpack(packed.blob, file?.unpacked, allocate, report);
  const { kernels, pronunciations, cache } = options;
  const call = { call: "load", options: { bundle: [place, length], threads, kernels, pronunciations, cache } };
  const engine = made.call(call) as Omit<RawEngine, "module" | "stored">;
  module = made;
  return { ...engine, module: kind, stored: packed.stored };
}

async function answer(ask: Ask): Promise<unknown> {
  if (ask.ask === "load") return load(ask.options);
  const { ask: call, ...fields } = ask;
  if (!("number" in ask)) return loaded().call({ call, ...fields });
  const { number, ...rest } = fields as { number: number };
  const value = loaded().call({ call, stream: number, ...rest });
  if ("request" in ask) {
    const whole = call === "synthesize";
    spoken.set(number, { credit: whole ? 1 : 0, waits: false });
  } else {
    const request = spoken.get(number);
    if (request !== undefined) request.waits = false;
  }
  compute();
  return value;
}

function loaded(): Module {
  if (module === undefined) throw new Error("no engine is loaded");
  return module;
}

/** Whether the next sentence is scheduled. */
let due = false;
/**
 * Lets the worker process messages between two sentences: a message to itself is queued behind
 * those of the page.
 */
const turn = new MessageChannel();
turn.port1.onmessage = () => {
  due = false;
  step();
};

function compute(): void {
  if (due) return;
  due = true;
  turn.port2.postMessage(undefined);
}

/** Computes one sentence of the next request. */
function step(): void {
  const next = [...spoken].find(([, request]) => request.credit > 0 && !request.waits);
  if (next === undefined) return;
  const [number, request] = next;
  // Moves the request to the end, so that the others come before its next sentence.
  spoken.delete(number);
  spoken.set(number, request);
  try {
    const { step, live } = loaded().call({ call: "step", stream: number }) as { step: string; live?: Known };
    if (live !== undefined) send({ number, live });
    request.waits = step === "waiting";
    if (step === "ended") end(number);
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) return fail(error);
    end(number, error);
  }
  compute();
}

function end(number: number, error?: unknown): void {
  spoken.delete(number);
  send(error === undefined ? { number, ended: true } : { number, ended: true, error: rawError(error) });
}

/** Converts an error for the page. An error without a kind is internal. */
function rawError(error: unknown): RawError {
  if (!(error instanceof SpeechError)) {
    return { code: "internal", message: "the library failed in its worker", cause: String(error) };
  }
  const { code, message, requestId, detail, advice, cause } = error;
  return {
    code,
    message,
    requestId,
    ...(detail === undefined ? {} : { detail }),
    ...(advice === undefined ? {} : { advice }),
    ...(cause === undefined ? {} : { cause: String(cause) }),
  };
}

/** Handles a panic or the lack of memory: the module is unusable from then on. */
function fail(error: unknown): void {
  module = undefined;
  spoken.clear();
  send({ failed: { code: "internal", message: "the library failed in its worker", cause: String(error) } });
}

self.onmessage = async ({ data }: MessageEvent<ToWorker>): Promise<void> => {
  if ("credit" in data) {
    const request = spoken.get(data.number);
    if (request !== undefined) request.credit += data.credit;
    return compute();
  }
  if ("close" in data) {
    if (spoken.delete(data.close)) module?.call({ call: "close", stream: data.close });
    return;
  }
  if ("free" in data) {
    module?.call({ call: "free", lexicon: data.free });
    return;
  }
  try {
    send({ id: data.id, value: await answer(data.ask) });
  } catch (error) {
    send({ id: data.id, error: rawError(error) });
    // A browser without WebAssembly does not define this name.
    if (module !== undefined && error instanceof WebAssembly.RuntimeError) fail(error);
  }
};
