import type { WriteStream } from "node:tty";

import type { Chunk } from "../audio.js";
import type { Stream } from "../stream.js";

const WIDTH = 30;

/** The chunks of a stream, with a progress bar in sentences if there is a terminal. */
export async function* withProgress(stream: Stream, terminal: WriteStream): AsyncGenerator<Chunk, void> {
  if (!terminal.isTTY) {
    yield* stream;
    return;
  }
  try {
    yield* drawing(stream, terminal);
  } finally {
    draw(terminal, "");
  }
}

async function* drawing(stream: Stream, terminal: WriteStream): AsyncGenerator<Chunk, void> {
  draw(terminal, bar(0, stream.sentences));
  const starts = new Set<number>();
  for await (const chunk of stream) {
    // With low latency a sentence may arrive in several chunks.
    starts.add(chunk.span.start);
    draw(terminal, bar(starts.size, stream.sentences));
    yield chunk;
  }
}

function bar(done: number, total: number): string {
  const full = Math.floor((WIDTH * done) / Math.max(total, 1));
  return `${"#".repeat(full)}${"-".repeat(WIDTH - full)} ${done}/${total} sentences`;
}

function draw(terminal: WriteStream, line: string): void {
  // Clears the line with spaces, as not every terminal supports escape sequences.
  terminal.write(`\r${" ".repeat(60)}\r${line}`);
}
