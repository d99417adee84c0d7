/** The voices on the device: in the origin private file system, where only pages of the same origin find them. */

import { VOICES } from "./release.js";

/** The folder of the library. */
const FOLDER = "libspeech";

/** What a worker can do with a file, which the types of the DOM leave to workers. */
interface SyncAccess {
  getSize(): number;
  write(bytes: Uint8Array, options: { at: number }): number;
  truncate(size: number): void;
  flush(): void;
  close(): void;
}

/** A file that is named after its SHA-256. Without a place to keep it, nothing is found and nothing is kept. */
export class StoredFile {
  readonly #folder: FileSystemDirectoryHandle | undefined;
  readonly #name: string;
  #partial: SyncAccess | undefined;
  #length = 0;

  private constructor(folder: FileSystemDirectoryHandle | undefined, name: string) {
    this.#folder = folder;
    this.#name = name;
  }

  /** The file of this name; a browser may have no place for it, as in a private window. */
  static async open(name: string): Promise<StoredFile> {
    try {
      const root = await navigator.storage.getDirectory();
      return new StoredFile(await root.getDirectoryHandle(FOLDER, { create: true }), name);
    } catch {
      return new StoredFile(undefined, name);
    }
  }

  /** The whole file, if it was kept. */
  async read(): Promise<Blob | undefined> {
    return this.#blob(this.#name);
  }

  /** What was kept of a download that was interrupted. */
  async partial(): Promise<Blob | undefined> {
    return this.#blob(`${this.#name}.part`);
  }

  /** Begins to keep a download, after so many bytes that are there. */
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

  /** Keeps the next bytes. A device that is full keeps no more. */
  write(bytes: Uint8Array): void {
    try {
      const written = this.#partial?.write(bytes, { at: this.#length });
      this.#length += bytes.length;
      // In a private window of Chromium that is full the number is not smaller but huge.
      if (written !== undefined && written !== bytes.length) this.#stop();
    } catch {
      this.#stop();
    }
  }

  /** Ends a download for now: what is there is kept. */
  pause(): void {
    try {
      this.#partial?.flush();
    } finally {
      this.#stop();
    }
  }

  /** Keeps a whole file. Gives whether it is kept. */
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

  /** Removes it, and what was kept of it. */
  async discard(): Promise<void> {
    this.#stop();
    for (const name of [this.#name, `${this.#name}.part`]) await this.#folder?.removeEntry(name).catch(() => undefined);
  }

  /** Removes the voices of other versions; a release's bundles stay beside each other. */
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
