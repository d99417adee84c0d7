// A proxy between the page and the service, for tests that delay or cut responses.
'use strict';

const http = require('node:http');
const { once } = require('node:events');

/** An odd number, so that samples are split. */
const PIECE = 4095;

/** The bytes of speech that pass before the rest is held: also odd, and under half a second. */
const BEFORE = 5 * PIECE;

class Between {
  /** Listens, and forwards everything to the service at `url`. */
  static async open(url) {
    const between = new Between();
    between.service = new URL(url);
    between.held = new Promise(resolve => { between.release = resolve; });
    between.server = http.createServer((asked, answer) => between.pass(asked, answer));
    between.server.listen(0, '127.0.0.1');
    await once(between.server, 'listening');
    between.url = `http://127.0.0.1:${between.server.address().port}/`;
    between.left = new Promise(resolve => { between.leaves = resolve; });
    return between;
  }

  pass(asked, answer) {
    const { hostname, port } = this.service;
    const { url, method, headers } = asked;
    const onward = http.request({ hostname, port, path: url, method, headers }, given => {
      answer.writeHead(given.statusCode, given.headers);
      this.give(given, answer, url === '/v1/speech').catch(() => answer.destroy());
    });
    onward.on('error', () => answer.destroy());
    answer.on('close', () => {
      if (answer.writableFinished) return;
      this.leaves();
      onward.destroy();
    });
    asked.pipe(onward);
  }

  async give(given, answer, speech) {
    let sent = 0;
    for await (const bytes of given) {
      for (let at = 0; at < bytes.length; at += PIECE) {
        if (speech && sent >= BEFORE) await this.held;
        const piece = bytes.subarray(at, at + PIECE);
        answer.write(piece);
        sent += piece.length;
      }
    }
    answer.end();
  }

  /** Cuts all responses in progress. */
  cut() {
    this.server.closeAllConnections();
  }

  close() {
    this.cut();
    this.server.close();
  }
}

module.exports = { Between };
