import * as checks from "./checks.js";
import { invalid, unwrap } from "./errors.js";
import { native } from "./native.js";

/** A latency tier: how much audio the encoder waits for before it commits to text, which is what the rate pays for. */
export type Tier = "ultra" | "turbo" | "standard" | "economy";

/** What waits for the text, which is what a tier is chosen by. */
export type TierUse = "midSentence" | "wholeUtterance" | "nothingWaits" | "other";

/** An attention context, left and right, in encoder frames of 80 ms. */
export type Context = readonly [number, number];

/** One tier as clients read it. */
export interface TierEntry {
  readonly tier: Tier;
  /** Millionths of a US dollar for a second of audio. */
  readonly rateMicros: number;
  /** US dollars for a second of audio. */
  readonly rateUsdPerSecond: number;
  /** The lookahead in milliseconds; network time and the client's frame length add to it. */
  readonly latencyMs: number;
  /** Whether this deployment can run it. */
  readonly available: boolean;
}

/** The tiers of one deployment. */
export interface TierCatalogue {
  /** Every tier, from the least latency to the most. */
  readonly tiers: readonly TierEntry[];
  /** The tier to use when nothing speaks for another. */
  readonly default: Tier;
  /** The catalogue as a service sends it, with the names of the contract. */
  toJSON(): unknown;
}

/** Which tiers a deployment can run. */
export interface Availability {
  /** The attention contexts that it can run. By default those of every tier. */
  available?: Iterable<Context> | undefined;
}

const USES: readonly string[] = ["midSentence", "wholeUtterance", "nothingWaits", "other"];

const TABLE = native.tierTable();

/** The catalogue of latency tiers. */
export function tiers(availability?: Availability): TierCatalogue {
  const catalogue = JSON.parse(native.tiers(contexts(availability)));
  const entry = (row: Record<string, unknown>) => ({
    tier: row["tier"],
    rateMicros: row["rate_micros"],
    rateUsdPerSecond: row["rate_usd_per_second"],
    latencyMs: row["latency_ms"],
    available: row["available"],
  });
  return {
    tiers: catalogue.tiers.map(entry),
    default: catalogue.default,
    toJSON: () => catalogue,
  };
}

/**
 * The tier of this name. It never answers with another one.
 *
 * @throws {SpeechError} `invalid_tier` if there is no such tier, or the deployment cannot run it; the message names it.
 */
export function resolveTier(name: string, availability?: Availability): Tier {
  return unwrap(native.resolveTier(contexts(availability), checks.string("tier", name))) as Tier;
}

/** The tiers that the deployment can run, the most suitable for a use first: for a client's own choice, in advance. */
export function rankTiers(use: TierUse, availability?: Availability): Tier[] {
  if (!USES.includes(use)) throw invalid(`unsupported use; use ${USES.join(", ")}`);
  return native.rankTiers(contexts(availability), use) as Tier[];
}

/**
 * What so much audio costs, in millionths of a US dollar, before any rebate: exact, and rounded up once, at the end.
 * Charge a whole recording at once, not the sum of its pieces.
 *
 * @param seconds The duration; it counts to the nanosecond.
 */
export function charge(tier: Tier, seconds: number): number {
  if (typeof seconds !== "number" || !Number.isFinite(seconds) || seconds < 0) {
    throw invalid("seconds must be a finite number, and not negative");
  }
  let whole = Math.floor(seconds);
  let nanoseconds = Math.round((seconds - whole) * 1e9);
  if (nanoseconds === 1e9) [whole, nanoseconds] = [whole + 1, 0];
  if (whole >= 2 ** 64) throw invalid("seconds must be under 2**64");
  return micros(native.charge(known(tier), BigInt(whole), nanoseconds));
}

/** The same for a number of samples at a sample rate in hertz. */
export function chargeSamples(tier: Tier, samples: number, sampleRate: number): number {
  const whole = BigInt(checks.count("samples", samples, 0, Number.MAX_SAFE_INTEGER));
  const rate = checks.count("sampleRate", sampleRate, 1, 2 ** 32 - 1);
  return micros(native.chargeSamples(known(tier), whole, rate));
}

function micros(charge: bigint): number {
  if (charge > BigInt(Number.MAX_SAFE_INTEGER)) throw invalid("the charge is too large for a number");
  return Number(charge);
}

function known(tier: string): string {
  return resolveTier(tier);
}

function contexts(availability: Availability | undefined): number[] {
  const { available } = checks.options("availability", availability);
  if (available === undefined) return TABLE.flatMap((row) => row.attContextSize);
  if (typeof available !== "object" || available === null || !(Symbol.iterator in available)) {
    throw invalid("available must be pairs of whole numbers");
  }
  return [...(available as Iterable<unknown>)].flatMap((context) => {
    if (!Array.isArray(context) || context.length !== 2) {
      throw invalid("a context is a pair of whole numbers, left and right");
    }
    return context.map((size) => checks.count("a context", size, 0, 2 ** 32 - 1));
  });
}
