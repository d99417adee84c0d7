import { getSystemErrorMap } from "node:util";

import { SpeechError } from "../errors.js";

/** Arguments that make no command. */
export class UsageError extends Error {
  constructor(
    message: string,
    readonly usage: string,
  ) {
    super(message);
  }
}

/** What cannot be done, in words for the user. */
export class Refusal extends Error {}

/** Says what went wrong, and gives the exit status for it. */
export function report(error: unknown): number {
  if (error instanceof UsageError) return say(`${error.usage}\nerror: ${error.message}`, 2);
  if (error instanceof Refusal) return say(`error: ${error.message}`, 1);
  if (error instanceof SpeechError) return reportSpeech(error);
  if (isSystem(error)) return reportSystem(error);
  throw error;
}

function reportSpeech(error: SpeechError): number {
  if (error.code === "cancelled") return 130;
  return say(`error[${error.code}]: ${error.message} (request ${error.requestId})`, 1);
}

function reportSystem({ code, errno, path }: NodeJS.ErrnoException): number {
  // Whoever read our output has had enough, as `head` has.
  if (code === "EPIPE") return 0;
  const reason = getSystemErrorMap().get(errno ?? 0)?.[1] ?? code;
  return say(`error: ${path ?? "output"}: ${reason}`, 1);
}

function isSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}

function say(line: string, status: number): number {
  process.stderr.write(`${line}\n`);
  return status;
}
