/**
 * The voices of a release: `compact` (`libspeech-voices-compact.tar.gz`) has every voice, language
 * and quality level; `light` (`libspeech-voices-light.tar.gz`) has only `aria` in English at
 * quality `light`.
 */
export type VoicesBundle = "compact" | "light";

/** A file of voices that belongs to a version of this package. */
export interface VoicesFile {
  /** The size of the file, in bytes. */
  bytes: number;
  /** SHA-256 of the file, in hexadecimal digits. */
  sha256: string;
  /** The size of the unpacked bundle, in bytes. */
  unpacked: number;
}
