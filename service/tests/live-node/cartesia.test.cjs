// Tests Cartesia's protocol with Cartesia's package for Node. Needs a running service, started with `--cartesia`:
// SPEECH_HTTP_URL has its address, and SPEECH_HTTP_KEY a key.
const assert = require('node:assert/strict');
const net = require('node:net');
const { test } = require('node:test');

const { Cartesia } = require('@cartesia/cartesia-js');
const { TTSWS } = require('@cartesia/cartesia-js/resources/tts/ws');

const { SPEECH_HTTP_URL, SPEECH_HTTP_KEY } = process.env;
const { hostname, port } = new URL(SPEECH_HTTP_URL);
const TEXT = 'It cost $3.50. Dr. No paid it, and then he went home.';
const OPTIONS = {
  model_id: 'sonic-3',
  voice: { mode: 'id', id: 'leo' },
  output_format: { container: 'raw', encoding: 'pcm_s16le', sample_rate: 8000 },
  language: 'en',
  add_timestamps: true,
};

/** A socket of the package. It requests TLS, which a proxy in front of a real service terminates; this test has neither. */
async function connected(apiKey = SPEECH_HTTP_KEY) {
  const createConnection = () => net.connect(Number(port), hostname);
  // The object that `tts.websocket` returns.
  const socket = new TTSWS(new Cartesia({ apiKey, baseURL: SPEECH_HTTP_URL }), { createConnection });
  // The package emits an error, and `connect` or `receive` throws it.
  socket.on('error', () => undefined);
  return socket.connect();
}

/** The results of a text that is sent in pieces. */
async function answer(context, pieces, more = {}) {
  for (const transcript of pieces) await context.push({ transcript, ...more });
  await context.no_more_inputs();
  const events = [];
  for await (const event of context.receive()) events.push(event);
  return events;
}

/** The words, with their ends in seconds. */
const words = (events) =>
  events
    .filter(({ type }) => type === 'timestamps')
    .flatMap(({ word_timestamps: { words, end } }) => words.map((word, place) => [word, end[place]]));

const sound = (events) => Buffer.concat(events.filter(({ type }) => type === 'chunk').map(({ audio }) => audio));

test('a text in pieces', async () => {
  const socket = await connected();
  const events = await answer(socket.context(OPTIONS), TEXT.match(/.{1,7}/g));
  assert.deepEqual(new Set(events.map(({ type }) => type)), new Set(['chunk', 'timestamps', 'done']));
  assert.equal(events.at(-1).type, 'done');
  const said = words(events);
  assert.equal(said.map(([word]) => word).join(' '), TEXT);
  const seconds = sound(events).length / 16_000;
  const [, end] = said.at(-1);
  assert.ok(end <= seconds && seconds < end + 1, `${end} s of ${seconds} s`);
  socket.close();
});

test('two contexts of a socket', async () => {
  const socket = await connected();
  const contexts = ['pcm_s16le', 'pcm_mulaw'].map((encoding) =>
    socket.context({ ...OPTIONS, output_format: { ...OPTIONS.output_format, encoding } }),
  );
  const [linear, mulaw] = await Promise.all(contexts.map((context) => answer(context, [TEXT])));
  assert.equal(sound(linear).length, 2 * sound(mulaw).length);
  socket.close();
});

test('the next context speaks after one that is cancelled', async () => {
  const socket = await connected();
  const first = socket.context(OPTIONS);
  await first.push({ transcript: `${TEXT} `.repeat(50) });
  for await (const { type } of first.receive()) {
    if (type === 'chunk') break;
  }
  await first.cancel();
  const events = await answer(socket.context(OPTIONS), [TEXT]);
  assert.equal(words(events).length, TEXT.split(' ').length);
  socket.close();
});

/** The last message of `receive`. */
async function failure(context) {
  const events = [];
  try {
    for await (const event of context.receive()) events.push(event);
  } catch (error) {
    assert.equal(events.at(-1).type, 'error');
    return error.message;
  }
  throw new Error(`it ends without an error: ${JSON.stringify(events.at(-1))}`);
}

test('a context with wrong settings ends alone', async () => {
  const socket = await connected();
  const good = socket.context(OPTIONS);
  await good.push({ transcript: TEXT });
  for (const [wrong, message] of [
    [{ voice: { mode: 'id', id: 'bob' } }, 'unsupported voice "bob"; use aria, jason, john, leo, sofia'],
    [{ model_id: 'tts-9' }, 'unsupported model_id'],
    [{ add_phoneme_timestamps: true }, 'add_phoneme_timestamps is not supported'],
  ]) {
    const context = socket.context({ ...OPTIONS, ...wrong });
    for (const transcript of ['Hello. ', 'Hello again.']) await context.push({ transcript });
    await context.no_more_inputs();
    assert.equal(await failure(context), message);
  }
  // A context keeps its settings.
  const changed = socket.context(OPTIONS);
  await changed.push({ transcript: TEXT });
  await changed.push({ transcript: 'Hello.', generation_config: { speed: 1.5 } });
  assert.equal(await failure(changed), 'generation_config.speed cannot change within a context');
  await good.no_more_inputs();
  const events = [];
  for await (const event of good.receive()) events.push(event);
  assert.equal(words(events).length, TEXT.split(' ').length);
  socket.close();
});

test('the settings of a context are its own', async () => {
  const socket = await connected();
  const [quick, slow] = await Promise.all([
    answer(socket.context(OPTIONS), [TEXT], { generation_config: { speed: 2 } }),
    answer(socket.context(OPTIONS), [TEXT]),
  ]);
  const ratio = sound(slow).length / sound(quick).length;
  assert.ok(ratio > 1.5 && ratio < 2.5, `${ratio}`);
  socket.close();
});

test('an error of the session ends each context', async () => {
  const socket = await connected();
  const contexts = [socket.context(OPTIONS), socket.context(OPTIONS)];
  for (const context of contexts) await context.push({ transcript: 'Hello ' });
  await socket.send({ transcript: 'A text of no context.' });
  const messages = await Promise.all(contexts.map(failure));
  assert.deepEqual(messages, Array(2).fill('context_id must be a string of 1 to 64 characters'));
});

test('a wrong key opens nothing', async () => {
  await assert.rejects(connected('sk_live_wrong'), ({ message }) => message.includes('401'));
});
