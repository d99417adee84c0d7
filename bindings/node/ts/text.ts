import type { Span } from "./audio.js";
import * as checks from "./checks.js";
import { type NativeSegmenter, type RawSegment, native, unwrap } from "./native.js";
import { Pairs } from "./pairs.js";

/** The longest text of one request, in characters (Unicode scalar values). */
export const MAX_CHARACTERS = 1_000;

/**
 * Cuts a text into parts, in order: after sentences if it can, else after clauses, else between words, and inside a word
 * only if the word alone is over the limit. White space around the parts is left out.
 *
 * ```ts
 * splitText("One sentence. And a second one.", 20); // ["One sentence.", "And a second one."]
 * ```
 *
 * @throws {SpeechError} `invalid_request` for a text with a NUL character, which no request may have, or with half a
 * surrogate pair, and for a limit that is no whole number from 1 on.
 */
export function splitText(text: string, maxCharacters: number = MAX_CHARACTERS): string[] {
  const limit = checks.integer("maxCharacters", maxCharacters, 1, 2 ** 32 - 1);
  return unwrap(native.splitText(checks.string("text", text), limit));
}

/** A sentence of a text that arrives in pieces. */
export interface Segment {
  /** The sentence, without white space around it. */
  readonly text: string;
  /** Where it is in all that was pushed, in UTF-16 code units. */
  readonly span: Span;
  /** Whether a paragraph, a heading or an item of a list ends with it. */
  readonly endsParagraph: boolean;
}

/**
 * Cuts a text that arrives in pieces, such as the tokens of a language model, into sentences to speak.
 *
 * However the text is cut into pieces, the sentences are the same. Each makes a request.
 */
export class Segmenter {
  readonly #native: NativeSegmenter = new native.Segmenter();
  readonly #pairs = new Pairs();

  /**
   * Takes the next piece, of any length, and gives the sentences that are now decided.
   *
   * @throws {SpeechError} `invalid_request` for a piece that `splitText` would refuse; then nothing is taken.
   */
  push(piece: string): Segment[] {
    return this.#pairs.push(piece, (text) => unwrap(this.#native.push(text)).map(segment));
  }

  /** Ends the text, and gives the sentences that are left. The next piece begins another text. */
  finish(): Segment[] {
    this.#pairs.finish();
    return this.#native.finish().map(segment);
  }
}

function segment({ text, start, end, endsParagraph }: RawSegment): Segment {
  return { text, span: { start, end }, endsParagraph };
}
