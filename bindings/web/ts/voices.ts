/**
 * Fetches and checks the voices, stores them for the next visit, and unpacks them into the memory
 * of the module.
 */

import { SpeechError } from "./errors.js";
import { failedDownload } from "./module.js";
import type { LoadProgress } from "./protocol.js";
import { StoredFile } from "./store.js";
import type { VoicesFile } from "./voices-file.js";

/** The first bytes of a gzip file. */
const GZIP = [0x1f, 0x8b];

/** The number of attempts to complete an interrupted download. */
const ATTEMPTS = 3;

/** The voices as fetched. */
export interface Packed {
  blob: Blob;
  /** Whether they are stored for the next visit. */
  stored: boolean;
}

type Report = (progress: LoadProgress) => void;

/** Returns the voices of an address: the stored ones, or else fetches them. */
export async function obtain(url: string, file: VoicesFile | undefined, store: boolean, report: Report): Promise<Packed> {
  // A page loaded without HTTPS has no storage.
  if (!store || !isSecureContext) return fetchChecked(url, file, undefined, report);
  const name = file?.sha256 ?? (await sha256(new Blob([url])));
  // Of several tabs, one fetches the voices; the others then find them stored.
  return locked(`libspeech ${name}`, async () => {
    const place = await StoredFile.open(name);
    const kept = await place.read();
    if (kept !== undefined && (await isRight(kept, file))) return { blob: kept, stored: true };
    if (kept !== undefined) await place.discard();
    return fetchChecked(url, file, place, report);
  });
}

/** Fetches the voices. If the check fails, fetches them once more from the beginning. */
async function fetchChecked(
  url: string,
  file: VoicesFile | undefined,
  place: StoredFile | undefined,
  report: Report,
): Promise<Packed> {
  for (let attempt = 0; attempt < 2; attempt++) {
    const blob = await fetchWhole(url, file, place, report);
    if (await isRight(blob, file)) return { blob, stored: (await place?.keep()) ?? false };
    await place?.discard();
    if (blob.size === file?.unpacked) {
      throw damaged("the server gives the voices with a Content-Encoding, which browsers unpack: it must give the file as it is");
    }
  }
  throw damaged("the voices that were fetched are not those of this version and bundle");
}

/** Fetches a file, and resumes an interrupted download. */
async function fetchWhole(
  url: string,
  file: VoicesFile | undefined,
  place: StoredFile | undefined,
  report: Report,
): Promise<Blob> {
  const begun = await place?.partial();
  // Copies the bytes, as the stored part is about to be written to.
  const parts: BlobPart[] = begun === undefined ? [] : [await begun.arrayBuffer()];
  let loaded = begun?.size ?? 0;
  await place?.begin(loaded);
  let failure: unknown;
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (file !== undefined && loaded >= file.bytes) return new Blob(parts);
      try {
        const response = await request(url, loaded);
        if (response.status !== 206 && loaded > 0) {
          // The server does not support ranges.
          parts.length = loaded = 0;
          await restart(place);
        }
        const length = Number(response.headers.get("Content-Length")) || undefined;
        const end = length === undefined ? undefined : loaded + length;
        const total = file?.bytes ?? end;
        for await (const bytes of chunks(response.body!)) {
          parts.push(bytes);
          loaded += bytes.length;
          place?.write(bytes);
          report({ phase: "download", loaded, total });
        }
        // A complete response that is shorter than expected is a different file; the caller's check
        // rejects it.
        if (file === undefined || loaded >= file.bytes || loaded === end) return new Blob(parts);
      } catch (error) {
        if (error instanceof SpeechError) throw error;
        failure = error;
      }
    }
  } finally {
    if (failure !== undefined) place?.pause();
  }
  throw failedDownload("the voices could not be fetched to their end", failure);
}

async function restart(place: StoredFile | undefined): Promise<void> {
  await place?.discard();
  await place?.begin(0);
}

/** Requests a file from a byte offset on. */
async function request(url: string, from: number): Promise<Response> {
  const response = await fetch(url, from === 0 ? {} : { headers: { Range: `bytes=${from}-` } });
  if (response.ok) return response;
  throw failedDownload(`the voices could not be fetched: HTTP ${response.status}`);
}

/** Iterates over a stream, as not every browser has iterable streams. */
async function* chunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    yield next.value as Uint8Array<ArrayBuffer>;
  }
}

/** Whether a file is the expected one, as far as that is known. */
async function isRight(blob: Blob, file: VoicesFile | undefined): Promise<boolean> {
  if (file === undefined) return true;
  if (blob.size !== file.bytes) return false;
  // A page loaded without HTTPS has no SHA-256; the module checks the voices again anyway.
  return !isSecureContext || (await sha256(blob)) === file.sha256;
}

/** The SHA-256, in hexadecimal digits. */
async function sha256(blob: Blob): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await blob.arrayBuffer()));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Unpacks a bundle into the memory that `allocate` returns. */
export async function unpack<T>(
  blob: Blob,
  unpacked: number | undefined,
  allocate: (length: number) => { bytes: Uint8Array } & T,
  report: Report,
): Promise<T> {
  const start = new Uint8Array(await blob.slice(0, GZIP.length).arrayBuffer());
  const isPacked = GZIP.every((byte, i) => start[i] === byte);
  const length = isPacked ? unpacked : blob.size;
  try {
    const stream = isPacked ? blob.stream().pipeThrough(new DecompressionStream("gzip")) : blob.stream();
    if (length === undefined) return await copied(new Blob(await all(chunks(stream))), allocate);
    const room = allocate(length);
    let loaded = 0;
    for await (const bytes of chunks(stream)) {
      room.bytes.set(bytes, loaded);
      loaded += bytes.length;
      report({ phase: "prepare", loaded, total: length });
    }
    if (loaded !== length) throw damaged("the voices are truncated");
    return room;
  } catch (error) {
    if (error instanceof SpeechError || error instanceof WebAssembly.RuntimeError) throw error;
    throw damaged("the voices cannot be unpacked", error);
  }
}

async function copied<T>(blob: Blob, allocate: (length: number) => { bytes: Uint8Array } & T): Promise<T> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const room = allocate(bytes.length);
  room.bytes.set(bytes);
  return room;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

function damaged(message: string, cause?: unknown): SpeechError {
  const options = { detail: "file_damaged", advice: "reinstall_voices" };
  return new SpeechError("model_error", message, cause === undefined ? options : { ...options, cause });
}

/** Runs a function in one tab at a time, if the browser has locks. */
async function locked<T>(name: string, body: () => Promise<T>): Promise<T> {
  const locks = navigator.locks as LockManager | undefined;
  return locks === undefined ? body() : ((await locks.request(name, body)) as T);
}
