#!/usr/bin/env node
/** The program run by `npx libspeech-sdk`. */

import { main } from "./cli/main.js";

void main(process.argv.slice(2)).then((status) => {
  process.exitCode = status;
});
