import { createRequire } from "node:module";

import { type Command, PROGRAM, parse } from "./arguments.js";
import { UsageError, report } from "./failures.js";
import { tiers, voices } from "./listings.js";
import { say } from "./say.js";

const COMMANDS: readonly Command[] = [say, voices, tiers];

const USAGE = `usage: ${PROGRAM} [-h] [--version] COMMAND ...`;

const HELP = `${USAGE}

Text to speech, offline.

commands:
${COMMANDS.map(({ name, purpose }) => `  ${name.padEnd(8)}${purpose}`).join("\n")}

\`${PROGRAM} COMMAND --help\` tells what a command takes.
`;

/** Runs a command, and gives the exit status: 0, 1 for an error, 2 for wrong usage, 130 for Ctrl-C. */
export async function main(given: string[]): Promise<number> {
  process.stdout.on("error", (error) => process.exit(report(error)));
  try {
    await run(given);
    return 0;
  } catch (error) {
    return report(error);
  }
}

async function run(given: string[]): Promise<void> {
  const [name, ...rest] = given;
  const command = COMMANDS.find((command) => command.name === name);
  if (command === undefined) return general(given);
  const values = parse(command, rest);
  if (values["help"] === true) print(command.help);
  else await command.run(values);
}

/** What stands where a command is expected. */
function general([option]: string[]): void {
  if (option === "-h" || option === "--help") return print(HELP);
  if (option === "--version") return print(`libspeech ${version()}\n`);
  if (option === undefined) throw new UsageError("a command is missing", USAGE);
  const names = COMMANDS.map(({ name }) => name).join(", ");
  throw new UsageError(`there is no command ${JSON.stringify(option)}; use ${names}`, USAGE);
}

function version(): string {
  const manifest = createRequire(__filename)("../../package.json") as { version: string };
  return manifest.version;
}

function print(text: string): void {
  process.stdout.write(text);
}
