/** The programs in `types/` use everything that the package exports. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import * as libspeech from "libspeech-sdk";

import { PACKAGE, test } from "./support.mjs";

function source(name) {
  return readFileSync(new URL(`./types/${name}`, import.meta.url), "utf8");
}

/** The names in the first list in braces after a marker. */
function listed(text, words) {
  const start = text.indexOf(words);
  assert.ok(start >= 0, words);
  const list = text.slice(text.indexOf("{", start) + 1, text.indexOf("}", start));
  return list.split(",").map((name) => name.replace("type ", "").trim()).filter(Boolean);
}

test("every value is used by them", () => {
  const names = Object.keys(libspeech).sort();
  assert.deepEqual(listed(source("uses.mts"), "import {").sort(), names);
  assert.deepEqual(listed(readFileSync(join(PACKAGE, "lib", "index.d.mts"), "utf8"), "export {").sort(), names);
});

test("every type is used by them", () => {
  const types = listed(readFileSync(join(PACKAGE, "lib", "index.d.mts"), "utf8"), "export type {").sort();
  assert.ok(types.length > 0);
  for (const name of ["uses.mts", "commonjs.cts"]) {
    const imported = source(name).slice(0, source(name).indexOf('} from "libspeech-sdk";\n\n'));
    assert.deepEqual(listed(imported.slice(imported.lastIndexOf("import type {")), "import type {").sort(), types);
  }
});

test("the codes of their table are those of the library", () => {
  const table = source("uses.mts").split("CODES: Record<ErrorCode, true> = ")[1];
  assert.deepEqual(listed(`{${table.slice(1)}`, "{").map((row) => row.replace(": true", "")), libspeech.ERROR_CODES);
});

test("wrong uses are among them", () => {
  assert.ok(source("uses.mts").match(/@ts-expect-error/g).length >= 20);
});

test("each configuration of theirs is strict", () => {
  for (const name of ["node16", "bundler"]) {
    const { strict, skipLibCheck } = JSON.parse(source(`tsconfig.${name}.json`)).compilerOptions;
    assert.deepEqual([strict, skipLibCheck], [true, false]);
  }
});
