import { getSystemErrorMap } from "node:util";

import { SpeechError } from "../errors.js";

/** Invalid arguments: reported with the usage, and exit status 2. */
export class UsageError extends Error {
  constructor(
    message: string,
    readonly usage: string,
  ) {
    super(message);
  }
}

/** Another error of the program itself, with a message for the user: exit status 1. */
export class CliError extends Error {}

/** Prints an error to standard error, and returns its exit status. */
export function report(error: unknown): number {
  if (error instanceof UsageError) return print(`${error.usage}\nerror: ${error.message}`, 2);
  if (error instanceof CliError) return print(`error: ${error.message}`, 1);
  if (error instanceof SpeechError) return reportSpeechError(error);
  if (isSystemError(error)) return reportSystemError(error);
  throw error;
}

function reportSpeechError(error: SpeechError): number {
  if (error.code === "cancelled") return 130;
  return print(`error[${error.code}]: ${error.message} (request ${error.requestId})`, 1);
}

function reportSystemError({ code, errno, path }: NodeJS.ErrnoException): number {
  // The reader of the output has closed the pipe, as `head` does.
  if (code === "EPIPE") return 0;
  const reason = getSystemErrorMap().get(errno ?? 0)?.[1] ?? code;
  return print(`error: ${path ?? "output"}: ${reason}`, 1);
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}

function print(line: string, status: number): number {
  process.stderr.write(`${line}\n`);
  return status;
}
