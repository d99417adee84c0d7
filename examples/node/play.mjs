/**
 * Speaks through the sound card. The first half second plays while the rest is computed. Ctrl-C stops it.
 *
 * node play.mjs "First this. Then that." [--voice leo] [--language hi-IN]
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";

import { Engine } from "libspeech-sdk";

/** Programs that play raw samples from standard input: of ALSA, FFmpeg and SoX. */
const PLAYERS = [
  ["aplay", "-q", "-t", "raw", "-f", "S16_LE", "-r", "22050", "-c", "1"],
  ["ffplay", "-loglevel", "error", "-nodisp", "-autoexit", "-f", "s16le", "-ar", "22050", "-i", "-"],
  ["play", "-q", "-t", "raw", "-e", "signed-integer", "-b", "16", "-r", "22050", "-c", "1", "-"],
];

const { values, positionals } = parseArgs({
  options: { voice: { type: "string" }, language: { type: "string" } },
  allowPositionals: true,
});
const controller = new AbortController();
process.once("SIGINT", () => controller.abort());
try {
  await play(positionals.join(" "), { ...values, latency: "low", signal: controller.signal });
} catch (error) {
  if (!controller.signal.aborted) console.error(error.message);
  process.exitCode = controller.signal.aborted ? 130 : 1;
}

/**
 * Plays a text to its end, or until the signal is aborted.
 *
 * @param {string} text
 * @param {import("libspeech-sdk").SpeechOptions & { signal: AbortSignal }} options
 */
async function play(text, options) {
  const engine = await Engine.load();
  const stream = engine.stream(text, options);
  const speaker = await player(options.signal);
  // The pipeline pauses the synthesis when the player's buffer is full. If one of them fails, it ends both.
  await Promise.all([pipeline(stream.toReadable(), speaker.stdin, { signal: options.signal }), once(speaker, "close")]);
  await engine.close();
}

/**
 * Starts the first installed player. Aborting the signal kills it, and discards its buffered audio.
 *
 * @param {AbortSignal} signal
 */
async function player(signal) {
  for (const [program, ...args] of PLAYERS) {
    const speaker = spawn(program, args, { stdio: ["pipe", "inherit", "inherit"], signal });
    try {
      await once(speaker, "spawn");
      return speaker;
    } catch (error) {
      if (signal.aborted || error.code !== "ENOENT") throw error;
    }
  }
  throw new Error("there is no player: install alsa-utils, ffmpeg or sox");
}
