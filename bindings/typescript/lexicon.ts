import { INTERNAL, checkInternal } from "./internal.js";
import type { RawLexicon } from "./platform.js";

/**
 * Words and their readings: immutable, and shared by any number of requests. There is nothing to
 * close: the garbage collector frees it.
 */
export class Lexicon {
  /** The number of entries. */
  readonly size: number;
  readonly #raw: RawLexicon;

  private constructor(key: symbol, raw: RawLexicon, size: number) {
    checkInternal(key, "parseLexicon and parsePls give lexicons");
    this.size = size;
    this.#raw = raw;
  }

  /** @internal */
  static of(raw: RawLexicon, size: number): Lexicon {
    return new Lexicon(INTERNAL, raw, size);
  }

  /**
   * The identity of a lexicon in the library; undefined for any other value.
   *
   * @internal
   */
  static raw(value: unknown): RawLexicon | undefined {
    return typeof value === "object" && value !== null && #raw in value ? value.#raw : undefined;
  }
}
