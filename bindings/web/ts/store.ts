/**
 * Stores the voices on the device, in the origin private file system, which only pages of the same
 * origin can read.
 */

import { VOICES } from "./release.js";

/** The folder of the library. */
const FOLDER = "libspeech";

/** File access in a worker, which the DOM types omit. */
interface SyncAccess {
  getSize(): number;
  write(bytes: Uint8Array, options: { at: number }): number;
  truncate(size: number): void;
  flush(): void;
  close(): void;
}

/** A file named by its SHA-256. Without storage, nothing is found and nothing is stored. */
export class StoredFile {
  readonly #folder: FileSystemDirectoryHandle | undefined;
  readonly #name: string;
  #partial: SyncAccess | undefined;
  #length = 0;

  private constructor(folder: FileSystemDirectoryHandle | undefined, name: string) {
    this.#folder = folder;
    this.#name = name;
  }

  /**
   * Opens the file of this name. A browser may have no storage, for example in a private window.
   */
  static async open(name: string): Promise<StoredFile> {
    try {
      const root = await navigator.storage.getDirectory();
      return new StoredFile(await root.getDirectoryHandle(FOLDER, { create: true }), name);
    } catch {
      return new StoredFile(undefined, name);
    }
  }

  /** The whole file, if it is stored. */
  async read(): Promise<Blob | undefined> {
    return this.#blob(this.#name);
  }

  /** The stored part of an interrupted download. */
  async partial(): Promise<Blob | undefined> {
    return this.#blob(`${this.#name}.part`);
  }

  /** Begins to store a download whose first `length` bytes are already stored. */
  async begin(length: number): Promise<void> {
    this.#length = length;
    try {
      const handle = await this.#folder?.getFileHandle(`${this.#name}.part`, { create: true });
      const open = handle as { createSyncAccessHandle?: () => Promise<SyncAccess> } | undefined;
      this.#partial = await open?.createSyncAccessHandle?.();
      this.#partial?.truncate(length);
    } catch {
      this.#stop();
    }
  }

  /** Stores the next bytes. Stops storing when the device is full. */
  write(bytes: Uint8Array): void {
    try {
      const written = this.#partial?.write(bytes, { at: this.#length });
      this.#length += bytes.length;
      // In a full private window, Chromium returns a huge number and not a smaller one.
      if (written !== undefined && written !== bytes.length) this.#stop();
    } catch {
      this.#stop();
    }
  }

  /** Interrupts a download; the stored part remains. */
  pause(): void {
    try {
      this.#partial?.flush();
    } finally {
      this.#stop();
    }
  }

  /** Marks the download as complete. Returns whether the file is stored. */
  async keep(): Promise<boolean> {
    const kept = this.#partial !== undefined;
    this.pause();
    if (!kept || this.#folder === undefined) {
      await this.discard();
      return false;
    }
    try {
      const handle = await this.#folder.getFileHandle(`${this.#name}.part`);
      await (handle as unknown as { move(name: string): Promise<void> }).move(this.#name);
      await this.#removeOthers();
      return true;
    } catch {
      await this.discard();
      return false;
    }
  }

  /** Removes the file, and its partial download. */
  async discard(): Promise<void> {
    this.#stop();
    for (const name of [this.#name, `${this.#name}.part`]) await this.#folder?.removeEntry(name).catch(() => undefined);
  }

  /** Removes the voices of other versions; the bundles of one release are kept side by side. */
  async #removeOthers(): Promise<void> {
    const entries = this.#folder as unknown as { keys(): AsyncIterable<string> };
    const names: string[] = [];
    for await (const name of entries.keys()) names.push(name);
    const release = Object.values(VOICES ?? {}).map(({ sha256 }) => sha256);
    const kept = release.includes(this.#name) ? release : [this.#name];
    const others = names.filter((name) => !kept.some((start) => name.startsWith(start)));
    for (const name of others) await this.#folder!.removeEntry(name).catch(() => undefined);
  }

  async #blob(name: string): Promise<Blob | undefined> {
    try {
      const handle = await this.#folder?.getFileHandle(name);
      return await handle?.getFile();
    } catch {
      return undefined;
    }
  }

  #stop(): void {
    const partial = this.#partial;
    this.#partial = undefined;
    partial?.close();
  }
}
