/** What is Node's own in the parts that all packages in TypeScript share. */

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

/** What the library knows a lexicon by. */
export type RawLexicon = NativeLexicon;

/** A new identifier of a request, a UUID. */
export const requestId = (): string => native.requestId();

/** The name that was meant; null if none is near. */
export const nearestName = (name: string, known: readonly string[]): string | null => native.nearestName(name, [...known]);

/** What samples can do. */
export abstract class PlatformSamples {
  /** The samples. They are in the library's own memory, not in a copy, where the runtime allows that. */
  abstract readonly samples: Pcm;
  abstract readonly sampleRate: number;
  abstract readonly encoding: Encoding;

  /** The samples as bytes in the encoding of the request, little-endian. Those of `pcm16` are the same memory. */
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

/** What streams can do. */
export abstract class PlatformStream {
  abstract next(): Promise<IteratorResult<PlatformSamples, undefined>>;
  abstract close(): void;

  /** The bytes, in the encoding of the request, as a stream of Node, of which a sentence is asked for when there is room for it. */
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

/** One RIFF/WAVE file of bytes that come in parts. */
export function wavFile(parts: readonly Buffer[], output: Output): Buffer {
  const bytes = parts.reduce((length, part) => length + part.length, 0);
  return Buffer.concat([wavHeader(bytes, output), ...parts, Buffer.alloc(bytes % 2)]);
}
