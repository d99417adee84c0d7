/**
 * The threads of the module. Each is a worker started before the module needs it: a thread that
 * waits for another one cannot start it, as starting a worker needs the event loop.
 */

import { SpeechError } from "./errors.js";

/** The initial and the maximum size of the shared memory, in pages of 64 KiB. */
const INITIAL_PAGES = 256;
const MAX_PAGES = 16_384;

/** The layout of a thread's mailbox: whether there is work, and its two numbers. */
const STATE = 0;
const THREAD = 1;
const ARGUMENT = 2;
export const MAILBOX = 3;

const IDLE = 0;
const WORK = 1;

/** The start message of a worker that becomes a thread. */
export interface ThreadStart {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  /** The mailbox of this thread. */
  mailbox: Int32Array<SharedArrayBuffer>;
  cancelled: SharedArrayBuffer | undefined;
}

/** The workers that run the threads. */
export class ThreadPool {
  /** The memory shared by the threads. */
  readonly memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum: MAX_PAGES, shared: true });
  /** References to the workers: a browser may end an unreferenced worker. */
  readonly #workers: Worker[] = [];
  readonly #mailboxes: Int32Array<SharedArrayBuffer>[] = [];
  #started = 0;

  /**
   * Starts workers, and waits until all are ready. The instance that makes the calls must exist
   * before: the first one becomes the main thread of the module.
   */
  async start(module: WebAssembly.Module, count: number, cancelled: SharedArrayBuffer | undefined): Promise<void> {
    const ready = Array.from({ length: count }, () => {
      const worker = new Worker(new URL("./thread.js", import.meta.url), { type: "module", name: "libspeech-thread" });
      const mailbox = new Int32Array(new SharedArrayBuffer(MAILBOX * 4));
      this.#workers.push(worker);
      this.#mailboxes.push(mailbox);
      const start: ThreadStart = { module, memory: this.memory, mailbox, cancelled };
      worker.postMessage(start);
      return new Promise<void>((resolve, reject) => {
        worker.onmessage = () => resolve();
        worker.onerror = (event) =>
          reject(new SpeechError("internal", "no thread could be started", { cause: event.message }));
      });
    });
    await Promise.all(ready);
  }

  /**
   * Starts a thread in an idle worker, and returns the thread's number; a negative one if no worker
   * is idle.
   */
  spawn(argument: number): number {
    const free = this.#mailboxes.find((mailbox) => Atomics.load(mailbox, STATE) === IDLE);
    if (free === undefined) return -1;
    this.#started += 1;
    Atomics.store(free, THREAD, this.#started);
    Atomics.store(free, ARGUMENT, argument);
    Atomics.store(free, STATE, WORK);
    Atomics.notify(free, STATE);
    return this.#started;
  }
}

/** Runs threads as they are requested, forever. */
export function serve(mailbox: Int32Array<SharedArrayBuffer>, run: (thread: number, argument: number) => void): never {
  for (;;) {
    Atomics.wait(mailbox, STATE, IDLE);
    run(Atomics.load(mailbox, THREAD), Atomics.load(mailbox, ARGUMENT));
    Atomics.store(mailbox, STATE, IDLE);
  }
}

/** The imports of a module with threads in addition to those of every module. */
export function threadImports(memory: WebAssembly.Memory, spawn: (argument: number) => number): WebAssembly.Imports {
  return { env: { memory }, wasi: { "thread-spawn": spawn } };
}
