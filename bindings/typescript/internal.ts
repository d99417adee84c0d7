/** The first argument of constructors that only the package calls. */
export const INTERNAL = Symbol("internal");

/** Refuses a caller who is not the package: types say so too, but not to JavaScript. */
export function checkInternal(key: unknown, advice: string): void {
  if (key !== INTERNAL) throw new TypeError(`this constructor is private: ${advice}`);
}

/** Calls what frees the native side of an object, once nothing refers to the object any more. */
export const collected = new FinalizationRegistry<() => void>((free) => free());
