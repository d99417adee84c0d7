/**
 * Speaks what a language model writes, while it writes: each sentence as soon as it is decided.
 *
 * node agent.mjs | aplay -q -f S16_LE -r 22050
 */

import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";

import { Engine, Segmenter } from "libspeech-sdk";

const engine = await Engine.load();
await pipeline(spoken(sentences(tokens())), process.stdout);
await engine.close();

/**
 * The samples of sentences, one after another.
 *
 * @param {AsyncIterable<string>} sentences
 */
async function* spoken(sentences) {
  for await (const text of sentences) {
    for await (const chunk of engine.stream({ text, latency: "low" })) yield chunk.bytes;
  }
}

/**
 * Cuts a text that arrives in pieces into sentences.
 *
 * @param {AsyncIterable<string>} pieces
 */
async function* sentences(pieces) {
  const segmenter = new Segmenter();
  for await (const piece of pieces) {
    for (const { text } of segmenter.push(piece)) yield text;
  }
  for (const { text } of segmenter.finish()) yield text;
}

/** Stands in for a language model, which gives its answer in pieces. */
async function* tokens() {
  for (const token of ["It cost $3", ".5", "0. Dr", ". No paid", " it, and went", " home."]) {
    await sleep(50);
    yield token;
  }
}
