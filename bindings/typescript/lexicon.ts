import { INTERNAL, checkInternal } from "./internal.js";
import type { RawLexicon } from "./platform.js";

/**
 * Words and how they are read, which any number of requests may share. It does not change. There is nothing to close: it is freed
 * when nothing refers to it any more.
 */
export class Lexicon {
  /** The number of its entries. */
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
   * What the library knows a lexicon by; undefined for what is none.
   *
   * @internal
   */
  static raw(value: unknown): RawLexicon | undefined {
    return typeof value === "object" && value !== null && #raw in value ? value.#raw : undefined;
  }
}
