import * as checks from "./checks.js";
import { invalidRequest } from "./errors.js";
import { native, unwrap } from "./native.js";

/**
 * A latency tier: the amount of audio that the encoder waits for before it commits to text. The
 * rate depends on it.
 */
export type Tier = "ultra" | "turbo" | "standard" | "economy";

/** The use that a tier is chosen for. */
export type UseCase = "midSentence" | "wholeUtterance" | "nothingWaits" | "other";

/** An attention context, left and right, in encoder frames of 80 ms. */
export type Context = readonly [number, number];

/** One tier, as clients read it. */
export interface TierEntry {
  readonly tier: Tier;
  /** Millionths of a US dollar per second of audio. */
  readonly rateMicros: number;
  /** US dollars per second of audio. */
  readonly rateUsdPerSecond: number;
  /** The lookahead in milliseconds; network time and the client's frame length add to it. */
  readonly latencyMs: number;
  /** Whether this deployment offers the tier. */
  readonly available: boolean;
}

/** The tiers of one deployment. */
export interface TierCatalogue {
  /** Every tier, from the least latency to the most. */
  readonly tiers: readonly TierEntry[];
  /** The tier to use by default. */
  readonly default: Tier;
  /** The catalog in the JSON form of a service's response. */
  toJSON(): unknown;
}

/** The contexts that a deployment can run. */
export interface Availability {
  /** The attention contexts that the deployment can run. By default those of every tier. */
  available?: Iterable<Context> | undefined;
}

/** The core's names of the use cases. */
const USE_CASES: Readonly<Record<UseCase, string>> = {
  midSentence: "mid_sentence",
  wholeUtterance: "whole_utterance",
  nothingWaits: "nothing_waits",
  other: "other",
};

const TABLE = native.tierTable();

/** The catalog of latency tiers. */
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
 * The tier with this name, never another one.
 *
 * @throws {SpeechError} `invalid_tier` if there is no such tier, or the deployment cannot run it;
 * the message names it.
 */
export function resolveTier(name: string, availability?: Availability): Tier {
  return unwrap(native.resolveTier(contexts(availability), checks.string("tier", name))) as Tier;
}

/** The available tiers, the most suitable for a use case first. */
export function rankTiers(useCase: UseCase, availability?: Availability): Tier[] {
  if (!Object.hasOwn(USE_CASES, useCase)) {
    throw invalidRequest(`unsupported use case; use ${Object.keys(USE_CASES).join(", ")}`);
  }
  return native.rankTiers(contexts(availability), USE_CASES[useCase]) as Tier[];
}

/**
 * The cost of a duration of audio in millionths of a US dollar, before any rebate: exact, rounded
 * up once. Charge a whole recording at once, not the sum of its pieces.
 *
 * @param seconds The duration, accurate to the nanosecond.
 */
export function charge(tier: Tier, seconds: number): number {
  if (typeof seconds !== "number" || !Number.isFinite(seconds) || seconds < 0) {
    throw invalidRequest("seconds must be a finite number, and not negative");
  }
  let wholeSeconds = Math.floor(seconds);
  let nanoseconds = Math.round((seconds - wholeSeconds) * 1e9);
  if (nanoseconds === 1e9) [wholeSeconds, nanoseconds] = [wholeSeconds + 1, 0];
  if (wholeSeconds >= 2 ** 64) throw invalidRequest("seconds must be under 2**64");
  return micros(native.charge(resolveTier(tier), BigInt(wholeSeconds), nanoseconds));
}

/** The cost of a number of samples at a sample rate in hertz, as {@link charge} computes it. */
export function chargeSamples(tier: Tier, samples: number, sampleRate: number): number {
  const count = BigInt(checks.integer("samples", samples, 0, Number.MAX_SAFE_INTEGER));
  const rate = checks.integer("sampleRate", sampleRate, 1, 2 ** 32 - 1);
  return micros(native.chargeSamples(resolveTier(tier), count, rate));
}

function micros(charge: bigint): number {
  if (charge > BigInt(Number.MAX_SAFE_INTEGER)) throw invalidRequest("the charge is too large for a number");
  return Number(charge);
}

function contexts(availability: Availability | undefined): number[] {
  const { available } = checks.options("availability", availability, ["available"]);
  if (available === undefined) return TABLE.flatMap((row) => row.attContextSize);
  if (typeof available !== "object" || available === null || !(Symbol.iterator in available)) {
    throw invalidRequest("available must be pairs of whole numbers");
  }
  return [...(available as Iterable<unknown>)].flatMap((context) => {
    if (!Array.isArray(context) || context.length !== 2) {
      throw invalidRequest("a context is a pair of whole numbers, left and right");
    }
    return context.map((size) => checks.integer("a context", size, 0, 2 ** 32 - 1));
  });
}
