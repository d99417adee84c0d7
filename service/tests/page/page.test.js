// Tests the demo page in a browser. Needs a running service: SPEECH_HTTP_URL has its address, and SPEECH_HTTP_KEY a key.
// Screenshots are written to the folder SPEECH_HTTP_SHOTS, if it is set.
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const { after, before, test } = require('node:test');

const { Between } = require('./between.js');
const { launch } = require('./browser.js');
const { Visitor } = require('./visitor.js');

const URL_OF = named('SPEECH_HTTP_URL');
const KEY = named('SPEECH_HTTP_KEY');
const RATE = 22050;
const TWO = 'The kettle is on. Tea will be ready in five minutes.';
const LONG = 'The river runs slowly past the old stone mill. '.repeat(21).trim();
const ORDER = ['text', 'Hello', 'Numbers', 'नमस्ते', 'संख्याएँ', 'voice', 'language', 'key', 'speak', 'download', 'typed'];
const HINDI = /^[\u0900-\u097f]/;

function named(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}

/** The response of the service to a request without the page. */
async function direct(path, body) {
  const options = body && {
    method: 'POST',
    headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  };
  return fetch(new URL(path, URL_OF), options);
}

async function samples(body) {
  const answer = await direct('v1/speech', { ...body, format: 'pcm' });
  assert.equal(answer.status, 200);
  const bytes = Buffer.from(await answer.arrayBuffer());
  return Array.from({ length: bytes.length / 2 }, (_, at) => bytes.readInt16LE(2 * at));
}

/** Asserts that the pieces are these samples, without gaps. */
function areGapless(pieces, expected) {
  assert.ok(pieces.every(({ rate }) => rate === RATE));
  const all = pieces.flatMap(({ samples }) => samples);
  assert.equal(all.length, expected.length);
  assert.ok(all.every((sample, at) => sample === expected[at]), 'samples differ');
  pieces.slice(1).forEach(({ when, now }, at) => {
    const end = pieces[at].when + pieces[at].samples.length / RATE;
    // Only audio that arrived when the previous audio was about to end may leave a gap.
    assert.ok(Math.abs(when - end) < 1e-6 || (when > end && now + 0.05 > end), `piece ${at + 1}: ${end}, then ${when}`);
  });
}

let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());

/** A test with a visitor of the page. */
function visits(name, options, steps) {
  test(name, { timeout: 120_000 }, async () => {
    const between = options.between && await Between.open(URL_OF);
    const { between: _, ...rest } = options;
    const visitor = await Visitor.open(browser, between?.url ?? URL_OF, rest);
    try {
      await visitor.give({ key: KEY });
      await steps(visitor, between);
      await visitor.foundNoTrouble();
    } finally {
      await visitor.context.close();
      between?.close();
    }
  });
}

visits('voices and languages are those of the service', {}, async visitor => {
  const listing = await (await direct('v1/speech/voices')).json();
  const options = id => visitor.page.locator(`#${id} option`).evaluateAll(all => all.map(({ value, text }) => ({ value, text })));
  assert.deepEqual(await options('voice'), listing.voices.map(({ id, name }) => ({ value: id, text: name })));
  assert.deepEqual((await options('language')).map(({ value }) => value), listing.languages);
  assert.equal(await visitor.page.getByLabel('Voice').inputValue(), listing.default_voice);
  for (const sample of await visitor.page.getByRole('group', { name: 'Sample texts' }).getByRole('button').all()) {
    await sample.click();
    const text = await visitor.page.getByLabel('Text', { exact: true }).inputValue();
    assert.equal(await visitor.page.getByLabel('Language').inputValue(), HINDI.test(text) ? 'hi-IN' : 'en-US');
  }
});

visits('characters are counted as the service counts them', { failures: true }, async visitor => {
  const count = visitor.page.locator('#count');
  for (const [text, words] of [['', '0 / 1,000'], ['a😀é', '3 / 1,000'], ['नमस्ते', '6 / 1,000'], ['👍'.repeat(1000), '1,000 / 1,000']]) {
    await visitor.give({ text });
    assert.equal(await count.textContent(), words);
    assert.equal(await visitor.page.getByLabel('Text', { exact: true }).getAttribute('aria-invalid'), 'false');
  }
  await visitor.give({ text: '👍'.repeat(1002) });
  assert.equal(await count.textContent(), '1,002 / 1,000: 2 too many');
  assert.equal(await visitor.page.getByLabel('Text', { exact: true }).getAttribute('aria-invalid'), 'true');
});

visits('the key stays in the tab', {}, async visitor => {
  await visitor.page.reload();
  assert.equal(await visitor.page.getByLabel('API key').inputValue(), KEY);
  const kept = await visitor.page.evaluate(() => [localStorage.length, document.cookie, Object.values(sessionStorage)]);
  assert.deepEqual(kept, [0, '', [KEY]]);
});

visits('two sentences sound as the service gives them', {}, async visitor => {
  const idle = await visitor.wave();
  await visitor.give({ text: TWO, voice: 'leo' });
  await visitor.press('Speak');
  await visitor.sounds();
  assert.equal(await visitor.page.getByRole('status').textContent(), 'Speaking…');
  assert.ok((await visitor.wave()).drawn > 3 * idle.drawn);
  assert.equal(await visitor.settled(), 'Done');
  const expected = await samples({ text: TWO, voice: 'leo' });
  const { pieces, time, state } = await visitor.heard();
  areGapless(pieces, expected);
  assert.ok(time >= pieces.at(-1).when + pieces.at(-1).samples.length / RATE - 1e-6);
  assert.equal(state, 'closed');
  const seconds = (expected.length / RATE).toFixed(1);
  assert.equal(await visitor.fact('Played'), `${seconds} of ${seconds} s`);
  assert.equal(await visitor.fact('Characters'), String(TWO.length));
  assert.match(await visitor.fact('First sound'), /^[1-9]\d* ms$/);
  assert.match(await visitor.fact('Request'), /^[0-9a-f-]{36}$/);
  const { drawn, played } = await visitor.wave();
  assert.ok(played > 0.95 * drawn, `${played} of ${drawn} pixels`);
});

visits('sound begins before the stream has ended', { between: true }, async (visitor, between) => {
  await visitor.give({ text: TWO });
  await visitor.press('Speak');
  await visitor.sounds();
  between.release();
  assert.equal(await visitor.settled(), 'Done');
  areGapless((await visitor.heard()).pieces, await samples({ text: TWO }));
});

for (const [how, act] of [
  ['Stop', visitor => visitor.press('Stop')],
  ['Escape', visitor => visitor.page.keyboard.press('Escape')],
]) {
  visits(`${how} ends the sound and the request`, { between: true }, async (visitor, between) => {
    await visitor.give({ text: LONG });
    await visitor.press('Speak');
    await visitor.sounds();
    await act(visitor);
    assert.equal(await visitor.settled(), 'Stopped');
    await between.left;
    await visitor.page.waitForFunction(() => window.heard.context.state === 'closed');
    assert.equal(await visitor.page.getByRole('alert').count(), 0);
    assert.equal(await visitor.page.evaluate(() => document.activeElement.id), 'speak');
  });
}

visits('speaking anew ends what was spoken before', { between: true }, async (visitor, between) => {
  await visitor.give({ text: LONG });
  await visitor.press('Speak');
  await visitor.sounds();
  await visitor.give({ text: TWO });
  await visitor.press('Speak');
  await between.left;
  between.release();
  assert.equal(await visitor.settled(), 'Done');
  assert.equal(await visitor.fact('Characters'), String(TWO.length));
});

for (const [name, type, status, given] of [
  ['a wrong key', 'unauthorized', 401, { text: TWO, key: 'sk_live_wrong' }],
  ['no key', 'unauthorized', 401, { text: TWO, key: '' }],
  ['an empty text', 'empty_text', 400, { text: ' \n ' }],
  ['too long a text', 'text_too_long', 400, { text: `${LONG} And on it goes.` }],
]) {
  visits(`${name} is shown as the service refuses it`, { failures: true }, async visitor => {
    await visitor.give(given);
    const answered = visitor.page.waitForResponse('**/v1/speech');
    await visitor.press('Speak');
    const answer = await answered;
    assert.equal(answer.status(), status);
    const { error } = await answer.json();
    assert.equal(error.type, type);
    assert.equal(await visitor.settled(), 'Failed');
    assert.equal(await visitor.error(), `${error.message}\n${type} · request ${error.request_id}`);
    assert.equal(error.request_id, await answer.headerValue('x-request-id'));
  });
}

visits('a key that no header can carry is refused', {}, async visitor => {
  await visitor.give({ text: TWO, key: 'sk_live_ключ' });
  await visitor.press('Speak');
  assert.match(await visitor.error(), /API key/);
});

visits('a stream that is cut is an error', { between: true, failures: true }, async (visitor, between) => {
  await visitor.give({ text: TWO });
  await visitor.press('Speak');
  await visitor.sounds();
  between.cut();
  const id = await visitor.fact('Request');
  assert.equal(await visitor.error(), `The audio ended too early.\nbroken_off · request ${id}`);
  assert.equal(await visitor.settled(), 'Ended early');
  const { pieces } = await visitor.heard();
  assert.ok(pieces.flatMap(({ samples }) => samples).length < (await samples({ text: TWO })).length);
  await visitor.picture('broken-off');
});

visits('a file that is cut is an error, and not saved', { between: true, failures: true }, async (visitor, between) => {
  let saved = 0;
  visitor.page.on('download', () => { saved += 1; });
  await visitor.give({ text: TWO });
  const answered = visitor.page.waitForResponse('**/v1/speech');
  await visitor.press('Download WAV');
  await answered;
  between.cut();
  assert.match(await visitor.error(), /too early/);
  assert.equal(await visitor.settled(), 'Failed');
  assert.equal(saved, 0);
});

visits('a service that cannot be reached is an error', { failures: true }, async visitor => {
  await visitor.give({ text: TWO });
  await visitor.context.setOffline(true);
  await visitor.press('Speak');
  assert.equal(await visitor.settled(), 'Failed');
  assert.match(await visitor.error(), /^The service cannot be reached.*\nnetwork$/);
});

visits('voices that cannot be listed are an error, and the default one speaks', {
  failures: true,
  without: '**/v1/speech/voices',
}, async visitor => {
  assert.match(await visitor.error(), /cannot be reached/);
  await visitor.give({ text: 'Yes.' });
  await visitor.press('Speak');
  assert.equal(await visitor.settled(), 'Done');
  areGapless((await visitor.heard()).pieces, await samples({ text: 'Yes.' }));
});

visits('the file is the one that the service makes', {}, async visitor => {
  await visitor.give({ text: TWO, voice: 'sofia' });
  const saving = visitor.page.waitForEvent('download');
  await visitor.press('Download WAV');
  const saved = await saving;
  assert.equal(saved.suggestedFilename(), 'speech-sofia.wav');
  const expected = Buffer.from(await (await direct('v1/speech', { text: TWO, voice: 'sofia' })).arrayBuffer());
  assert.ok(fs.readFileSync(await saved.path()).equals(expected));
  assert.equal(await visitor.settled(), 'Saved as speech-sofia.wav');
});

visits('what was spoken is played and saved again without another request', {}, async visitor => {
  const asked = () => visitor.requests.filter(url => url.endsWith('/v1/speech')).length;
  const expected = await samples({ text: TWO, voice: 'leo' });
  await visitor.give({ text: TWO, voice: 'leo' });
  await visitor.press('Speak');
  assert.equal(await visitor.settled(), 'Done');
  const once = (await visitor.heard()).pieces;
  const id = await visitor.fact('Request');
  await visitor.press('Play again');
  assert.equal(await visitor.settled(), 'Done');
  areGapless((await visitor.heard()).pieces.slice(once.length), expected);
  assert.deepEqual([await visitor.fact('Request'), await visitor.fact('Characters')], [id, String(TWO.length)]);
  const saving = visitor.page.waitForEvent('download');
  await visitor.press('Download WAV');
  const wav = Buffer.from(await (await direct('v1/speech', { text: TWO, voice: 'leo' })).arrayBuffer());
  assert.ok(fs.readFileSync(await (await saving).path()).equals(wav));
  assert.equal(asked(), 1);
  await visitor.give({ voice: 'sofia' });
  await visitor.press('Speak');
  assert.equal(await visitor.settled(), 'Done');
  assert.equal(asked(), 2);
  areGapless((await visitor.heard()).pieces.slice(2 * once.length), await samples({ text: TWO, voice: 'sofia' }));
});

for (const [name, field, given] of [
  ['no key', 'API key', { text: TWO, key: '' }],
  ['an empty text', 'Text', { text: '' }],
]) {
  visits(`${name} leads to its field`, { failures: true }, async visitor => {
    const input = visitor.page.getByLabel(field, { exact: true });
    const isMarked = async () => [
      await input.evaluate(element => element === document.activeElement),
      await input.getAttribute('aria-invalid'),
    ];
    await visitor.give(given);
    await visitor.press('Speak');
    await visitor.error();
    assert.deepEqual(await isMarked(), [true, 'true']);
    await visitor.page.keyboard.type('Yes.');
    assert.deepEqual(await isMarked(), [true, 'false']);
  });
}

visits('all is done by keyboard, and the focus is seen', {}, async visitor => {
  const { page } = visitor;
  await page.getByLabel('Text', { exact: true }).focus();
  for (const name of ORDER) {
    const [focused, outline] = await page.evaluate(() => {
      const { activeElement } = document;
      return [activeElement.id || activeElement.textContent, getComputedStyle(activeElement).outlineStyle];
    });
    assert.deepEqual([focused, outline], [name, 'solid']);
    await page.keyboard.press('Tab');
  }
  await page.getByLabel('Text', { exact: true }).fill('Yes.');
  await page.keyboard.press('Control+Enter');
  assert.equal(await visitor.settled(), 'Done');
});

visits('the policy forbids everything else', {}, async visitor => {
  assert.match(await visitor.answer.headerValue('content-security-policy'), /default-src 'none'/);
  await visitor.page.evaluate(() => fetch('https://example.com/').catch(() => {}));
  assert.deepEqual(await visitor.forgive(), ['connect-src https://example.com/']);
});

const NARROW = { viewport: { width: 320, height: 640 } };
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const DESKTOP = { viewport: { width: 1280, height: 900 } };

visits('Hindi is spoken', {}, async visitor => {
  await visitor.press('नमस्ते');
  await visitor.press('Speak');
  assert.equal(await visitor.settled(), 'Done');
  const text = await visitor.page.getByLabel('Text', { exact: true }).inputValue();
  areGapless((await visitor.heard()).pieces, await samples({ text, language: 'hi-IN' }));
  await visitor.picture('done');
});

visits('nothing is cut where it is narrow', NARROW, async visitor => {
  const { outside, cut } = await visitor.page.evaluate(() => {
    const all = [...document.querySelectorAll('button, input, select, textarea')];
    const isOutside = element => {
      const [own, card] = [element, element.closest('form, section')].map(it => it.getBoundingClientRect());
      return own.left < card.left || own.right > card.right;
    };
    // A copy that can be as wide as its longest choice.
    const isCut = select => {
      const copy = select.cloneNode(true);
      copy.style.width = 'auto';
      select.after(copy);
      const wide = copy.offsetWidth;
      copy.remove();
      return wide > select.offsetWidth;
    };
    const name = element => element.id || element.textContent;
    return {
      outside: all.filter(isOutside).map(name),
      cut: [...document.querySelectorAll('select')].filter(isCut).map(name),
    };
  });
  assert.deepEqual([outside, cut], [[], []]);
  assert.ok(await visitor.fits());
  await visitor.picture('narrow');
});

for (const colorScheme of ['light', 'dark']) {
  visits(`placeholders can be read, ${colorScheme}`, { colorScheme }, async visitor => {
    const contrasts = await visitor.page.evaluate(() => {
      // The contrast of two colors: Web Content Accessibility Guidelines 2.2, relative luminance.
      const light = color => {
        const [red, green, blue] = color.match(/\d+/g).slice(0, 3)
          .map(part => part / 255)
          .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
      };
      return [...document.querySelectorAll('[placeholder]')].map(element => {
        const { color, opacity } = getComputedStyle(element, '::placeholder');
        const ratio = light(color) / light(getComputedStyle(element).backgroundColor);
        return opacity === '1' ? Math.max(ratio, 1 / ratio) : 0;
      });
    });
    assert.equal(contrasts.length, 3);
    assert.ok(contrasts.every(contrast => contrast >= 4.5), String(contrasts));
  });
}

for (const [device, view] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
  for (const colorScheme of ['light', 'dark']) {
    visits(`it fits a ${device}, ${colorScheme}`, { ...view, colorScheme, failures: true }, async visitor => {
      await visitor.press('संख्याएँ');
      await visitor.press('Speak');
      await visitor.sounds();
      await visitor.picture(`${device}-${colorScheme}-speaking`);
      await visitor.press('Stop');
      assert.ok(await visitor.fits());
      await visitor.give({ key: 'sk_live_wrong' });
      await visitor.press('Speak');
      await visitor.error();
      await visitor.picture(`${device}-${colorScheme}-refused`);
      assert.ok(await visitor.fits());
    });
  }
}

/** Waits until the page shows this status of the typed text. */
function untilLive(visitor, words) {
  return visitor.page.waitForFunction(words => document.getElementById('live-status').textContent === words, words);
}

/** The heard part of a typed text, and the rest. */
function saidWhileTyped(visitor) {
  return visitor.page.locator('#said > *').allTextContents();
}

visits('what is typed is spoken while it is typed', {}, async visitor => {
  const typed = visitor.page.getByLabel('Type here');
  await typed.pressSequentially('The kettle is on. Tea ');
  await untilLive(visitor, 'Speaking…');
  await typed.pressSequentially('will be red');
  // An incomplete word can be corrected.
  for (const key of 'Backspace '.repeat(3).trim().split(' ')) await typed.press(key);
  await typed.pressSequentially('ready soon');
  await visitor.press('Finish');
  await untilLive(visitor, 'All text was played');
  assert.deepEqual(await saidWhileTyped(visitor), ['The kettle is on. Tea will be ready soon', '']);
  const { pieces, loudest } = await visitor.heard();
  assert.ok(loudest > 0.01);
  const seconds = pieces.reduce((sum, { samples }) => sum + samples.length / RATE, 0);
  assert.ok(seconds > 1.5 && seconds < 6, `${seconds} seconds`);
  await visitor.picture('typed');
});

visits('an interruption shows what was heard', {}, async visitor => {
  const typed = visitor.page.getByLabel('Type here');
  await typed.fill(`${LONG} `);
  await visitor.page.waitForFunction(() => window.heard.context?.currentTime > 3 && window.heard.loudest > 0.01);
  await visitor.press('Interrupt');
  await visitor.page.locator('#said').waitFor();
  const before = (await visitor.heard()).pieces.length;
  const [heard, rest] = await saidWhileTyped(visitor);
  assert.equal(`${heard}${rest}`, `${LONG} `);
  assert.match(heard, /^The river runs\b.*\w$/);
  // The first sentence takes some three seconds.
  assert.ok(heard.length < 150 && /^\W/.test(rest), heard);
  assert.equal((await visitor.heard()).state, 'closed');
  await typed.fill('Yes. ');
  await visitor.press('Finish');
  await untilLive(visitor, 'All text was played');
  assert.deepEqual(await saidWhileTyped(visitor), ['Yes. ', '']);
  const after = (await visitor.heard()).pieces.slice(before);
  assert.ok(after.reduce((sum, { samples }) => sum + samples.length / RATE, 0) < 2, 'what was interrupted is played');
});

visits('a key that is wrong is told of', {}, async visitor => {
  for (const [key, words] of [
    ['sk_live_wrong', 'Cannot open the connection. Is the API key correct?'],
    ['two words', 'The API key has invalid characters.'],
  ]) {
    await visitor.give({ key });
    await visitor.page.getByLabel('Type here').fill('Hello, hello.');
    await visitor.page.getByLabel('Type here').fill('Hello, hello. ');
    await untilLive(visitor, words);
  }
  // The browser logs this itself.
  await visitor.forgive();
});

visits('who wants less motion gets the same', { reducedMotion: 'reduce' }, async visitor => {
  await visitor.give({ text: 'Yes, indeed.' });
  await visitor.press('Speak');
  assert.equal(await visitor.settled(), 'Done');
  // The last drawn frame.
  await visitor.page.waitForFunction(() => /^(.+) of \1 s$/.test(document.getElementById('played').textContent));
  const { drawn, played } = await visitor.wave();
  assert.ok(played > 0.95 * drawn, `${played} of ${drawn} pixels`);
});
