import type { Bytes, Pcm } from "./platform.js";

/**
 * The encoding of a sample: a 16-bit integer, a 32-bit float from -1 to 1, or the nearest 8-bit
 * telephone code (ITU-T G.711).
 */
export type Encoding = "pcm16" | "float32" | "mulaw" | "alaw";

/** The sample rate and the encoding of a request. */
export interface Output {
  readonly sampleRate: number;
  readonly encoding: Encoding;
}

/**
 * `Float32Array<ArrayBuffer>` for compilers since TypeScript 5.7, `Float32Array` for older ones.
 */
export type FloatSamples = ReturnType<typeof Float32Array.from>;

/** The samples as floats from -1 to 1; a copy. */
export function floats(samples: Pcm): FloatSamples {
  return Float32Array.from(samples, (sample) => sample / 32_768);
}

/**
 * The samples as bytes in an encoding, little-endian. For `pcm16` they share the samples' memory.
 */
export function encoded(samples: Pcm, encoding: Encoding): Bytes {
  if (encoding === "mulaw" || encoding === "alaw") {
    const codes = (tables[encoding] ??= encoding === "mulaw" ? mulawCodes() : alawCodes());
    return Uint8Array.from(samples, (sample) => codes[sample & 0xffff]!);
  }
  const values = encoding === "float32" ? floats(samples) : samples;
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength) as Bytes;
}

/** The codes of all samples, indexed by their 16 bits; computed on first use. */
const tables: { mulaw?: Uint8Array; alaw?: Uint8Array } = {};

/** In mu-law all bits are inverted. */
function mulawCodes(): Uint8Array {
  const value = (segment: number, place: number) => ((8 * place + 132) << segment) - 132;
  return codes(value, (level, isNegative) => ~(level | (isNegative ? 0x80 : 0)));
}

/** In A-law the even bits are inverted. */
function alawCodes(): Uint8Array {
  const value = (segment: number, place: number) =>
    segment === 0 ? 16 * place + 8 : (16 * place + 264) << (segment - 1);
  return codes(value, (level, isNegative) => (level | (isNegative ? 0 : 0x80)) ^ 0x55);
}

/**
 * The codes of all samples: those of the nearest level, and of two the one farther from zero. A
 * level is a position in one of eight segments; the steps of each segment are twice as long as
 * those of the segment below.
 */
function codes(
  value: (segment: number, place: number) => number,
  code: (level: number, isNegative: boolean) => number,
): Uint8Array {
  const levels = Array.from({ length: 128 }, (_, level) => value(level >> 4, level & 15));
  const result = new Uint8Array(0x1_0000);
  for (let magnitude = 0, level = 0; magnitude <= 0x8000; magnitude++) {
    while (level < 127 && 2 * magnitude >= levels[level]! + levels[level + 1]!) level += 1;
    if (magnitude < 0x8000) result[magnitude] = code(level, false);
    if (magnitude > 0) result[0x1_0000 - magnitude] = code(level, true);
  }
  return result;
}
