import { Engine, Player } from "./libspeech/lib/index.js";

const element = (name) => document.querySelector(name);

element("button").addEventListener("click", async () => {
  try {
    const words = [];
    const text = "It costs $4.50. Then she left.";
    const player = await Player.create({ onWord: ({ span }) => words.push(text.slice(span.start, span.end)) });
    // The voices are a file of the extension, so they need not be stored again.
    const engine = await Engine.load({ voices: "voices.tar.gz", store: false });
    await player.play(engine.stream(text));
    element("output").value = JSON.stringify({ words });
  } catch (error) {
    element("output").value = JSON.stringify({ error: String(error), cause: String(error.cause) });
  }
});
