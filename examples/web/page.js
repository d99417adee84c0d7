// The page: loads the engine on first use, speaks, and highlights each word during playback.

/** The voice files, the smallest first. */
const BUNDLES = {
  light: { name: "Aria in English, light quality", size: "6 MB" },
  compact: { name: "All voices, in full quality", size: "50 MB" },
};
const address = (bundle) => new URL(`libspeech-voices-${bundle}.tar.gz`, import.meta.url);
const MAX_CHARACTERS = 1000;

const element = (id) => document.getElementById(id);
const text = element("text");
const settings = element("settings");

// Imported after the service worker has started, so that the worker caches the package's files.
const library = serviceWorker().then(() => import("./libspeech/lib/index.js"));
library.catch(() => showError({ code: "internal" }));

/** Resolves when the service worker is ready, or if there is none. */
async function serviceWorker() {
  try {
    const { serviceWorker } = navigator;
    await serviceWorker.register("service-worker.js");
    if (serviceWorker.controller !== null) return;
    await Promise.race([
      new Promise((resolve) => serviceWorker.addEventListener("controllerchange", resolve, { once: true })),
      // A page reloaded without caches gets no service worker.
      new Promise((resolve) => setTimeout(resolve, 2000)),
    ]);
  } catch {
    // The service worker is unavailable (old browser, private window): the page works, but not offline.
  }
}

// ---- The engine

let engine;
/** The bundle that the engine has loaded. */
let loaded;
let player;

const isLoaded = (bundle) => bundle === loaded && !engine.closed;

/** The bundle for the settings: an available one, or the smallest. The compact bundle also has the light networks. */
function chosenBundle() {
  const bundles = settings.elements.quality.value === "light" ? ["light", "compact"] : ["compact"];
  return bundles.find(isLoaded) ?? bundles.find(isStored) ?? bundles[0];
}

/** The engine with a bundle, loaded on first use. Downloads voices only if allowed. */
async function loadedEngine(signal, { bundle, mayDownload }) {
  const { Engine } = await library;
  if (signal.aborted) throw { code: "cancelled" };
  if (isLoaded(bundle)) return engine;
  const gone = new AbortController();
  const onProgress = (progress) => {
    if (progress.phase === "download" && !mayDownload) gone.abort();
    else showProgress(progress);
  };
  setStatus("Loading the voices …");
  try {
    const options = { voices: address(bundle), bundle, onProgress, signal: anyOf(signal, gone.signal) };
    const next = await Engine.load(options);
    engine?.close();
    engine = next;
    loaded = bundle;
  } catch (error) {
    if (!gone.signal.aborted) throw error;
    // The browser has deleted the voices: offer the download again.
    remember(bundle, false);
    throw Object.assign(new Error("the voices are not stored"), { code: "not_stored" });
  } finally {
    hideProgress();
  }
  remember(bundle, engine.stored);
  showOffer();
  return engine;
}

/** Replaces `AbortSignal.any`, which some browsers lack. */
function anyOf(...signals) {
  const any = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) any.abort();
    signal.addEventListener("abort", () => any.abort(), { once: true });
  }
  return any.signal;
}

/** The storage key that is set once a bundle is on this device. */
const storedKey = (bundle) => `${bundle} voices are stored`;

function isStored(bundle) {
  try {
    return localStorage.getItem(storedKey(bundle)) === "yes";
  } catch {
    return false;
  }
}

function remember(bundle, stored) {
  try {
    if (stored) localStorage.setItem(storedKey(bundle), "yes");
    else localStorage.removeItem(storedKey(bundle));
  } catch {}
}

// ---- Speaking

/** The current action. It is aborted by another action or by stopping. */
let current;

async function during(task) {
  stop();
  const controller = new AbortController();
  current = controller;
  hideError();
  showOffer();
  try {
    await task(controller.signal);
  } catch (error) {
    if (current === controller && !controller.signal.aborted) showError(error);
  } finally {
    if (current === controller) idle();
  }
}

function idle() {
  current = undefined;
  hideProgress();
  light(undefined);
  showOffer();
}

function stop() {
  const controller = current;
  if (controller === undefined) return;
  idle();
  player?.stop();
  controller.abort();
  setStatus("Stopped.");
}

/** The options selected on the page. */
function options() {
  const { language, voice, quality, rate, pitch, readEmoji } = settings.elements;
  return {
    language: language.value,
    voice: voice.value,
    quality: quality.value,
    rate: rate.valueAsNumber,
    pitch: pitch.valueAsNumber,
    readEmoji: readEmoji.checked,
  };
}

/** The request for a press of a button. Settings changed during loading apply to the next request. */
function asked(from = 0) {
  const bundle = chosenBundle();
  return { spoken: text.value.slice(from), options: options(), bundle, mayDownload: !isStored(bundle) };
}

function speak(from = 0) {
  if (text.value.slice(from).trim() === "") from = 0;
  return during(async (signal) => {
    const { spoken, options, ...voices } = asked(from);
    if (text.value.trim() === "") throw { code: "empty_text" };
    const { Player } = await library;
    // Browsers allow audio only after a user action.
    player ??= await Player.create({ onWord: (word) => onWord?.(word) });
    await player.resume();
    const engine = await loadedEngine(signal, voices);
    setStatus("Computing …");
    const began = performance.now();
    const stream = engine.stream(spoken, { ...options, latency: "low", signal });
    onWord = ({ span }) => light({ start: from + span.start, end: from + span.end });
    const heard = { seconds: 0 };
    await player.play(measured(stream, began, heard));
    if (!signal.aborted) setStatus(`Finished: ${heard.seconds.toFixed(1)} seconds of speech.`);
  });
}

let onWord;

/** The chunks of a stream; measures their speed. */
async function* measured(stream, began, spoken) {
  let first;
  for await (const chunk of stream) {
    if (first === undefined) {
      first = performance.now() - began;
      setStatus("Speaking. Click a word to go on from there.");
    }
    spoken.seconds += chunk.duration;
    yield chunk;
  }
  showFigures(first, (performance.now() - began) / 1000 / spoken.seconds);
}

function save() {
  return during(async (signal) => {
    const { spoken, options, ...voices } = asked();
    if (text.value.trim() === "") throw { code: "empty_text" };
    const engine = await loadedEngine(signal, voices);
    setStatus("Computing …");
    const audio = await engine.synthesize(spoken, { ...options, signal });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(audio.toBlob());
    link.download = "speech.wav";
    link.click();
    // Delayed, because the browser may still be about to read the URL.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    setStatus(`Saved as speech.wav: ${audio.duration.toFixed(1)} seconds.`);
  });
}

// ---- Display

/** Highlights a part of the text, or nothing. */
function light(span) {
  const lit = element("lit");
  const whole = text.value;
  // A final line break would have no height.
  if (span === undefined) return lit.replaceChildren(`${whole}\n`);
  const mark = document.createElement("mark");
  mark.textContent = whole.slice(span.start, span.end);
  lit.replaceChildren(whole.slice(0, span.start), mark, `${whole.slice(span.end)}\n`);
  const paper = lit.closest(".paper");
  const { top, bottom } = mark.getBoundingClientRect();
  const frame = paper.getBoundingClientRect();
  if (top < frame.top || bottom > frame.bottom) paper.scrollTop += top - frame.top - frame.height / 3;
}

function setStatus(message) {
  element("status").textContent = message;
}

function showProgress({ phase, loaded, total }) {
  const bar = element("bar");
  element("download").hidden = false;
  if (total === undefined) bar.removeAttribute("value");
  else bar.value = loaded / total;
  if (phase === "download") {
    const done = megabytes(loaded);
    element("amount").textContent = total === undefined ? `${done} MB` : `${done} of ${megabytes(total)} MB`;
    setStatus("Downloading the voices …");
  } else {
    element("amount").textContent = "";
    setStatus("Preparing the voices …");
  }
}

function hideProgress() {
  element("download").hidden = true;
}

const megabytes = (bytes) => Math.round(bytes / 1e6);

/** Whether the voices must be downloaded first. */
const isOffered = () => !isStored(chosenBundle()) && !isLoaded(chosenBundle());

/** The button stops the current action; otherwise it shows the download if voices are missing. */
function showOffer() {
  const isBusy = current !== undefined;
  const offered = isOffered();
  const { name, size } = BUNDLES[chosenBundle()];
  element("speak").textContent = isBusy ? "Stop" : offered ? "Download and speak" : "Speak";
  element("offer").hidden = !offered || isBusy;
  element("voices").textContent = name;
  element("size").textContent = size;
  element("program").hidden = engine !== undefined || Object.keys(BUNDLES).some(isStored);
  element("save").hidden = offered;
  // A word can be touched during playback without opening the on-screen keyboard.
  text.inputMode = isBusy ? "none" : "";
  element("offline").hidden = !(isStored(chosenBundle()) && navigator.serviceWorker?.controller);
  element("unkept").hidden = engine?.stored !== false;
}

function showFigures(first, factor) {
  if (first === undefined) return;
  element("figures").hidden = false;
  element("first").textContent = `${(first / 1000).toFixed(2)} s`;
  element("factor").textContent = factor.toFixed(2);
  element("threads").textContent = engine.threads;
}

const MESSAGES = {
  empty_text: "There is nothing to speak: write something first.",
  text_too_long: `The text is too long for this page: it takes ${MAX_CHARACTERS.toLocaleString("en")} characters.`,
  not_stored: "The browser has removed the voices from this device. They can be downloaded again.",
  download_failed:
    "The voices could not be downloaded. Check the connection and try again: it goes on where it stopped.",
  file_damaged: "The voices arrived damaged, and were not used. Try again later.",
  unsupported_browser:
    "This browser is too old to compute speech. Chrome 91, Edge 91, Firefox 114, Safari 16.4 and what is newer can.",
  internal: "Something went wrong inside this page. Reload it and try again.",
};

function showError(error) {
  const message = MESSAGES[error.detail] ?? MESSAGES[error.code] ?? MESSAGES.internal;
  setStatus("");
  element("error").hidden = false;
  element("error").textContent = message;
  if (message === MESSAGES.internal) console.error(error);
}

function hideError() {
  element("error").hidden = true;
  element("error").textContent = "";
}

function showCount() {
  const characters = [...text.value].length;
  const count = element("count");
  count.textContent = characters > 0.8 * MAX_CHARACTERS ? `${characters} of ${MAX_CHARACTERS} characters` : "";
  count.classList.toggle("excess", characters > MAX_CHARACTERS);
}

/** The last chosen quality, restored with settings that support it. */
let quality = settings.elements.quality.value;

function showSettings() {
  const { language, voice, rate, pitch } = settings.elements;
  const choices = settings.elements.quality;
  const [small] = choices;
  small.disabled = language.value !== "en-US" || voice.value !== "aria";
  choices.value = small.disabled ? "full" : quality;
  text.lang = language.value;
  rate.previousElementSibling.value = `${rate.valueAsNumber} ×`;
  const semitones = pitch.valueAsNumber;
  pitch.previousElementSibling.value = `${semitones > 0 ? "+" : semitones < 0 ? "−" : ""}${Math.abs(semitones)} semitones`;
  showOffer();
}

// ---- User actions

element("speak").addEventListener("click", () => (current === undefined ? speak() : stop()));
element("save").addEventListener("click", save);
settings.addEventListener("input", ({ target }) => {
  if (target.name === "quality") quality = target.value;
  showSettings();
});
settings.addEventListener("submit", (event) => event.preventDefault());

text.addEventListener("input", () => {
  stop();
  light(undefined);
  showCount();
});

/** The start of the word at a position in the text. */
const wordAt = (place) => text.value.slice(0, place).search(/\S*$/);

text.addEventListener("click", () => {
  const isPlace = text.selectionStart === text.selectionEnd;
  if (isPlace && current !== undefined && element("lit").querySelector("mark") !== null) {
    void speak(wordAt(text.selectionStart));
  }
});

element("examples").addEventListener("click", ({ target }) => {
  const { dataset } = target.closest("button") ?? {};
  if (dataset === undefined) return;
  stop();
  text.value = dataset.text;
  settings.elements.language.value = dataset.language;
  settings.elements.readEmoji.checked = dataset.emoji !== undefined;
  showSettings();
  light(undefined);
  showCount();
  setStatus("");
});

addEventListener("keydown", (event) => {
  if (event.key === "Escape") stop();
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    // The size of the download is shown beside the button.
    if (isOffered()) element("speak").focus();
    else void speak(event.shiftKey ? wordAt(text.selectionStart) : 0);
  }
});

navigator.serviceWorker?.addEventListener("controllerchange", showOffer);
showSettings();
showCount();
light(undefined);

// Shows the size of each download in advance.
for (const [bundle, about] of Object.entries(BUNDLES).filter(([bundle]) => !isStored(bundle))) {
  fetch(address(bundle), { method: "HEAD" })
    .then((response) => {
      const bytes = Number(response.headers.get("Content-Length"));
      if (response.ok && bytes > 0) about.size = `${megabytes(bytes)} MB`;
      showOffer();
    })
    .catch(() => undefined);
}
