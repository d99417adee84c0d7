/** Node's part of the code that all TypeScript packages share. */

import type { PathLike } from "node:fs";
import { writeFile } from "node:fs/promises";
import { Readable } from "node:stream";

import { type Encoding, type Output, encoded } from "./encoding.js";
import { type NativeLexicon, native } from "./native.js";
import { wavHeader } from "./wav.js";

/** Samples. */
export type Pcm = Int16Array;

/** Samples as bytes. */
export type Bytes = Uint8Array;

/** The native object of a lexicon. */
export type RawLexicon = NativeLexicon;

/** A new request identifier, a UUID. */
export const requestId = (): string => native.requestId();

/** The known name nearest to `name`; null if no name is near. */
export const nearestName = (name: string, known: readonly string[]): string | null => native.nearestName(name, [...known]);

/** The base class of objects with samples. */
export abstract class PlatformSamples {
  /** The samples, in the library's own memory and not copied, where the runtime allows that. */
  abstract readonly samples: Pcm;
  abstract readonly sampleRate: number;
  abstract readonly encoding: Encoding;

  /**
   * The samples as bytes in the encoding of the request, little-endian. Those of `pcm16` share the
   * memory of the samples.
   */
  get bytes(): Buffer {
    const bytes = encoded(this.samples, this.encoding);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** A RIFF/WAVE file of the samples in the encoding of the request; a copy. */
  get wav(): Buffer {
    return wavFile([this.bytes], this);
  }

  /** Writes a RIFF/WAVE file. */
  async save(path: PathLike): Promise<void> {
    await writeFile(path, this.wav);
  }
}

/** The base class of streams. */
export abstract class PlatformStream {
  abstract next(): Promise<IteratorResult<PlatformSamples, undefined>>;
  abstract close(): void;

  /**
   * The bytes, in the encoding of the request, as a Node stream. It requests a sentence when its buffer has room.
   */
  toReadable(): Readable {
    const readable = new Readable({
      read: () => {
        this.next().then(
          ({ done, value }) => readable.push(done === true ? null : value.bytes),
          (error: unknown) => readable.destroy(error as Error),
        );
      },
      destroy: (error, done) => {
        this.close();
        done(error);
      },
    });
    return readable;
  }
}

/** Joins parts of audio into one RIFF/WAVE file. */
export function wavFile(parts: readonly Buffer[], output: Output): Buffer {
  const bytes = parts.reduce((length, part) => length + part.length, 0);
  return Buffer.concat([wavHeader(bytes, output), ...parts, Buffer.alloc(bytes % 2)]);
}
