// A Chromium whose browser, libraries and fonts all come out of packages.
'use strict';

const fs = require('node:fs');
const path = require('node:path');

const PACKAGES = path.resolve(require.resolve('playwright-core/package.json'), '../..');
const HOME = path.join(PACKAGES, '.chromium');
const FONTS = path.join(PACKAGES, '@expo-google-fonts/noto-sans-devanagari/400Regular');

/** Unpacks the browser, always anew: one that was interrupted would be taken for a whole one. */
async function unpack() {
  fs.rmSync(HOME, { recursive: true, force: true });
  fs.mkdirSync(HOME, { recursive: true });
  // The package unpacks to the system's folder for such files, and its libraries only where it takes itself to be on
  // the cloud it was made for. With them nothing needs to be installed on the system.
  process.env.TMPDIR = HOME;
  process.env.AWS_LAMBDA_JS_RUNTIME = 'nodejs20.x';
  process.env.FONTCONFIG_FILE = path.join(HOME, 'fonts.conf');
  const folders = [path.join(HOME, 'fonts'), FONTS].map(folder => `<dir>${folder}</dir>`).join('');
  const cache = `<cachedir>${path.join(HOME, 'cache')}</cachedir>`;
  fs.writeFileSync(process.env.FONTCONFIG_FILE, `<?xml version="1.0"?><fontconfig>${folders}${cache}</fontconfig>`);
  return require('@sparticuz/chromium').executablePath();
}

/** Starts it. */
async function launch() {
  const executablePath = await unpack();
  // Root may not use the sandbox, and the only page that is opened is our own.
  return require('playwright-core').chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

module.exports = { launch };
