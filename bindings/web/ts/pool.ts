/**
 * Threads of the module. Each is a worker that was started before the module needs it: a thread that waits for another cannot start
 * one, as the start of a worker needs its event loop.
 */

import { SpeechError } from "./errors.js";

/** Pages of 64 KiB of the memory that threads share: what the module begins with, and the most that it can get. */
const INITIAL_PAGES = 256;
const MAX_PAGES = 16_384;

/** What stands in the mailbox of a thread: whether there is work, and its two numbers. */
const STATE = 0;
const THREAD = 1;
const ARGUMENT = 2;
export const MAILBOX = 3;

const IDLE = 0;
const WORK = 1;

/** What a worker is told that is to be a thread. */
export interface ThreadStart {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  /** Of this thread. */
  mailbox: Int32Array<SharedArrayBuffer>;
  cancelled: SharedArrayBuffer | undefined;
}

/** The workers that threads run in. */
export class ThreadPool {
  /** What the threads share. */
  readonly memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum: MAX_PAGES, shared: true });
  /** A worker that nobody refers to may be ended. */
  readonly #workers: Worker[] = [];
  readonly #mailboxes: Int32Array<SharedArrayBuffer>[] = [];
  #started = 0;

  /**
   * Starts workers, and waits until all are there. The instance that makes the calls must be there before: the first of all becomes
   * the main thread of the module.
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

  /** Has an idle worker run a thread, and gives the thread's number; a negative one if there is none. */
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

/** Waits for threads to run, for ever. */
export function serve(mailbox: Int32Array<SharedArrayBuffer>, run: (thread: number, argument: number) => void): never {
  for (;;) {
    Atomics.wait(mailbox, STATE, IDLE);
    run(Atomics.load(mailbox, THREAD), Atomics.load(mailbox, ARGUMENT));
    Atomics.store(mailbox, STATE, IDLE);
  }
}

/** What a module with threads imports beside what all modules import. */
export function threadImports(memory: WebAssembly.Memory, spawn: (argument: number) => number): WebAssembly.Imports {
  return { env: { memory }, wasi: { "thread-spawn": spawn } };
}
