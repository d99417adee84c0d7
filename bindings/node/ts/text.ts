import * as checks from "./checks.js";
import { type NativeSegmenter, type RawSegment, type Span, native } from "./native.js";

/** The longest text of one request, in characters (Unicode scalar values). */
export const MAX_CHARACTERS = 1_000;

/**
 * Cuts a text into parts, in order: after sentences if it can, else after clauses, else between words, and inside a word
 * only if the word alone is over the limit. White space around the parts is left out.
 *
 * ```ts
 * splitText("One sentence. And a second one.", 20); // ["One sentence.", "And a second one."]
 * ```
 */
export function splitText(text: string, maxCharacters: number = MAX_CHARACTERS): string[] {
  const limit = checks.count("maxCharacters", maxCharacters, 1, 2 ** 32 - 1);
  return native.splitText(checks.string("text", text), limit);
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
  /** The first half of a surrogate pair, whose other half is in the next piece. */
  #half = "";

  /** Takes the next piece, of any length, and gives the sentences that are now decided. */
  push(piece: string): Segment[] {
    if (typeof piece !== "string") checks.string("piece", piece);
    const text = this.#half + piece;
    const cut = /[\uD800-\uDBFF]$/.test(text) ? text.length - 1 : text.length;
    const whole = checks.string("piece", text.slice(0, cut));
    this.#half = text.slice(cut);
    return this.#native.push(whole).map(segment);
  }

  /** Ends the text, and gives the sentences that are left. The next piece begins another text. */
  finish(): Segment[] {
    const half = this.#half;
    this.#half = "";
    checks.string("the text", half);
    return this.#native.finish().map(segment);
  }
}

function segment({ text, start, end, endsParagraph }: RawSegment): Segment {
  return { text, span: { start, end }, endsParagraph };
}
