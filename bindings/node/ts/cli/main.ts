import { createRequire } from "node:module";

import { type Command, PROGRAM, parse } from "./arguments.js";
import { UsageError, report } from "./errors.js";
import { tiers, voices } from "./listings.js";
import { say } from "./say.js";

const COMMANDS: readonly Command[] = [say, voices, tiers];

const USAGE = `usage: ${PROGRAM} [-h] [--version] COMMAND ...`;

const HELP = `${USAGE}

Text to speech, offline.

commands:
${COMMANDS.map(({ name, summary }) => `  ${name.padEnd(8)}${summary}`).join("\n")}

\`${PROGRAM} COMMAND --help\` shows the options of a command.
`;

/**
 * Runs a command, and returns the exit status: 0, 1 for an error, 2 for wrong usage, 130 for
 * Ctrl-C.
 */
export async function main(args: string[]): Promise<number> {
  process.stdout.on("error", (error) => process.exit(report(error)));
  try {
    await run(args);
    return 0;
  } catch (error) {
    return report(error);
  }
}

async function run(args: string[]): Promise<void> {
  const [name, ...rest] = args;
  const command = COMMANDS.find((command) => command.name === name);
  if (command === undefined) return runWithoutCommand(args);
  const values = parse(command, rest);
  if (values["help"] === true) print(command.help);
  else await command.run(values);
}

/** Handles an option of the program itself, or reports an unknown command. */
function runWithoutCommand([option]: string[]): void {
  if (option === "-h" || option === "--help") return print(HELP);
  if (option === "--version") return print(`libspeech ${version()}\n`);
  if (option === undefined) throw new UsageError("a command is missing", USAGE);
  const names = COMMANDS.map(({ name }) => name).join(", ");
  throw new UsageError(`unknown command: the commands are ${names}`, USAGE);
}

function version(): string {
  const manifest = createRequire(__filename)("../../package.json") as { version: string };
  return manifest.version;
}

function print(text: string): void {
  process.stdout.write(text);
}
