/**
 * A service: POST /v1/speech answers with a wav file, or with pcm while it is made.
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
/** @typedef {import("node:http").ServerResponse} Answer */
/** @typedef {(request: Incoming, answer: Answer, signal: AbortSignal) => void | Promise<void>} Work */

/** The most bytes of a body. A thousand characters are 12,000 at most, if JSON escapes them all. */
const LARGEST_BODY = 65_536;

/**
 * What answers the requests.
 *
 * @param {Engine} engine
 */
export function listener(engine) {
  /** @type {Map<string, { method: string, work: Work }>} */
  const paths = new Map([
    ["/v1/speech", { method: "POST", work: speech }],
    ["/v1/speech/voices", { method: "GET", work: listing }],
  ]);

  /** @param {Incoming} request @param {Answer} answer */
  return async (request, answer) => {
    // The client went away, if nothing was answered before.
    const leaving = new AbortController();
    answer.once("close", () => leaving.abort());
    try {
      await route(request)(request, answer, leaving.signal);
    } catch (error) {
      if (!leaving.signal.aborted) refuse(answer, error);
    }
  };

  /** @param {Incoming} request */
  function route({ method = "", url = "" }) {
    const [path = ""] = url.split("?");
    const found = paths.get(path);
    if (found === undefined) throw new SpeechError("not_found", `there is nothing at ${path}`);
    if (found.method !== method) throw new SpeechError("method_not_allowed", `${method} is not for this path`);
    return found.work;
  }

  /** @param {Incoming} request @param {Answer} answer @param {AbortSignal} signal */
  async function speech(request, answer, signal) {
    const asked = parseRequest(await body(request));
    if (asked.format === "pcm") return streamed(asked, answer, signal);
    const audio = await engine.synthesize(asked, { signal });
    const { wav } = audio;
    const file = { "Content-Type": "audio/wav", "Content-Length": wav.length };
    answer.writeHead(200, { ...headers(audio), ...file }).end(wav);
  }

  /**
   * Until the first sound is there, what goes wrong is a refusal with its status.
   *
   * @param {import("libspeech-sdk").SpeechRequest} asked @param {Answer} answer @param {AbortSignal} signal
   */
  async function streamed(asked, answer, signal) {
    const stream = engine.stream(asked, { signal });
    const first = await stream.next();
    answer.writeHead(200, { ...headers(stream), "Content-Type": "audio/L16" });
    await pipeline(pcm(first, stream), answer);
  }
}

/**
 * The samples of a stream: a sentence is asked for when the client has taken those before.
 *
 * @param {IteratorResult<import("libspeech-sdk").Chunk>} first
 * @param {import("libspeech-sdk").Stream} stream
 */
async function* pcm(first, stream) {
  if (!first.done) yield first.value.bytes;
  for await (const chunk of stream) yield chunk.bytes;
}

/**
 * What every answer with sound says of it.
 *
 * @param {import("libspeech-sdk").Audio | import("libspeech-sdk").Stream} spoken
 */
function headers(spoken) {
  return {
    "X-Sample-Rate": spoken.sampleRate,
    "X-Characters": spoken.characters,
    "X-Request-Id": spoken.requestId,
  };
}

/** @param {Incoming} _request @param {Answer} answer */
function listing(_request, answer) {
  answer.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(voices()));
}

/**
 * The body of a request; one that is too large is not read to its end.
 *
 * @param {Incoming} request
 */
async function body(request) {
  const parts = [];
  let size = 0;
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    size += part.length;
    if (size > LARGEST_BODY) {
      throw new SpeechError("request_too_large", `the body is over ${LARGEST_BODY} bytes`);
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/**
 * Answers with an error as JSON, and its status.
 *
 * @param {Answer} answer
 * @param {unknown} error
 */
function refuse(answer, error) {
  // The client sees that the audio ends too early.
  if (answer.headersSent) return answer.destroy();
  if (!(error instanceof SpeechError)) console.error(error);
  const refusal = error instanceof SpeechError ? error : new SpeechError("internal", "something failed here");
  const kind = { "Content-Type": "application/json", "X-Request-Id": refusal.requestId };
  answer.writeHead(refusal.httpStatus ?? 500, kind).end(JSON.stringify(refusal));
}

async function main() {
  // A session for each core and one thread each is the most speech of a machine.
  const engine = await Engine.load({ threads: 1, sessions: availableParallelism() });
  const server = createServer(listener(engine)).listen(Number(process.env.PORT ?? 8080), "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  console.log(`http://127.0.0.1:${port}`);
  // What was begun is answered.
  process.once("SIGTERM", () => server.close(() => engine.close()));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main();
