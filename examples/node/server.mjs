/**
 * An HTTP service: POST /v1/speech returns a wav file, or streams PCM.
 *
 * PORT=8080 node server.mjs
 */

import { once } from "node:events";
import { createServer } from "node:http";
import { availableParallelism } from "node:os";
import { pipeline } from "node:stream/promises";
import { pathToFileURL } from "node:url";

import { Engine, SpeechError, parseRequest, voices } from "libspeech-sdk";

/** @typedef {import("node:http").IncomingMessage} Incoming */
/** @typedef {import("node:http").ServerResponse} Response */
/** @typedef {(request: Incoming, response: Response, signal: AbortSignal) => void | Promise<void>} Handler */

/** The limit of a body in bytes. 1,000 characters take at most 12,000 bytes, with every character escaped in JSON. */
const MAX_BODY_BYTES = 65_536;

/**
 * The request listener of a server.
 *
 * @param {Engine} engine
 */
export function listener(engine) {
  /** @type {Map<string, { method: string, handler: Handler }>} */
  const routes = new Map([
    ["/v1/speech", { method: "POST", handler: speech }],
    ["/v1/speech/voices", { method: "GET", handler: listing }],
  ]);

  /** @param {Incoming} request @param {Response} response */
  return async (request, response) => {
    // If a response closes before its end, the client has disconnected: stop the synthesis.
    const controller = new AbortController();
    response.once("close", () => controller.abort());
    try {
      await route(request)(request, response, controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) sendError(response, error);
    }
  };

  /** @param {Incoming} request */
  function route({ method = "", url = "" }) {
    const [path = ""] = url.split("?");
    const found = routes.get(path);
    if (found === undefined) throw new SpeechError("not_found", `unknown path ${path}`);
    if (found.method !== method) throw new SpeechError("method_not_allowed", `${method} is not for this path`);
    return found.handler;
  }

  /** @param {Incoming} request @param {Response} response @param {AbortSignal} signal */
  async function speech(request, response, signal) {
    const { text, format, ...options } = parseRequest(await body(request));
    if (format === "pcm") return sendStream(engine.stream(text, { ...options, signal }), response);
    const audio = await engine.synthesize(text, { ...options, signal });
    const { wav } = audio;
    const content = { "Content-Type": "audio/wav", "Content-Length": wav.length };
    response.writeHead(200, { ...headers(audio), ...content }).end(wav);
  }

  /**
   * Sends the head with the first chunk, so that an earlier error has its own status.
   *
   * @param {import("libspeech-sdk").Stream} stream @param {Response} response
   */
  async function sendStream(stream, response) {
    const first = await stream.next();
    response.writeHead(200, { ...headers(stream), "Content-Type": "audio/L16" });
    await pipeline(pcm(first, stream), response);
  }
}

/**
 * The samples of a stream. The next sentence is computed when the client has read the previous ones.
 *
 * @param {IteratorResult<import("libspeech-sdk").Chunk>} first
 * @param {import("libspeech-sdk").Stream} stream
 */
async function* pcm(first, stream) {
  if (!first.done) yield first.value.bytes;
  for await (const chunk of stream) yield chunk.bytes;
}

/**
 * The headers of every response with audio.
 *
 * @param {import("libspeech-sdk").Audio | import("libspeech-sdk").Stream} speech
 */
function headers(speech) {
  return {
    "X-Sample-Rate": speech.sampleRate,
    "X-Characters": speech.characters,
    "X-Request-Id": speech.requestId,
  };
}

/** @param {Incoming} _request @param {Response} response */
function listing(_request, response) {
  response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(voices()));
}

/**
 * The body of a request; reading stops at the limit.
 *
 * @param {Incoming} request
 */
async function body(request) {
  const parts = [];
  let size = 0;
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    size += part.length;
    if (size > MAX_BODY_BYTES) {
      throw new SpeechError("request_too_large", `the body is over ${MAX_BODY_BYTES} bytes`);
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/**
 * Sends an error as JSON, with its status.
 *
 * @param {Response} response
 * @param {unknown} error
 */
function sendError(response, error) {
  // Aborts the response: otherwise the client would consider the audio complete.
  if (response.headersSent) return response.destroy();
  if (!(error instanceof SpeechError)) console.error(error);
  const speechError = error instanceof SpeechError ? error : new SpeechError("internal", "something failed here");
  const content = { "Content-Type": "application/json", "X-Request-Id": speechError.requestId };
  response.writeHead(speechError.httpStatus ?? 500, content).end(JSON.stringify(speechError));
}

async function main() {
  // The highest throughput: one sentence per core, each on one thread.
  const engine = await Engine.load({ threads: 1, maxConcurrency: availableParallelism() });
  const server = createServer(listener(engine)).listen(Number(process.env.PORT ?? 8080), "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  console.log(`http://127.0.0.1:${port}`);
  // Requests in progress finish before the engine closes.
  process.once("SIGTERM", () => server.close(() => engine.close()));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main();
