/**
 * The functions of WASI (preview 1) that the module needs: a clock, random numbers, and a file
 * system without files.
 */

/** Error codes of WASI. */
const SUCCESS = 0;
const BAD_FILE = 8;
const NO_ENTRY = 44;
const UNSUPPORTED = 58;

/** The maximum number of bytes per call of `crypto.getRandomValues`. */
const MAX_RANDOM = 65_536;

/** The imports of a module. `memory` returns its memory at the time of a call. */
export function wasi(memory: () => ArrayBufferLike, now: () => number): WebAssembly.ModuleImports {
  const view = () => new DataView(memory());
  const unsupported = () => UNSUPPORTED;
  const badFile = () => BAD_FILE;
  return {
    clock_time_get(_clock: number, _precision: bigint, out: number): number {
      view().setBigUint64(out, BigInt(Math.round(now() * 1e6)), true);
      return SUCCESS;
    },
    random_get(out: number, length: number): number {
      // `crypto.getRandomValues` rejects shared memory.
      const random = new Uint8Array(length);
      for (let at = 0; at < length; at += MAX_RANDOM) crypto.getRandomValues(random.subarray(at, at + MAX_RANDOM));
      new Uint8Array(memory(), out, length).set(random);
      return SUCCESS;
    },
    environ_sizes_get(count: number, bytes: number): number {
      view().setUint32(count, 0, true);
      view().setUint32(bytes, 0, true);
      return SUCCESS;
    },
    environ_get: () => SUCCESS,
    args_sizes_get(count: number, bytes: number): number {
      view().setUint32(count, 0, true);
      view().setUint32(bytes, 0, true);
      return SUCCESS;
    },
    args_get: () => SUCCESS,
    /**
     * Discards all output: the library prints nothing, but the message of a panic may contain some
     * of the text.
     */
    fd_write(_file: number, parts: number, count: number, out: number): number {
      let length = 0;
      for (let i = 0; i < count; i++) length += view().getUint32(parts + 8 * i + 4, true);
      view().setUint32(out, length, true);
      return SUCCESS;
    },
    fd_close: badFile,
    fd_fdstat_get: badFile,
    fd_fdstat_set_flags: badFile,
    fd_filestat_get: badFile,
    fd_prestat_get: badFile,
    fd_prestat_dir_name: badFile,
    fd_read: badFile,
    fd_seek: badFile,
    path_filestat_get: () => NO_ENTRY,
    path_open: () => NO_ENTRY,
    poll_oneoff: unsupported,
    sched_yield: () => SUCCESS,
    proc_exit(code: number): never {
      throw new WebAssembly.RuntimeError(`the module ended with ${code}`);
    },
  };
}
