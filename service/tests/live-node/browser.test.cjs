// Tests Cartesia's package as in a browser page: without `ws`, and with the key in the query. Needs a running service,
// started with `--cartesia`: SPEECH_HTTP_URL has its address, and SPEECH_HTTP_KEY a key.
const assert = require('node:assert/strict');
const { test } = require('node:test');

const ws = require('ws');

// The package reads it when it is loaded.
require.cache[require.resolve('ws')].exports = {};
/** The opened addresses. */
const opened = [];
globalThis.WebSocket = class extends ws.WebSocket {
  // The package requests TLS, which a proxy in front of a real service terminates.
  constructor(url) {
    opened.push(url);
    super(String(url).replace('wss:', 'ws:'));
  }
};
const { Cartesia } = require('@cartesia/cartesia-js');
const { TTSWS } = require('@cartesia/cartesia-js/resources/tts/ws');

const { SPEECH_HTTP_URL, SPEECH_HTTP_KEY } = process.env;
const OPTIONS = {
  model_id: 'sonic-3',
  voice: { mode: 'id', id: 'leo' },
  output_format: { container: 'raw', encoding: 'pcm_s16le', sample_rate: 8000 },
};

test('a page speaks, with the key in the query', async () => {
  const socket = await new Cartesia({ apiKey: SPEECH_HTTP_KEY, baseURL: SPEECH_HTTP_URL }).tts.websocket();
  assert.equal(opened[0].searchParams.get('api_key'), SPEECH_HTTP_KEY);
  const context = socket.context(OPTIONS);
  await context.push({ transcript: 'Hello there.' });
  await context.no_more_inputs();
  const kinds = [];
  for await (const { type } of context.receive()) kinds.push(type);
  assert.deepEqual([...new Set(kinds)], ['chunk', 'done']);
  socket.close();
});

test('a wrong key in the query opens nothing', async () => {
  const socket = new TTSWS(new Cartesia({ apiKey: 'sk_live_wrong', baseURL: SPEECH_HTTP_URL }));
  socket.on('error', () => undefined);
  await assert.rejects(socket.connect());
});
