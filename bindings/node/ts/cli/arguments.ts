import { type ParseArgsConfig, parseArgs } from "node:util";

import { UsageError } from "./failures.js";

/** What the program is called. */
export const PROGRAM = "libspeech-sdk";

/** What was given to a command, by the names of its options. */
export type Values = Record<string, unknown>;

/** One command of the program. */
export interface Command {
  readonly name: string;
  /** What it is for, in a few words. */
  readonly purpose: string;
  /** The first line of its help. */
  readonly usage: string;
  readonly help: string;
  readonly options: NonNullable<ParseArgsConfig["options"]>;
  /** The option that takes what stands alone: once, or after that option and as often as one likes. */
  readonly rest?: { readonly option: string; readonly many: boolean };
  run(values: Values): void | Promise<void>;
}

type Token = NonNullable<ReturnType<typeof parseArgs>["tokens"]>[number];

/** Reads what stands after the name of a command. */
export function parse(command: Command, given: string[]): Values {
  const options = { ...command.options, help: { type: "boolean", short: "h" } } as const;
  try {
    const config = { args: given, options, allowPositionals: true, tokens: true } as const;
    const { values, tokens } = parseArgs(config);
    const alone = values["help"] === true ? [] : positionals(command, tokens);
    return merged(command, values, alone);
  } catch (error) {
    if (!isUsage(error)) throw error;
    throw new UsageError(error.message, command.usage);
  }
}

/** What stands alone, where that is allowed. */
function positionals({ rest, usage }: Command, tokens: readonly Token[]): string[] {
  const found: string[] = [];
  let open = rest?.many === false;
  for (const token of tokens) {
    if (token.kind === "positional") {
      if (!open) throw new UsageError(`unexpected argument ${JSON.stringify(token.value)}`, usage);
      found.push(token.value);
      open = rest?.many === true;
    } else if (rest?.many === true) {
      open = token.kind === "option" && token.name === rest.option;
    }
  }
  return found;
}

function merged({ rest }: Command, values: Values, alone: string[]): Values {
  if (rest === undefined || alone.length === 0) return values;
  const before = (values[rest.option] ?? []) as string[];
  return { ...values, [rest.option]: rest.many ? [...before, ...alone] : alone[0] };
}

function isUsage(error: unknown): error is Error {
  return error instanceof Error && /^ERR_PARSE_ARGS_/.test((error as { code?: string }).code ?? "");
}
