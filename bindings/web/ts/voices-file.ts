/**
 * The voices of a release: `compact`, `libspeech-voices-compact.tar.gz`, with every voice, language and quality; or `light`,
 * `libspeech-voices-light.tar.gz`, with `aria` in English and quality `light` alone.
 */
export type VoicesBundle = "compact" | "light";

/** A file of voices that belongs to a version of this package. */
export interface VoicesFile {
  /** Bytes of the file. */
  bytes: number;
  /** SHA-256 of the file, in hexadecimal digits. */
  sha256: string;
  /** Bytes of the bundle that is in it. */
  unpacked: number;
}
