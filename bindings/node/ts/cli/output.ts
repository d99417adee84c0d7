import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, lstat, open, realpath, rename, stat, unlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * Writes a file, which appears under its name only once complete: an error or Ctrl-C leaves no
 * partial file.
 */
export async function writeWhole(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  // Writes the target of a link, and does not replace the link.
  const target = await realpath(path).catch(() => path);
  const there = await stat(target).catch(() => undefined);
  // A pipe, another device or an open file without a name is written directly. Of a file, this
  // checks that it is writable.
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
      // A file that is a mount point, or another user's file in a folder such as /tmp, may be
      // writable but not replaceable.
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

/** Whether two paths lead to the same file. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map((path) => stat(path, { bigint: true }).catch(() => undefined)));
  return first !== undefined && first.isFile() && first.ino === second?.ino && first.dev === second.dev;
}
