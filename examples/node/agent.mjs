/**
 * Speaks the output of a language model while it is generated.
 *
 * node agent.mjs | aplay -q -f S16_LE -r 22050
 */

import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";

import { Engine } from "libspeech-sdk";

const engine = await Engine.load();
await pipeline(engine.speakLive(tokens(), { latency: "low" }).toReadable(), process.stdout);
await engine.close();

/** Simulates a language model, which generates its answer in pieces. */
async function* tokens() {
  for (const token of ["It cost $3", ".5", "0. Dr", ". No paid", " it, and went", " home."]) {
    await sleep(50);
    yield token;
  }
}
