// Tests OpenAI's routes with OpenAI's package for Node. Needs a running service, started with `--openai` and an ffmpeg:
// SPEECH_HTTP_URL has its address, and SPEECH_HTTP_KEY a key. The snippet in the file SPEECH_HTTP_README is run.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import OpenAI from 'openai';

const { SPEECH_HTTP_URL, SPEECH_HTTP_KEY, SPEECH_HTTP_README } = process.env;
const baseURL = `${SPEECH_HTTP_URL}/v1`;
const client = new OpenAI({ baseURL, apiKey: SPEECH_HTTP_KEY, maxRetries: 0 });
const hello = { model: 'gpt-4o-mini-tts', voice: 'marin', input: 'Hello there.' };

test('a sound is whole, and streamed', async () => {
  const wav = await client.audio.speech.create({ ...hello, response_format: 'wav' });
  assert.equal(wav.headers.get('content-type'), 'audio/wav');
  const pcm = await client.audio.speech.create({ ...hello, response_format: 'pcm' });
  let samples = Buffer.alloc(0);
  for await (const part of pcm.body) samples = Buffer.concat([samples, part]);
  assert.ok(samples.length > 24_000);
  assert.deepEqual(Buffer.from(await wav.arrayBuffer()).subarray(44), samples);
});

test('mp3 is the default', async () => {
  const mp3 = await client.audio.speech.create(hello);
  assert.equal(mp3.headers.get('content-type'), 'audio/mpeg');
  // The sync word at the start of every frame.
  const [first, second] = Buffer.from(await mp3.arrayBuffer());
  assert.ok(first === 0xff && second >= 0xe0);
});

test('events have the sound and the usage', async () => {
  const answer = await client.audio.speech.create({ ...hello, response_format: 'pcm', stream_format: 'sse' });
  const events = (await answer.text()).trim().split('\n\n').map((event) => JSON.parse(event.replace(/^data: /, '')));
  const sound = events.slice(0, -1).map((event) => Buffer.from(event.audio, 'base64'));
  const pcm = await client.audio.speech.create({ ...hello, response_format: 'pcm' });
  assert.deepEqual(Buffer.concat(sound), Buffer.from(await pcm.arrayBuffer()));
  const done = { type: 'speech.audio.done', usage: { input_tokens: 12, output_tokens: 0, total_tokens: 12 } };
  assert.deepEqual(events.at(-1), done);
});

test('models are listed', async () => {
  const ids = [];
  for await (const model of client.models.list()) ids.push(model.id);
  assert.ok(ids.includes('libspeech') && ids.includes('tts-1'));
  assert.equal((await client.models.retrieve('tts-1')).object, 'model');
});

test('errors are those of the package', async () => {
  const refused = (more) => client.audio.speech.create({ ...hello, ...more });
  await assert.rejects(refused({ voice: 'nobody' }), (error) => {
    return error instanceof OpenAI.BadRequestError && error.param === 'voice' && error.code === 'invalid_value';
  });
  await assert.rejects(refused({ model: 'tts-9' }), OpenAI.NotFoundError);
  const stranger = new OpenAI({ baseURL, apiKey: 'sk_live_no', maxRetries: 0 });
  await assert.rejects(stranger.models.list(), OpenAI.AuthenticationError);
});

test('who leaves is not spoken to', async () => {
  const aborted = new AbortController();
  const long = { ...hello, input: 'This is one of many sentences. '.repeat(100) };
  const answer = await client.audio.speech.create(long, { signal: aborted.signal });
  const reader = answer.body.getReader();
  assert.ok((await reader.read()).value.length > 0);
  aborted.abort();
  await assert.rejects(reader.read());
  const deadline = Date.now() + 20_000;
  const busy = async () => {
    const metrics = await (await fetch(`${SPEECH_HTTP_URL}/metrics`)).text();
    return /^speech_http_in_progress [1-9]/m.test(metrics);
  };
  while (await busy()) {
    assert.ok(Date.now() < deadline, 'it is still spoken to');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
});

test('the snippet of the README works', () => {
  const [, snippet] = fs.readFileSync(SPEECH_HTTP_README, 'utf8').match(/```js\n([^]*?)```/);
  const env = { ...process.env, OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: SPEECH_HTTP_KEY };
  const file = path.join(import.meta.dirname, 'readme.mjs');
  fs.writeFileSync(file, snippet);
  execFileSync(process.execPath, [file], { cwd: import.meta.dirname, env });
  assert.ok(fs.readFileSync(path.join(import.meta.dirname, 'hello.flac')).subarray(0, 4).equals(Buffer.from('fLaC')));
});
