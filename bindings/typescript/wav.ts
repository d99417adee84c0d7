/** Samples a second of all audio, in hertz. */
export const SAMPLE_RATE = 22_050;

/** The length of the header of a RIFF/WAVE file, in bytes. */
const HEADER = 44;

/** The header of a RIFF/WAVE file with so many bytes of samples. */
export function wavHeader(bytes: number): Uint8Array {
  const header = new DataView(new ArrayBuffer(HEADER));
  const tag = (at: number, text: string) => {
    for (let i = 0; i < text.length; i++) header.setUint8(at + i, text.charCodeAt(i));
  };
  tag(0, "RIFF");
  header.setUint32(4, HEADER - 8 + bytes, true);
  tag(8, "WAVEfmt ");
  header.setUint32(16, 16, true);
  header.setUint16(20, 1, true); // format: integer PCM
  header.setUint16(22, 1, true); // channels
  header.setUint32(24, SAMPLE_RATE, true);
  header.setUint32(28, SAMPLE_RATE * 2, true);
  header.setUint16(32, 2, true); // bytes per frame
  header.setUint16(34, 16, true); // bits per sample
  tag(36, "data");
  header.setUint32(40, bytes, true);
  return new Uint8Array(header.buffer);
}
