import type { Span } from "./audio.js";
import * as checks from "./checks.js";
import { type NativeSegmenter, type RawSegment, native, unwrap } from "./native.js";
import { Pairs } from "./pairs.js";

/** The longest text of one request, in characters (Unicode scalar values). */
export const MAX_CHARACTERS = 1_000;

/**
 * Splits a text into parts, in order: after sentences if possible, else after clauses, else between
 * words, and inside a word only if the word alone exceeds the limit. White space around the parts
 * is omitted.
 *
 * ```ts
 * splitText("One sentence. And a second one.", 20); // ["One sentence.", "And a second one."]
 * ```
 *
 * @throws {SpeechError} `invalid_request` for a text with a NUL character or half a surrogate pair,
 * and for a limit that is not a whole number of at least 1.
 */
export function splitText(text: string, maxCharacters: number = MAX_CHARACTERS): string[] {
  const limit = checks.integer("maxCharacters", maxCharacters, 1, 2 ** 32 - 1);
  return unwrap(native.splitText(checks.string("text", text), limit));
}

/** A sentence of a text that arrives in pieces. */
export interface Segment {
  /** The sentence, without white space around it. */
  readonly text: string;
  /** Its span in all pushed text, in UTF-16 code units. */
  readonly span: Span;
  /** Whether it ends a paragraph, a heading or a list item. */
  readonly endsParagraph: boolean;
}

/**
 * Splits a text that arrives in pieces, such as the tokens of a language model, into sentences to
 * speak.
 *
 * The sentences do not depend on how the text is cut into pieces. Each is a valid request.
 */
export class Segmenter {
  readonly #native: NativeSegmenter = new native.Segmenter();
  readonly #pairs = new Pairs();

  /**
   * Takes the next piece, of any length, and returns the sentences that are now decided.
   *
   * @throws {SpeechError} `invalid_request` for a piece that `splitText` would reject; the
   * segmenter is unchanged.
   */
  push(piece: string): Segment[] {
    return this.#pairs.push(piece, (text) => unwrap(this.#native.push(text)).map(segment));
  }

  /** Ends the text, and returns the remaining sentences. The next piece begins another text. */
  finish(): Segment[] {
    this.#pairs.finish();
    return this.#native.finish().map(segment);
  }
}

function segment({ text, start, end, endsParagraph }: RawSegment): Segment {
  return { text, span: { start, end }, endsParagraph };
}
