/** The service of the examples with the real voices: work stops when the client leaves. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { cpSync } from "node:fs";
import { createServer, request as ask } from "node:http";
import { join } from "node:path";
import { after, before } from "node:test";
import { pathToFileURL } from "node:url";

import { Engine } from "libspeech-sdk";

import { LONG, project, refused, test, until, variable } from "./support.mjs";

/** An engine that tells what is asked of it. */
function watched(engine) {
  const seen = { streams: [], audio: [] };
  const synthesize = (...given) => {
    seen.audio.push(engine.synthesize(...given));
    return seen.audio.at(-1);
  };
  const stream = (...given) => {
    seen.streams.push(engine.stream(...given));
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
  const within = watched(engine);
  seen = within.seen;
  server = createServer(listener(within)).listen(0, "127.0.0.1");
  await once(server, "listening");
});
after(async () => {
  server.close();
  await engine.close();
});

function asked(body) {
  const { port } = server.address();
  const asking = ask({ port, method: "POST", path: "/v1/speech", agent: false }).end(JSON.stringify(body));
  // It is this side that leaves.
  asking.on("error", () => {});
  return asking;
}

test("a stream ends when its client leaves", async () => {
  const asking = asked({ text: LONG, format: "pcm" });
  const [answer] = await once(asking, "response");
  await once(answer, "data");
  asking.destroy();
  const since = performance.now();
  const [stream] = seen.streams;
  await until(() => stream.closed, "it runs on");
  assert.ok(performance.now() - since < 3000);
  assert.equal(stream.sentences, 13);
});

test("a synthesis ends when its client leaves", async () => {
  const asking = asked({ text: LONG });
  await until(() => seen.audio.length === 1, "it does not begin");
  asking.destroy();
  const since = performance.now();
  await refused(() => seen.audio[0], "cancelled");
  assert.ok(performance.now() - since < 3000);
});
