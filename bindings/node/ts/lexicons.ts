import * as checks from "./checks.js";
import type { RawError } from "./errors.js";
import { Lexicon } from "./lexicon.js";
import { type NativeLexicon, native, unwrap } from "./native.js";

/**
 * Reads a lexicon of at most 5,000 entries, one per line, the words and their reading separated by
 * a tab. Empty lines and lines that begin with `#` are comments; of two entries for the same words
 * the later one counts.
 *
 * ```ts
 * const names = await parseLexicon("Siobhan\t/ʃɪˈvɔːn/\nkubectl\tcube control\n");
 * const audio = await engine.synthesize("Siobhan runs kubectl.", { lexicons: [names] });
 * ```
 *
 * @throws {SpeechError} `invalid_request`; the message names the line.
 */
export async function parseLexicon(text: string): Promise<Lexicon> {
  return read(native.parseLexicon(checks.string("text", text)));
}

/**
 * Reads a lexicon in the Pronunciation Lexicon Specification 1.0. It applies to texts in the
 * language of its `xml:lang`, and has at most 5,000 graphemes, with phonemes in the alphabet `ipa`
 * or `cmu-arpabet`.
 *
 * @throws {SpeechError} `invalid_request` for unsupported content; the message names its line and
 * column.
 */
export async function parsePls(document: string): Promise<Lexicon> {
  return read(native.parsePls(checks.string("document", document)));
}

async function read(reading: Promise<NativeLexicon | RawError>): Promise<Lexicon> {
  const lexicon = unwrap(await reading);
  return Lexicon.of(lexicon, lexicon.size);
}
