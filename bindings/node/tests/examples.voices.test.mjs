/** The service of the examples with the real voices: work stops when the client disconnects. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { cpSync } from "node:fs";
import { createServer, request as ask } from "node:http";
import { join } from "node:path";
import { after, before } from "node:test";
import { pathToFileURL } from "node:url";

import { Engine } from "libspeech-sdk";

import { LONG, project, reference, refused, test, until, variable } from "./support.mjs";

/** An engine that records its calls. */
function recording(engine) {
  const seen = { streams: [], audio: [] };
  const synthesize = (...args) => {
    seen.audio.push(engine.synthesize(...args));
    return seen.audio.at(-1);
  };
  const stream = (...args) => {
    seen.streams.push(engine.stream(...args));
    return seen.streams.at(-1);
  };
  return { seen, synthesize, stream };
}

let engine;
let server;
let seen;
before(async () => {
  const path = project({ after });
  cpSync(variable("SPEECH_EXAMPLES"), path, { recursive: true });
  const { listener } = await import(pathToFileURL(join(path, "server.mjs")).href);
  engine = await Engine.load({ threads: 1 });
  const recorder = recording(engine);
  seen = recorder.seen;
  server = createServer(listener(recorder)).listen(0, "127.0.0.1");
  await once(server, "listening");
});
after(async () => {
  server.close();
  await engine.close();
});

function post(body) {
  const { port } = server.address();
  const client = ask({ port, method: "POST", path: "/v1/speech", agent: false }).end(JSON.stringify(body));
  // The test destroys the request, which is an error on this side.
  client.on("error", () => {});
  return client;
}

test("a stream ends when its client leaves", async (t) => {
  const client = post({ text: LONG, format: "pcm" });
  const [answer] = await once(client, "response");
  await once(answer, "data");
  const isRunning = await reference(t, LONG);
  client.destroy();
  const [stream] = seen.streams;
  await until(() => stream.closed, "it runs on");
  assert.ok(isRunning(), "the text was computed to its end");
  assert.equal(stream.sentences, 13);
});

test("a synthesis ends when its client leaves", async (t) => {
  const client = post({ text: LONG });
  await until(() => seen.audio.length === 1, "it does not begin");
  const isRunning = await reference(t, LONG);
  client.destroy();
  await refused(() => seen.audio[0], "cancelled");
  assert.ok(isRunning(), "the text was computed to its end");
});
