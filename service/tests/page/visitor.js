// A visitor of the page, who records what is shown, played and requested.
'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');

/** Runs in the page before its own script: records played audio, and violations of the content security policy. */
function listen() {
  const heard = window.heard = { pieces: [], loudest: 0, context: null, violations: [] };
  addEventListener('securitypolicyviolation', event => heard.violations.push(`${event.violatedDirective} ${event.blockedURI}`));
  const { start } = AudioBufferSourceNode.prototype;
  AudioBufferSourceNode.prototype.start = function (when) {
    const { buffer, context } = this;
    const samples = Array.from(buffer.getChannelData(0), sample => Math.round(sample * 32768));
    heard.pieces.push({ when, now: context.currentTime, rate: buffer.sampleRate, samples });
    heard.context = context;
    return start.call(this, when);
  };
  const { connect } = AudioNode.prototype;
  AudioNode.prototype.connect = function (target, ...rest) {
    if (target instanceof AudioDestinationNode) connect.call(this, meter(this.context));
    return connect.call(this, target, ...rest);
  };
  function meter(context) {
    const analyser = context.meter ??= new AnalyserNode(context);
    const levels = new Float32Array(analyser.fftSize);
    context.timer ??= setInterval(() => {
      analyser.getFloatTimeDomainData(levels);
      heard.loudest = Math.max(heard.loudest, ...levels.map(Math.abs));
    }, 20);
    return analyser;
  }
}

class Visitor {
  /**
   * Opens the page at `url`. `options` are those of a Playwright context; `failures` means that requests may fail, and
   * `without` names the requests that get no response.
   */
  static async open(browser, url, { failures = false, without, ...options } = {}) {
    const visitor = new Visitor();
    const context = await browser.newContext(options);
    Object.assign(visitor, { context, failures, requests: [], trouble: [], origin: new URL(url).origin });
    visitor.page = await context.newPage();
    await visitor.page.addInitScript(listen);
    if (without) await visitor.page.route(without, route => route.abort());
    visitor.watch();
    visitor.answer = await visitor.page.goto(url);
    // The page has the voices of the service, or shows an error.
    await visitor.page.waitForFunction(() => document.getElementById('voice').value || !document.getElementById('error').hidden);
    return visitor;
  }

  watch() {
    this.page.on('request', request => this.requests.push(request.url()));
    this.page.on('pageerror', error => this.trouble.push(String(error)));
    this.page.on('console', message => {
      // The browser logs every failed request itself.
      if (this.failures && message.text().startsWith('Failed to load resource')) return;
      if (['error', 'warning'].includes(message.type())) this.trouble.push(message.text());
    });
  }

  async give({ text, voice, language, key }) {
    if (key !== undefined) await this.page.getByLabel('API key').fill(key);
    if (text !== undefined) await this.page.getByLabel('Text', { exact: true }).fill(text);
    if (voice !== undefined) await this.page.getByLabel('Voice').selectOption(voice);
    if (language !== undefined) await this.page.getByLabel('Language').selectOption(language);
  }

  press(name) {
    return this.page.getByRole('button', { name, exact: true }).click();
  }

  /** Waits until the page is idle, and returns its status. */
  async settled() {
    await this.page.locator('#stop:disabled').waitFor();
    return this.page.getByRole('status').textContent();
  }

  /** The error shown. */
  async error() {
    const alert = this.page.getByRole('alert');
    await alert.waitFor();
    return (await alert.locator('> *').allTextContents()).join('\n');
  }

  fact(name) {
    return this.page.locator(`dt:text-is("${name}") + dd`).textContent();
  }

  /** The audio played so far: its pieces, their volume, and the time of the audio device. */
  heard() {
    return this.page.evaluate(() => {
      const { context, ...heard } = window.heard;
      return { ...heard, state: context?.state, time: context?.currentTime ?? 0 };
    });
  }

  /** Waits until the device plays audible sound; fails if the playback ends before. */
  async sounds() {
    const sounds = await this.page.waitForFunction(() => {
      const { context, pieces, loudest } = window.heard;
      if (pieces.length && context.currentTime > pieces[0].when && loudest > 0.01) return 'sounds';
      return document.getElementById('stop').disabled && document.querySelector('main').innerText;
    });
    assert.equal(await sounds.jsonValue(), 'sounds');
  }

  /** The pixels of the waveform: all, and those of the heard part. */
  wave() {
    return this.page.evaluate(() => {
      const canvas = document.getElementById('wave');
      // Reads a copy: the browser warns if a canvas in use is read often.
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
      copy.drawImage(canvas, 0, 0);
      const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
      const accent = getComputedStyle(canvas).color.match(/\d+/g).slice(0, 3).map(Number);
      const pixels = Array.from({ length: data.length / 4 }, (_, at) => [...data.subarray(4 * at, 4 * at + 4)]);
      const drawn = pixels.filter(([, , , alpha]) => alpha === 255);
      return { drawn: drawn.length, played: drawn.filter(pixel => accent.every((part, at) => part === pixel[at])).length };
    });
  }

  /** Whether no horizontal scrolling is needed. */
  fits() {
    return this.page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
  }

  /** Takes a screenshot, if there is a folder for them. */
  async picture(name) {
    const folder = process.env.SPEECH_HTTP_SHOTS;
    if (folder) await this.page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
  }

  /** Clears the recorded failures, and returns the violations of the policy. */
  async forgive() {
    this.trouble.length = 0;
    return this.page.evaluate(() => window.heard.violations.splice(0));
  }

  /** Asserts that there were no hidden failures, and no requests to other servers. */
  async foundNoTrouble() {
    assert.deepEqual(this.trouble, []);
    assert.deepEqual((await this.heard()).violations, []);
    assert.deepEqual(this.requests.filter(url => new URL(url).origin !== this.origin), []);
  }
}

module.exports = { Visitor };
