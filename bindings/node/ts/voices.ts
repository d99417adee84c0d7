import { native } from "./native.js";

/** The voices, the languages, and the limits that hold for all. */
export interface VoiceListing {
  /** BCP 47 tags, such as `en-US`. */
  readonly languages: readonly string[];
  /** The voices: the identifier that requests name, and the name for people. */
  readonly voices: readonly { readonly id: string; readonly name: string }[];
  /** The voice of a request that names none. */
  readonly defaultVoice: string;
  /** Samples a second of all audio, in hertz. */
  readonly sampleRate: number;
  /** The longest text of one request, in characters. */
  readonly maxCharacters: number;
  /** The listing as a service sends it, with the names of the contract. */
  toJSON(): unknown;
}

/** The voices, and what holds for all of them. No voice bundle is needed. */
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
