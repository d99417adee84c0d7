/// <reference lib="esnext.disposable" preserve="true" />
/** The browser's part of the code that all TypeScript packages share. */

import { type Encoding, encoded } from "./encoding.js";
import { wavHeader } from "./wav.js";

/** Samples. */
export type Pcm = Int16Array<ArrayBuffer>;

/** Samples as bytes. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** The number of a lexicon, unique in the page. */
export type RawLexicon = number;

/** A new request identifier, a UUID. `crypto.randomUUID` exists only in pages loaded over HTTPS. */
export function requestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Suggests no name: the module that compares names is in the worker. */
export const nearestName = (_name: string, _known: readonly string[]): string | null => null;

/** The base class of objects with samples. */
export abstract class PlatformSamples {
  /** The samples. */
  abstract readonly samples: Pcm;
  abstract readonly sampleRate: number;
  abstract readonly encoding: Encoding;

  /**
   * The samples as bytes in the encoding of the request, little-endian. Those of `pcm16` share the
   * memory of the samples.
   */
  get bytes(): Bytes {
    return encoded(this.samples, this.encoding);
  }

  /**
   * A RIFF/WAVE file of the samples in the encoding of the request, for an `<audio>` element or a
   * download.
   */
  toBlob(): Blob {
    const { bytes } = this;
    const parts = [wavHeader(bytes.length, this) as Bytes, bytes, new Uint8Array(bytes.length % 2)];
    return new Blob(parts, { type: "audio/wav" });
  }
}

/** The base class of streams: empty. */
export abstract class PlatformStream {}
