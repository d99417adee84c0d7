// A Chromium whose program, libraries and fonts all come from npm packages.
'use strict';

const fs = require('node:fs');
const path = require('node:path');

const PACKAGES = path.resolve(require.resolve('playwright-core/package.json'), '../..');
const HOME = path.join(PACKAGES, '.chromium');
const FONTS = path.join(PACKAGES, '@expo-google-fonts/noto-sans-devanagari/400Regular');

/** Unpacks the browser each time: an interrupted unpacking would look complete. */
async function unpack() {
  fs.rmSync(HOME, { recursive: true, force: true });
  fs.mkdirSync(HOME, { recursive: true });
  // The package unpacks to the system's temporary folder, and unpacks its libraries only if it detects the cloud that
  // it was made for. With them nothing needs to be installed on the system.
  process.env.TMPDIR = HOME;
  process.env.AWS_LAMBDA_JS_RUNTIME = 'nodejs20.x';
  process.env.FONTCONFIG_FILE = path.join(HOME, 'fonts.conf');
  const folders = [path.join(HOME, 'fonts'), FONTS].map(folder => `<dir>${folder}</dir>`).join('');
  const cache = `<cachedir>${path.join(HOME, 'cache')}</cachedir>`;
  fs.writeFileSync(process.env.FONTCONFIG_FILE, `<?xml version="1.0"?><fontconfig>${folders}${cache}</fontconfig>`);
  return require('@sparticuz/chromium').executablePath();
}

/** Starts the browser. */
async function launch() {
  const executablePath = await unpack();
  // The sandbox does not work for root, and the tests only open our own page.
  return require('playwright-core').chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

module.exports = { launch };
