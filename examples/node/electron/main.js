/** The main process: it computes speech, and the page requests one sentence after another. */

const { join } = require("node:path");

const { BrowserWindow, app, ipcMain } = require("electron");
const { Engine, SpeechError } = require("libspeech-sdk");

/** One engine for all windows. It computes on its own threads, and does not block this process. */
const loaded = Engine.load();

/**
 * The streams in progress of each window, keyed by their request identifiers.
 *
 * @type {WeakMap<import("electron").WebContents, Map<string, import("libspeech-sdk").Stream>>}
 */
const windows = new WeakMap();

ipcMain.handle("speech:begin", (event, { text, ...options }) =>
  withErrors(async () => {
    const stream = (await loaded).stream(text, options);
    streamsOf(event.sender).set(stream.requestId, stream);
    return { id: stream.requestId };
  }),
);

ipcMain.handle("speech:next", (event, id) =>
  withErrors(async () => {
    const { done, value } = (await streamsOf(event.sender).get(id)?.next()) ?? { done: true };
    if (done) stop(event.sender, id);
    // Electron copies the samples to the page.
    return done ? {} : { pcm: value.samples };
  }),
);

ipcMain.handle("speech:stop", (event, id) => stop(event.sender, id));

/**
 * The streams of a window, which are closed together with it.
 *
 * @param {import("electron").WebContents} window
 */
function streamsOf(window) {
  const known = windows.get(window);
  if (known !== undefined) return known;
  const streams = new Map();
  windows.set(window, streams);
  window.once("destroyed", () => streams.forEach((stream) => stream.close()));
  return streams;
}

/**
 * @param {import("electron").WebContents} window
 * @param {string} id
 */
function stop(window, id) {
  const streams = streamsOf(window);
  streams.get(id)?.close();
  streams.delete(id);
}

/**
 * The result of a handler, or its error as a value. Of a thrown error Electron would pass only the message to the page.
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
