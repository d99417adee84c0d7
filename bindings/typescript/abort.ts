/**
 * Many calls may share a signal. Node warns of a leak above ten listeners, so each signal gets a
 * single one.
 */

interface Waiting {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

const waiting = new WeakMap<AbortSignal, Waiting>();

/** Calls a function when a signal is aborted. Returns a function that undoes this. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const { callbacks, listener } = waiting.get(signal) ?? listen(signal);
  callbacks.add(callback);
  return () => {
    callbacks.delete(callback);
    if (callbacks.size > 0 || waiting.get(signal)?.listener !== listener) return;
    waiting.delete(signal);
    signal.removeEventListener("abort", listener);
  };
}

function listen(signal: AbortSignal): Waiting {
  const callbacks = new Set<() => void>();
  const listener = () => {
    waiting.delete(signal);
    for (const callback of callbacks) callback();
  };
  waiting.set(signal, { callbacks, listener });
  signal.addEventListener("abort", listener, { once: true });
  return { callbacks, listener };
}
