/** The page: it plays the sentences one after another. */

const RATE = 22_050;

/** The number of seconds to request ahead of playback. */
const AHEAD = 5;

const element = (id) => document.getElementById(id);
let stop = () => {};

element("speak").addEventListener("click", () => {
  stop();
  const stopping = new AbortController();
  stop = () => stopping.abort();
  say({ text: element("text").value, latency: "low" }, stopping.signal);
});
element("stop").addEventListener("click", () => stop());

/** Speaks a request until it ends or the signal is aborted. */
async function say(request, signal) {
  const { id, error } = await window.speech.begin(request);
  show(error);
  if (error !== undefined) return;
  const context = new AudioContext();
  const silence = () => Promise.all([window.speech.stop(id), context.close()]);
  signal.addEventListener("abort", silence);
  if (signal.aborted) await silence();
  else await play(id, context, signal);
}

/** Plays a stream. */
async function play(id, context, signal) {
  let end = context.currentTime;
  while (!signal.aborted) {
    const { pcm, error } = await window.speech.next(id);
    show(signal.aborted ? undefined : error);
    if (pcm === undefined || signal.aborted) return;
    end = schedule(context, pcm, Math.max(end, context.currentTime));
    while (!signal.aborted && end - context.currentTime > AHEAD) await pause(100);
  }
}

/** Schedules samples at a time, and returns the time of their end. */
function schedule(context, pcm, start) {
  const buffer = context.createBuffer(1, pcm.length, RATE);
  buffer.copyToChannel(Float32Array.from(pcm, (sample) => sample / 32_768), 0);
  const source = new AudioBufferSourceNode(context, { buffer });
  source.connect(context.destination);
  source.start(start);
  return start + buffer.duration;
}

function show(error) {
  element("said").textContent = error === undefined ? "" : error.message;
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
