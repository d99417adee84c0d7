/** The main process: it computes, and the page asks for one sentence after another. */

const { join } = require("node:path");

const { BrowserWindow, app, ipcMain } = require("electron");
const { Engine, SpeechError } = require("libspeech-sdk");

/** One engine for all windows: it computes on threads of its own, and does not block this process. */
const loaded = Engine.load();

/** The streams in progress, by their request identifiers. @type {Map<string, import("libspeech-sdk").Stream>} */
const streams = new Map();

ipcMain.handle("speech:begin", (event, { text, ...options }) =>
  withErrors(async () => {
    const stream = (await loaded).stream(text, options);
    streams.set(stream.requestId, stream);
    event.sender.once("destroyed", () => stop(stream.requestId));
    return { id: stream.requestId };
  }),
);

ipcMain.handle("speech:next", (_event, id) =>
  withErrors(async () => {
    const { done, value } = (await streams.get(id)?.next()) ?? { done: true };
    if (done) stop(id);
    // These samples are copied on their way to the page.
    return done ? {} : { pcm: value.samples };
  }),
);

ipcMain.handle("speech:stop", (_event, id) => stop(id));

/** @param {string} id */
function stop(id) {
  streams.get(id)?.close();
  streams.delete(id);
}

/**
 * The result of a handler, or its error as a value: of an error that is thrown, a page gets the message alone.
 *
 * @template T
 * @param {() => Promise<T>} handler
 */
async function withErrors(handler) {
  try {
    return await handler();
  } catch (error) {
    if (error instanceof SpeechError) return error.toJSON();
    throw error;
  }
}

app.whenReady().then(async () => {
  const window = new BrowserWindow({ webPreferences: { preload: join(__dirname, "preload.js") } });
  await window.loadFile("index.html");
});

app.on("window-all-closed", () => app.quit());
