/** Writes the speech of a text to hello.wav, from a CommonJS module. */

const { Engine } = require("libspeech-sdk");

async function main() {
  const engine = await Engine.load();
  const audio = await engine.synthesize("Hello, world.");
  await audio.save("hello.wav");
  await engine.close();
}

main();
