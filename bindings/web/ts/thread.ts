/** A worker that runs threads of the module. */

import { isCancelled } from "./cancellation.js";
import { imports } from "./module.js";
import { type ThreadStart, serve, threadImports } from "./pool.js";

self.onmessage = async ({ data }: MessageEvent<ThreadStart>): Promise<void> => {
  const { module, memory, mailbox, cancelled } = data;
  // Only the thread that makes the calls receives chunks and starts threads.
  const imported = imports(() => memory.buffer, (number) => isCancelled(cancelled, number), () => undefined);
  Object.assign(imported, threadImports(memory, () => -1));
  const instance = await WebAssembly.instantiate(module, imported);
  const start = instance.exports["wasi_thread_start"] as (thread: number, argument: number) => void;
  self.postMessage("ready");
  serve(mailbox, start);
};
