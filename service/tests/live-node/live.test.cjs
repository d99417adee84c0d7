// Tests the live route with the clients for Node: `ws` of npm, and the built-in WebSocket. Needs a running service:
// SPEECH_HTTP_URL has its address, and SPEECH_HTTP_KEY a key.
const assert = require('node:assert/strict');
const { test } = require('node:test');

const ws = require('ws');

const { SPEECH_HTTP_URL, SPEECH_HTTP_KEY } = process.env;
const URL = `${SPEECH_HTTP_URL.replace('http', 'ws')}/v1/speech/live`;
const TEXT = 'It cost $3.50. Dr. No paid 5 €, and then he went home. 👍 ठीक है।';

/** How each client opens a socket with a key. */
const CLIENTS = {
  ws: (key) => new ws.WebSocket(URL, { headers: { Authorization: `Bearer ${key}` } }),
  'the built-in WebSocket': (key) => new WebSocket(URL, ['speech.live.v1', `key.${key}`]),
};

/** A session. Received messages wait until the test reads them. */
class Session {
  #waiting = [];
  #wake = () => undefined;

  constructor(open, key = SPEECH_HTTP_KEY) {
    this.socket = open(key);
    this.socket.binaryType = 'arraybuffer';
    const come = (item) => {
      this.#waiting.push(item);
      this.#wake();
    };
    this.socket.addEventListener('message', ({ data }) => {
      come(typeof data === 'string' ? JSON.parse(data) : { type: 'sound', bytes: data.byteLength });
    });
    this.socket.addEventListener('close', ({ code }) => come({ type: 'closed', code }));
    this.socket.addEventListener('error', () => come({ type: 'failed' }));
    this.open = new Promise((resolve) => this.socket.addEventListener('open', resolve));
  }

  async say(...messages) {
    await this.open;
    for (const message of messages) this.socket.send(JSON.stringify(message));
  }

  /** All messages up to an event of one of these types. */
  async until(...types) {
    const come = [];
    while (!types.includes(come.at(-1)?.type)) {
      while (this.#waiting.length === 0) await new Promise((resolve) => (this.#wake = resolve));
      come.push(this.#waiting.shift());
    }
    return come;
  }
}

const bytes = (events) => events.reduce((sum, event) => sum + (event.bytes ?? 0), 0);

for (const [name, open] of Object.entries(CLIENTS)) {
  // Node 20 has the built-in client only with an option.
  const skip = name !== 'ws' && globalThis.WebSocket === undefined;

  test(`${name}: a text in pieces`, { skip }, async () => {
    const session = new Session(open);
    const pieces = Array.from(TEXT, (text) => ({ type: 'text', turn: 'a', text }));
    await session.say({ type: 'start', voice: 'leo' }, ...pieces, { type: 'finish', turn: 'a' });
    const events = await session.until('finished');
    assert.deepEqual(
      events.slice(0, 3).map(({ type }) => type),
      ['ready', 'turn', 'words'],
    );
    assert.ok(Math.abs(bytes(events) / 2 / 22_050 - events.at(-1).seconds) < 0.001);
    // Positions are UTF-16 code units.
    const words = events.filter(({ type }) => type === 'words').flatMap(({ words }) => words);
    const said = words.map(({ utf16: [start, end] }) => TEXT.slice(start, end));
    assert.deepEqual([said[0], said.at(-2), said.at(-1)], ['It', 'ठीक', 'है']);
    await session.say({ type: 'close' });
    const ended = await session.until('closed');
    assert.deepEqual([ended[0].reason, ended.at(-1).code], ['close', 1000]);
    assert.equal(session.socket.extensions, '', 'sound is not compressed');
  });

  test(`${name}: an interruption`, { skip }, async () => {
    const session = new Session(open);
    await session.say({ type: 'start' }, { type: 'text', turn: 'a', text: `${TEXT} `.repeat(20) });
    await session.until('sound');
    await session.say({ type: 'interrupt', turn: 'a', played: 0.5 });
    const { heard, played } = (await session.until('interrupted')).at(-1);
    assert.ok(TEXT.startsWith(heard.text) && heard.utf16 === heard.text.length, heard.text);
    assert.ok(played <= 0.5);
    // No message of the turn follows.
    await session.say({ type: 'text', turn: 'b', text: 'Yes.', finish: true });
    const events = await session.until('finished');
    assert.ok(events.every(({ turn }) => turn === undefined || turn === 'b'));
    session.socket.close();
    assert.ok([1000, 1005].includes((await session.until('closed')).at(-1).code));
  });

  test(`${name}: what ends a session`, { skip }, async () => {
    for (const [message, code] of [
      ['{"type": "sing"}', 1008],
      [new Uint8Array([1]), 1003],
      [JSON.stringify({ type: 'text', text: 'a'.repeat(70_000) }), 1009],
    ]) {
      const session = new Session(open);
      await session.open;
      session.socket.send(message);
      const events = await session.until('closed');
      assert.equal(events.at(-1).code, code);
      assert.equal(events.at(-2).type, 'error');
    }
    const refused = new Session(open, 'sk_live_wrong');
    assert.equal((await refused.until('closed', 'failed'))[0].type, 'failed');
  });
}
