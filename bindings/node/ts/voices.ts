import { native } from "./native.js";

/** The voices, the languages, and the limits common to all. */
export interface VoiceListing {
  /** BCP 47 tags, such as `en-US`. */
  readonly languages: readonly string[];
  /** The voices: the identifier for requests, and the display name. */
  readonly voices: readonly { readonly id: string; readonly name: string }[];
  /** The voice of a request without a voice. */
  readonly defaultVoice: string;
  /** The native sample rate of every voice, in hertz. */
  readonly sampleRate: number;
  /** The longest text of one request, in characters. */
  readonly maxCharacters: number;
  /** The list in the JSON form of a service's response. */
  toJSON(): unknown;
}

/** The voices and their common properties. Needs no voice bundle. */
export function voices(): VoiceListing {
  const listing = JSON.parse(native.voices());
  return {
    languages: listing.languages,
    voices: listing.voices,
    defaultVoice: listing.default_voice,
    sampleRate: listing.sample_rate,
    maxCharacters: listing.max_characters,
    toJSON: () => listing,
  };
}
