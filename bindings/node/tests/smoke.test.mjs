/** The program that other runtimes run, in this one. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

import { test } from "./support.mjs";

test("the program for every runtime", () => {
  const program = fileURLToPath(new URL("smoke.mjs", import.meta.url));
  assert.equal(execFileSync(process.execPath, [program], { encoding: "utf8" }), "all is well\n");
});
