import { type ParseArgsConfig, parseArgs } from "node:util";

import { UsageError } from "./errors.js";

/** The name of the program. */
export const PROGRAM = "libspeech-sdk";

/** The values of a command's options, by name. */
export type Values = Record<string, unknown>;

/** One command of the program. */
export interface Command {
  readonly name: string;
  /** The summary in the list of commands: one line. */
  readonly summary: string;
  /** The first line of its help. */
  readonly usage: string;
  readonly help: string;
  readonly options: NonNullable<ParseArgsConfig["options"]>;
  /**
   * The option that takes positional arguments: one anywhere, or any number of them after that
   * option.
   */
  readonly positional?: { readonly option: string; readonly many: boolean };
  run(values: Values): void | Promise<void>;
}

type Token = NonNullable<ReturnType<typeof parseArgs>["tokens"]>[number];

/** Parses the arguments after the name of a command. */
export function parse(command: Command, args: string[]): Values {
  const options = { ...command.options, help: { type: "boolean", short: "h" } } as const;
  try {
    const config = { args, options, allowPositionals: true, tokens: true } as const;
    const { values, tokens } = parseArgs(config);
    const found = values["help"] === true ? [] : positionals(command, tokens);
    return merged(command, values, found);
  } catch (error) {
    if (!isParseError(error)) throw error;
    // An unknown argument may be a part of the text, which must not appear in a message.
    const isUnknown = error.code === "ERR_PARSE_ARGS_UNKNOWN_OPTION";
    const unknown = "unknown option: put a text that begins with a dash after `--`";
    throw new UsageError(isUnknown ? unknown : error.message, command.usage);
  }
}

/** The positional arguments. Throws where none is allowed. */
function positionals({ positional, usage }: Command, tokens: readonly Token[]): string[] {
  const found: string[] = [];
  let allowed = positional?.many === false;
  for (const token of tokens) {
    if (token.kind === "positional") {
      // It may be a part of the text, which must not appear in a message.
      if (!allowed) throw new UsageError("too many arguments: put the text in quotation marks", usage);
      found.push(token.value);
      allowed = positional?.many === true;
    } else if (positional?.many === true) {
      allowed = token.kind === "option" && token.name === positional.option;
    }
  }
  return found;
}

function merged({ positional }: Command, values: Values, found: string[]): Values {
  if (positional === undefined || found.length === 0) return values;
  const { option, many } = positional;
  const before = (values[option] ?? []) as string[];
  return { ...values, [option]: many ? [...before, ...found] : found[0] };
}

function isParseError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && /^ERR_PARSE_ARGS_/.test((error as { code?: string }).code ?? "");
}
