/** The main process: it computes, and the page asks for one sentence after another. */

const { join } = require("node:path");

const { BrowserWindow, app, ipcMain } = require("electron");
const { Engine, SpeechError } = require("libspeech-sdk");

/** Once, for all windows: it computes on threads of its own, and holds nothing up here. */
const loaded = Engine.load();

/** What is being spoken, by its identifier. @type {Map<string, import("libspeech-sdk").Stream>} */
const streams = new Map();

ipcMain.handle("speech:begin", (event, request) =>
  answered(async () => {
    const stream = (await loaded).stream(request);
    streams.set(stream.requestId, stream);
    event.sender.once("destroyed", () => stop(stream.requestId));
    return { id: stream.requestId };
  }),
);

ipcMain.handle("speech:next", (_event, id) =>
  answered(async () => {
    const { done, value } = (await streams.get(id)?.next()) ?? { done: true };
    if (done) stop(id);
    // These samples are copied on their way to the page.
    return done ? {} : { pcm: value.pcm };
  }),
);

ipcMain.handle("speech:stop", (_event, id) => stop(id));

/** @param {string} id */
function stop(id) {
  streams.get(id)?.close();
  streams.delete(id);
}

/**
 * An answer, or the error as a part of it: of an error that is thrown, pages see the message and no more.
 *
 * @template T
 * @param {() => Promise<T>} work
 */
async function answered(work) {
  try {
    return await work();
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
