import * as checks from "./checks.js";

/** Joins pieces of a text so that no surrogate pair is split. */
export class Pairs {
  /** The high surrogate at the end of the last piece; its pair is in the next piece. */
  #high = "";

  /**
   * Passes the next piece to a function, without half a pair at its end. If that throws, the piece
   * is not taken.
   */
  push<T>(piece: string, take: (text: string) => T): T {
    if (typeof piece !== "string") checks.string("piece", piece);
    const text = this.#high + piece;
    const end = /[\uD800-\uDBFF]$/.test(text) ? text.length - 1 : text.length;
    const taken = take(checks.string("piece", text.slice(0, end)));
    this.#high = text.slice(end);
    return taken;
  }

  /** Ends the text; throws if half a pair is at its end. */
  finish(): void {
    const rest = this.#high;
    this.#high = "";
    checks.string("the text", rest);
  }
}
