/** Where the types of a browser are there too, as in Electron and in frameworks of the web. */

import { type Engine, SAMPLE_RATE } from "libspeech-sdk";

/** What a handler of the web answers with. */
export function answer(engine: Engine, text: string, request: Request): Response {
  const stream = engine.stream(text, { signal: request.signal });
  return new Response(stream.toReadableStream(), { headers: { "X-Request-Id": stream.requestId } });
}

/** What Web Audio plays. */
export async function play(engine: Engine, context: AudioContext): Promise<void> {
  const { float32 } = await engine.synthesize("Hello.");
  context.createBuffer(1, float32.length, SAMPLE_RATE).copyToChannel(float32, 0);
}
