/** The file of the voices that belongs to a version of this package. */
export interface VoicesFile {
  /** Bytes of the file. */
  bytes: number;
  /** SHA-256 of the file, in hexadecimal digits. */
  sha256: string;
  /** Bytes of the bundle that is in it. */
  unpacked: number;
}
