/** The first argument of constructors that only the package may call. */
export const INTERNAL = Symbol("internal");

/** Rejects callers outside the package; the types do so as well, but not in JavaScript. */
export function checkInternal(key: unknown, advice: string): void {
  if (key !== INTERNAL) throw new TypeError(`this constructor is private: ${advice}`);
}

/** Frees the native side of objects that are no longer referenced. */
export const collected = new FinalizationRegistry<() => void>((free) => free());
