import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, lstat, open, realpath, rename, stat, unlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Writes a file, which has its name once all is written: an error or Ctrl-C leaves no part of it. */
export async function writeWhole(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  // What a link leads to is written, and not the link.
  const target = await realpath(path).catch(() => path);
  const there = await stat(target).catch(() => undefined);
  // A pipe, another device or an open file that has no name has what is written at once; a file must be one that may be written.
  const inPlace = there === undefined ? undefined : await open(target, "r+");
  const isNamed = there?.isFile() === true && !(await lstat(target)).isSymbolicLink();
  if (inPlace !== undefined && !isNamed) return closed(inPlace, write);
  await inPlace?.close();
  const draft = join(dirname(target), `.speech-${randomUUID()}.partial`);
  try {
    const file = await open(draft, "wx", there === undefined ? undefined : there.mode & 0o777);
    await closed(file, write);
    await rename(draft, target).catch(async (error: unknown) => {
      if (there === undefined) throw error;
      // A file that is mounted by itself, or another user's in a folder like /tmp, may be written but not replaced.
      await writeFile(target, createReadStream(draft));
      await unlink(draft);
    });
  } catch (error) {
    await unlink(draft).catch(() => undefined);
    if (error instanceof Error && (error as NodeJS.ErrnoException).path === draft) Object.assign(error, { path });
    throw error;
  }
}

async function closed(file: FileHandle, write: (file: FileHandle) => Promise<void>): Promise<void> {
  try {
    await write(file);
  } finally {
    await file.close();
  }
}

/** Whether two names lead to one file. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map((path) => stat(path, { bigint: true }).catch(() => undefined)));
  return first !== undefined && first.isFile() && first.ino === second?.ino && first.dev === second.dev;
}
