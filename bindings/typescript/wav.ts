import type { Output } from "./encoding.js";

/** The default sample rate, in hertz. */
export const SAMPLE_RATE = 22_050;

/** The RIFF/WAVE format code of each encoding, and the bytes per sample. */
const FORMATS = { pcm16: [1, 2], float32: [3, 4], mulaw: [7, 1], alaw: [6, 1] } as const;

/**
 * The header of a RIFF/WAVE file with this many bytes of samples. An odd number of them is followed
 * by a zero.
 */
export function wavHeader(bytes: number, { sampleRate, encoding }: Output): Uint8Array {
  const [format, bytesPerSample] = FORMATS[encoding];
  // Formats other than integer PCM have an empty extension, and the number of samples.
  const isPcm = encoding === "pcm16";
  const length = isPcm ? 44 : 58;
  const header = new DataView(new ArrayBuffer(length));
  const tag = (at: number, text: string) => {
    for (let i = 0; i < text.length; i++) header.setUint8(at + i, text.charCodeAt(i));
  };
  tag(0, "RIFF");
  header.setUint32(4, length - 8 + bytes + (bytes % 2), true);
  tag(8, "WAVEfmt ");
  header.setUint32(16, isPcm ? 16 : 18, true);
  header.setUint16(20, format, true);
  header.setUint16(22, 1, true); // channels
  header.setUint32(24, sampleRate, true);
  header.setUint32(28, sampleRate * bytesPerSample, true);
  header.setUint16(32, bytesPerSample, true);
  header.setUint16(34, 8 * bytesPerSample, true);
  if (!isPcm) {
    tag(38, "fact");
    header.setUint32(42, 4, true);
    header.setUint32(46, bytes / bytesPerSample, true);
  }
  tag(length - 8, "data");
  header.setUint32(length - 4, bytes, true);
  return new Uint8Array(header.buffer);
}
