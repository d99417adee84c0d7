/**
 * Speaks the output of a language model while it is generated, over the WebSocket of the service. Browsers have the
 * same API.
 *
 * node live.mjs ws://127.0.0.1:8080/v1/speech/live KEY 1.5 | aplay -q -f S16_LE -r 22050
 *
 * With a number, interrupts once after that many seconds of audio, and prints the text that was heard.
 */

import { setTimeout as sleep } from "node:timers/promises";

const [url, key, seconds = "Infinity"] = process.argv.slice(2);
const live = new WebSocket(url, ["speech.live.v1", `key.${key}`]);
/** @param {object} message */
const send = message => live.send(JSON.stringify(message));
live.binaryType = "arraybuffer";

let interruptAt = Number(seconds);
let played = 0;
live.onopen = () => {
  send({ type: "start", voice: "leo" });
  generate();
};
live.onmessage = ({ data }) => {
  if (typeof data !== "string") {
    process.stdout.write(new Uint8Array(data));
    played += data.byteLength / 2 / 22050;
    if (played < interruptAt) return;
    send({ type: "interrupt", played: interruptAt });
    interruptAt = Infinity;
    return;
  }
  const event = JSON.parse(data);
  if (!["finished", "interrupted", "error"].includes(event.type)) return;
  console.error(event.heard?.text ?? event);
  live.close();
};
live.onerror = () => console.error("the socket failed: see that the address and the key are right");

/** Simulates a language model, which generates its answer in pieces. */
async function generate() {
  for (const text of ["It cost $3", ".5", "0. Dr", ". No paid", " it, and went", " home."]) {
    await sleep(50);
    if (live.readyState !== WebSocket.OPEN || interruptAt === Infinity && seconds !== "Infinity") return;
    send({ type: "text", text });
  }
  send({ type: "finish" });
}
