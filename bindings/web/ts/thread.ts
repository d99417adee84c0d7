/** A worker that runs threads of the module. */

import { imports } from "./module.js";
import { type ThreadStart, serve, threadImports } from "./pool.js";

self.onmessage = async ({ data }: MessageEvent<ThreadStart>): Promise<void> => {
  const { module, memory, mailbox, cancelled } = data;
  const flags = cancelled === undefined ? undefined : new Int32Array(cancelled);
  const isCancelled = (number: number) => flags !== undefined && Atomics.load(flags, number % flags.length) === number;
  // Chunks are given by the thread that makes the calls, and threads are started by it.
  const imported = imports(() => memory.buffer, isCancelled, () => undefined);
  Object.assign(imported, threadImports(memory, () => -1));
  const instance = await WebAssembly.instantiate(module, imported);
  const start = instance.exports["wasi_thread_start"] as (thread: number, argument: number) => void;
  self.postMessage("ready");
  serve(mailbox, start);
};
