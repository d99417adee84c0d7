// Compares the library's telephone encodings with the decoders of another library. SPEECH_G711 is the path of `g711.rs`.
const assert = require('node:assert/strict');
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { test } = require('node:test');

const { alaw, mulaw } = require('alawmulaw');

/** The digests of the codes of all samples, mu-law and then A-law. */
const DIGESTS = readFileSync(process.env.SPEECH_G711, 'utf8').match(/\b[0-9a-f]{64}\b/g);

for (const [place, codec] of [mulaw, alaw].entries()) {
  test(['mu-law', 'A-law'][place], () => {
    const values = Array.from({ length: 256 }, (_, code) => codec.decodeSample(code));
    // Ordered from zero: of two equally near codes, the later one counts. The highest bit marks samples of 0 or more.
    const ofSign = [0, 0x80].map((bit) =>
      [...values.keys()]
        .filter((code) => (code & 0x80) === bit)
        .sort((one, other) => Math.abs(values[one]) - Math.abs(values[other])),
    );
    const codes = new Uint8Array(65_536);
    for (let sample = -32_768; sample < 32_768; sample += 1) {
      const error = (code) => Math.abs(values[code] - sample);
      const nearest = ofSign[Number(sample >= 0)].reduce((best, code) => (error(code) <= error(best) ? code : best));
      codes[sample + 32_768] = nearest;
      // At least as near as the code that the other encoder chooses.
      assert.ok(error(nearest) <= error(codec.encodeSample(sample) & 0xff));
    }
    assert.equal(createHash('sha256').update(codes).digest('hex'), DIGESTS[place]);
  });
}
