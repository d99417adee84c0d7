// An application as a user writes one, built by the bundlers.

import { Engine, Player, SpeechError } from "libspeech-sdk-web";

const element = (name) => document.querySelector(name);

element("button").addEventListener("click", async () => {
  try {
    const words = [];
    const text = "It costs $4.50. Then she left.";
    const player = await Player.create({ onWord: ({ span }) => words.push(text.slice(span.start, span.end)) });
    const engine = await Engine.load({ voices: "voices.bin" });
    await player.play(engine.stream(text));
    element("output").value = JSON.stringify({ words, module: engine.module, threads: engine.threads });
  } catch (error) {
    element("output").value = JSON.stringify({ error: String(error), cause: String(error.cause), speech: error instanceof SpeechError });
  }
});
