/** Writes the speech of a text to hello.wav. */

import { Engine } from "libspeech-sdk";

const engine = await Engine.load();
const audio = await engine.synthesize("Hello, world.");
await audio.save("hello.wav");
