/** The installed files: all required ones, and no others. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { basename, extname, join, relative } from "node:path";

import { PACKAGE, clean, folder, packages, project, test, variable } from "./support.mjs";

const MANIFEST = manifest(PACKAGE);

function manifest(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/** The paths of all files in a folder, without those of packages in it. */
function files(folder, root = folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name === "node_modules") return [];
    return entry.isDirectory() ? files(path, root) : [relative(root, path)];
  });
}

function installed(part) {
  const found = packages().filter((path) => basename(path).startsWith(`libspeech-sdk-${part}`));
  assert.equal(found.length, 1, `one of libspeech-sdk-${part}* is installed`);
  return found[0];
}

const native = () => installed(`${process.platform}-${process.arch}`);

test("the package that is tested is the installed one", () => {
  assert.equal(basename(PACKAGE), "libspeech-sdk");
  assert.ok(!existsSync(join(PACKAGE, "Cargo.toml")));
  assert.equal(files(PACKAGE).filter((path) => extname(path) === ".node").length, 0, "the module is its own package's");
});

test("what it says of itself", () => {
  const { name, version, license, engines, type, dependencies, scripts = {} } = MANIFEST;
  assert.equal(name, "libspeech-sdk");
  assert.match(version, /^\d+\.\d+\.\d+$/);
  assert.equal(license, "MIT OR Apache-2.0");
  assert.deepEqual(engines, { node: ">=18" });
  assert.equal(type, "commonjs");
  assert.equal(dependencies, undefined);
  for (const script of ["preinstall", "install", "postinstall", "prepare"]) assert.equal(scripts[script], undefined);
  assert.ok(MANIFEST.description.length > 20 && MANIFEST.keywords.length > 3);
});

test("the versions are one", () => {
  for (const path of packages()) assert.equal(manifest(path).version, MANIFEST.version, path);
  const wanted = { ...MANIFEST.optionalDependencies, ...MANIFEST.peerDependencies };
  assert.ok(Object.keys(wanted).length >= 2);
  for (const [name, version] of Object.entries(wanted)) assert.equal(version, MANIFEST.version, name);
  assert.ok(MANIFEST.optionalDependencies[basename(native())]);
  assert.equal(MANIFEST.peerDependenciesMeta["libspeech-sdk-voices"].optional, true);
});

test("all that it points to is there", () => {
  const { main, types, exports, bin } = MANIFEST;
  const targets = [main, types, ...Object.values(bin), ...leaves(exports)];
  for (const target of targets) assert.ok(existsSync(join(PACKAGE, target)), target);
  for (const program of Object.values(bin)) {
    assert.match(readFileSync(join(PACKAGE, program), "utf8"), /^#!\/usr\/bin\/env node\n/);
  }
});

function leaves(value) {
  return typeof value === "string" ? [value] : Object.values(value).flatMap(leaves);
}

test("types come first in each condition, and are of its own kind", () => {
  const { import: imported, require: required } = MANIFEST.exports["."];
  for (const condition of [imported, required]) assert.equal(Object.keys(condition)[0], "types");
  assert.deepEqual([extname(imported.default), imported.types.slice(-6)], [".mjs", ".d.mts"]);
  assert.deepEqual([extname(required.default), required.types.slice(-5)], [".js", ".d.ts"]);
});

test("what is in it", () => {
  const found = files(PACKAGE);
  const kinds = new Set(found.filter((path) => path.startsWith("lib")).map((path) => path.match(/(\.d)?\.\w+$/)[0]));
  assert.deepEqual(kinds, new Set([".js", ".mjs", ".d.ts", ".d.mts"]));
  const others = found.filter((path) => !/^(lib|licenses)[\\/]/.test(path));
  assert.deepEqual(others.filter((path) => !/^(package\.json|README\.md|LICENSE.*|NOTICE)$/.test(path)), []);
  assert.ok(found.includes("README.md"));
  assert.deepEqual(found.filter((path) => /\.(rs|toml|lock|test\.mjs)$|(^|[\\/])(ts|src|tests)[\\/]/.test(path)), []);
});

test("what is in the package of this platform", () => {
  const { os, cpu, main, files: named, dependencies } = manifest(native());
  assert.deepEqual([os, cpu], [[process.platform], [process.arch]]);
  if (process.platform === "linux") assert.deepEqual(manifest(native()).libc, ["glibc"]);
  assert.equal(extname(main), ".node");
  assert.ok(named.length > 0);
  assert.equal(dependencies, undefined);
  const found = files(native());
  assert.deepEqual(found.filter((path) => extname(path) === ".node"), [basename(main)]);
  assert.deepEqual(found.filter((path) => /\.(rs|toml|lock|so|dylib|dll|js|mjs)$/.test(path)), []);
  assert.ok(statSync(join(native(), main)).size < 20e6);
});

test("the licences are in it", () => {
  for (const path of [PACKAGE, native()]) {
    const texts = files(path).filter((name) => /licen[cs]e|notice/i.test(name));
    const words = texts.map((name) => readFileSync(join(path, name), "utf8")).join("\n");
    assert.match(words, /Apache License/, path);
    assert.match(words, /Permission is hereby granted, free of charge/, path);
    assert.doesNotMatch(words, /GNU GENERAL PUBLIC LICENSE/i, path);
  }
});

// `cargo xtask npm` and `cargo xtask full` check the module itself. The module of `cargo xtask test` contains paths.
test("nothing of where it was made is in it", () => {
  for (const path of [PACKAGE, native()]) {
    for (const name of files(path).filter((name) => extname(name) !== ".node")) {
      const text = readFileSync(join(path, name), "latin1");
      const [found] = text.match(/\/(root|work|Users\/\w+|home\/\w+)\/[\w.-]+\/[\w./-]*/) ?? [];
      assert.equal(found, undefined, `${basename(path)}/${name}`);
    }
  }
});

test("nothing of this machine is needed", (t) => {
  const cwd = project(t);
  const home = join(folder(t), "home");
  const program = `
    import { Engine } from "libspeech-sdk";
    const engine = await Engine.load({ bundle: process.argv[1] });
    console.log((await engine.synthesize("Hello.")).samples.length > 0);
  `;
  const given = ["--input-type=module", "-e", program, variable("SPEECH_FAKE_MODEL")];
  const env = { PATH: join(cwd, "bin"), HOME: home, SYSTEMROOT: process.env.SYSTEMROOT };
  const ended = spawnSync(process.execPath, given, { cwd, env, encoding: "utf8", timeout: 60_000 });
  assert.equal(clean(ended), "true\n");
  assert.equal(ended.stderr, "");
  assert.ok(!existsSync(home), "it writes nothing");
});
