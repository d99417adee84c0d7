/** Speaks a text into hello.wav. */

import { Engine } from "libspeech-sdk";

const engine = await Engine.load();
const audio = await engine.synthesize("Hello, world.");
await audio.save("hello.wav");
