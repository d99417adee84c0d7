/** `libspeech-sdk voices` and `libspeech-sdk tiers`. */

import { type Context, type TierCatalogue, tiers as catalogueOf } from "../tiers.js";
import { voices as listing } from "../voices.js";
import { type Command, PROGRAM, type Values } from "./arguments.js";
import { UsageError } from "./errors.js";

const VOICES_USAGE = `usage: ${PROGRAM} voices [-h] [--json]`;
const TIERS_USAGE = `usage: ${PROGRAM} tiers [-h] [--json] [--available LEFT,RIGHT ...]`;

/** Lists the voices and languages. */
export const voices: Command = {
  name: "voices",
  summary: "list the voices and languages",
  usage: VOICES_USAGE,
  help: `${VOICES_USAGE}

options:
  --json      print the listing as JSON
  -h, --help  print this help
`,
  options: { json: { type: "boolean" } },
  run: ({ json }) => print(json === true ? JSON.stringify(listing()) : voiceTable()),
};

/** Lists the latency tiers, with their availability in a deployment and their prices. */
export const tiers: Command = {
  name: "tiers",
  summary: "list the latency tiers and their prices",
  usage: TIERS_USAGE,
  help: `${TIERS_USAGE}

options:
  --json                        print the catalog as JSON
  --available LEFT,RIGHT ...    the context settings that the deployment can run [default: all]
  -h, --help                    print this help
`,
  options: { json: { type: "boolean" }, available: { type: "string", multiple: true } },
  positional: { option: "available", many: true },
  run: (values) => {
    const catalogue = catalogueOf(available(values));
    print(values["json"] === true ? JSON.stringify(catalogue) : tierTable(catalogue));
  },
};

function voiceTable(): string {
  const { voices, defaultVoice, languages } = listing();
  const rows = voices.map(({ id, name }) => `${id.padEnd(8)}${name}${mark(id === defaultVoice)}`);
  return [...rows, `Each speaks ${languages.join(" and ")}.`].join("\n");
}

function tierTable(catalogue: TierCatalogue): string {
  const head = `${"tier".padEnd(10)}${"latency".padStart(12)}${"USD a second".padStart(14)}  available`;
  const rows = catalogue.tiers.map(({ tier, latencyMs, rateUsdPerSecond, available }) => {
    const latency = `${String(latencyMs).padStart(9)} ms`;
    const price = rateUsdPerSecond.toFixed(6).padStart(14);
    const note = mark(tier === catalogue.default);
    return `${tier.padEnd(10)}${latency}${price}  ${available ? "yes" : "no"}${note}`;
  });
  return [head, ...rows].join("\n");
}

function mark(isDefault: boolean): string {
  return isDefault ? "  (default)" : "";
}

function available({ available }: Values): { available?: Context[] } {
  return available === undefined ? {} : { available: (available as string[]).map(context) };
}

function context(text: string): Context {
  const pair = /^(\d+),(\d+)$/.exec(text);
  if (pair === null) {
    throw new UsageError(`${JSON.stringify(text)} is not two numbers with a comma`, TIERS_USAGE);
  }
  return [Number(pair[1]), Number(pair[2])];
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
