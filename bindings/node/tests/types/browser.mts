/** The package's types together with those of a browser, as in Electron and in web frameworks. */

import { type Engine, SAMPLE_RATE } from "libspeech-sdk";

/** The response of a web handler. */
export function answer(engine: Engine, text: string, request: Request): Response {
  const stream = engine.stream(text, { signal: request.signal });
  return new Response(stream.toReadableStream(), { headers: { "X-Request-Id": stream.requestId } });
}

/** The samples for Web Audio. */
export async function play(engine: Engine, context: AudioContext): Promise<void> {
  const { float32 } = await engine.synthesize("Hello.");
  context.createBuffer(1, float32.length, SAMPLE_RATE).copyToChannel(float32, 0);
}
